/**
 * The feeds of a server, by the names of nouns. A follower of a name learns each state of its noun, whether a
 * noun has the name already or not.
 *
 *     const feed = feeds.of("led");
 *     feed.follow({ onState: ({ json }) => console.log(json) });
 *     feeds.changed("led"); // after a PUT: the feed reads the noun again
 */
import { Feed, type FeedContext } from "./feed.ts";

export class Feeds {
  private readonly context: FeedContext;
  private readonly followed = new Map<string, Feed>();

  constructor(context: FeedContext) {
    this.context = context;
  }

  /** @param name in lower case. @returns the feed, to be followed at once. */
  of(name: string): Feed {
    const known = this.followed.get(name);
    if (known !== undefined) return known;
    const feed = new Feed(name, this.context, this.forget);
    this.followed.set(name, feed);
    return feed;
  }

  /** A request may have changed a noun. */
  changed(name: string): void {
    this.followed.get(name)?.changed();
  }

  /** A noun was registered or removed. */
  replaced(name: string): void {
    this.followed.get(name)?.replace();
  }

  /** Nobody is told of a change any more. */
  close(): void {
    for (const feed of this.followed.values()) feed.close();
  }

  private readonly forget = ({ name }: Feed): void => void this.followed.delete(name);
}
