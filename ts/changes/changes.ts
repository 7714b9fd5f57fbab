/**
 * The last changes of the nouns of a device, each with who has made it: `rule frost`, `token panel`, `lease`. They are
 * in a ring with a bound in number and in bytes. What an operation makes is noted when the noun has answered; a noun
 * that changes by itself is followed.
 *
 *     const changes = new Changes({ clock, most: 64, find, feeds, log });
 *     changes.made(noun, answer, "rule frost");
 *     changes.lines(() => true); // {"time":"...","noun":"pump","state":{"on":1},"by":"rule frost"}
 */
import type { Feed, Follower } from "../feeds/feed.ts";
import type { Feeds } from "../feeds/feeds.ts";
import type { Clock } from "../native/loop.ts";
import { type OwnCause, ownCauseOf } from "../noun/by-itself.ts";
import { comparedPart } from "../noun/compared-state.ts";
import type { Shape } from "../noun/shape.ts";
import { emptyState } from "../noun/state.ts";
import { jsonOf, type StateAnswer } from "../operations/answer.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import { ChangeRing } from "./change-ring.ts";

/** The dependencies of the list of changes. */
export interface ChangesContext {
  readonly clock: Clock;
  /** The largest number of changes. */
  readonly most: number;
  /** Opens the feeds, for the first noun that is followed. */
  readonly feeds: () => Feeds;
  /** Receives the changes that no request, command or rule has made, for the debug log; undefined if nothing is logged. */
  readonly log: ((line: string) => void) | undefined;
}

/** @returns the keys that change with time alone, or that count. */
function ignoredKeys(shape: Shape = {}): readonly string[] {
  return Object.entries(shape).flatMap(([name, key]) =>
    key.timeDependent === true || ("counts" in key && key.counts !== undefined) ? [name] : [],
  );
}

/** One noun that changes by itself. */
class FollowedNoun implements Follower {
  private readonly changes: Changes;
  private readonly cause: OwnCause;
  private readonly ignored: readonly string[];
  /** What was noted last; undefined before the first state. */
  private known: string | undefined;
  readonly feed: Feed;

  constructor(changes: Changes, noun: RegisteredNoun, feed: Feed, cause: OwnCause) {
    this.changes = changes;
    this.cause = cause;
    this.ignored = ignoredKeys(noun.noun.shape);
    this.feed = feed;
  }

  onState({ noun, json }: Feed): void {
    if (noun === undefined) return;
    const known = this.known;
    const now = json === undefined ? "null" : comparedPart(json, this.ignored);
    if (now === known) return;
    this.known = now;
    if (known === undefined) return;
    // Its next operation is a change again, even if it makes what the last one has made.
    noun.queue.made = undefined;
    this.changes.note(noun.name, json ?? "null", this.cause);
  }

  /** An operation has made a state. */
  made(json: string): void {
    this.known = comparedPart(json, this.ignored);
  }
}

export class Changes {
  private readonly context: ChangesContext;
  private readonly ring: ChangeRing;
  private readonly followed = new Map<string, FollowedNoun>();
  private readonly listeners = new Set<() => void>();
  /** Whether there are nouns in `followed`, and functions in `listeners`. */
  private isFollowing = false;
  private isHeard = false;

  constructor(context: ChangesContext) {
    this.context = context;
    this.ring = new ChangeRing(context.most);
  }

  /** An operation has made a state. @param by who has asked for it. */
  readonly made = (registered: RegisteredNoun, answer: StateAnswer, by: string): void => {
    const { name } = registered;
    const { made } = registered.queue;
    const { json } = answer;
    if (this.isFollowing) this.followed.get(name)?.made(json);
    // A guard sends a noun to its default first of all, where it usually is.
    if (made === undefined ? by.startsWith("guard ") : made.json === json) return;
    this.ring.add(this.context.clock.now(), name, json, by, answer.length);
    if (made === undefined && !this.followed.has(name)) this.follow(registered, json);
    if (this.isHeard) this.tell();
  };

  /** Notes a change that nobody has asked for. */
  note(name: string, json: string, by: string): void {
    this.ring.add(this.context.clock.now(), name, json, by);
    this.context.log?.(`${name} is ${json} (${by})`);
    if (this.isHeard) this.tell();
  }

  /**
   * Follows the nouns that change by themselves, and notes what those begin with that clients can change.
   * @param by `boot`, or `reload` for nouns that the process before did not have.
   */
  start(nouns: Iterable<RegisteredNoun>, by: (noun: string) => "boot" | "reload" | undefined): void {
    for (const noun of nouns) {
      const cause = ownCauseOf(noun.own);
      if (cause === undefined) continue;
      const beginning = noun.isSettable && cause !== "mirror" ? by(noun.name) : undefined;
      if (beginning !== undefined) {
        noun.ask("GET", emptyState, (answer) => {
          const json = jsonOf(answer);
          if (json !== undefined) this.note(noun.name, json, beginning);
        });
      }
      this.follow(noun);
    }
  }

  /** Another noun has the name, or none. */
  replaced(name: string): void {
    const followed = this.followed.get(name);
    if (followed === undefined) return;
    this.followed.delete(name);
    this.isFollowing = this.followed.size > 0;
    followed.feed.unfollow(followed);
  }

  /** @param isReadable says of which nouns. @returns the changes, oldest first, each as a line of JSON without its end. */
  lines(isReadable: (noun: string) => boolean, after = 0): readonly string[] {
    return this.ring.lines(this.context.clock.now(), Date.now(), isReadable, after);
  }

  /** @returns the changes for the next process, as `resume` takes them. */
  leave(): string {
    return this.ring.leave();
  }

  /** Takes over what the process before has left; untrusted. @throws SyntaxError or TypeError for what it cannot be. */
  resume(left: string): void {
    this.ring.resume(left, this.context.clock.now());
  }

  /** The number of the last change, since the start. */
  get last(): number {
    return this.ring.count;
  }

  /** @param changed is called after each change. @returns a function that ends this. */
  listen(changed: () => void): () => void {
    this.listeners.add(changed);
    this.isHeard = true;
    return () => {
      this.listeners.delete(changed);
      this.isHeard = this.listeners.size > 0;
    };
  }

  /** @param json what it has been made; undefined if it is to be read. */
  private follow(noun: RegisteredNoun, json?: string): void {
    const cause = ownCauseOf(noun.own);
    if (cause === undefined || cause === "nothing" || this.followed.has(noun.name)) return;
    const feed = this.context.feeds().of(noun.name);
    const followed = new FollowedNoun(this, noun, feed, cause);
    if (json !== undefined) followed.made(json);
    this.followed.set(noun.name, followed);
    this.isFollowing = true;
    feed.follow(followed);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
