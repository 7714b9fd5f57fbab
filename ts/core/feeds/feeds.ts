/**
 * The feeds of a server, by the names of nouns. A follower of a name learns each state of its noun, whether a
 * noun has the name already or not.
 *
 *     const feed = feeds.of("led");
 *     feed.follow({ onState: ({ json }) => console.log(json) });
 */
import type { Bond } from "./bond.ts";
import { Feed, type FeedContext } from "./feed.ts";

export class Feeds {
  readonly context: FeedContext;
  private readonly known = new Map<string, Feed>();
  private bondOf: (name: string) => Bond | undefined = () => undefined;

  constructor(context: FeedContext) {
    this.context = context;
  }

  /** @param name in lower case. @returns the feed, to be followed at once. */
  of(name: string): Feed {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const feed = new Feed(name, this.context, this.forget);
    feed.bond = this.bondOf(name);
    this.known.set(name, feed);
    return feed;
  }

  /** @returns the feed of a name, if somebody follows it. */
  followed(name: string): Feed | undefined {
    return this.known.get(name);
  }

  /** Guards join nouns. @param bondOf gives the bond of a name. */
  bind(bondOf: (name: string) => Bond | undefined): void {
    this.bondOf = bondOf;
    for (const [name, feed] of this.known) feed.bond = bondOf(name);
  }

  /** A noun was registered or removed. */
  replaced(name: string): void {
    this.known.get(name)?.replace();
  }

  /** Nobody is told of a change any more. */
  close(): void {
    for (const feed of this.known.values()) feed.close();
  }

  private readonly forget = ({ name }: Feed): void => void this.known.delete(name);
}
