/**
 * The last changes of the nouns of a device, each with who has made it: `rule frost`, `token panel`, `lease`; and the
 * last failures. Changes are in a ring with a bound in number and in bytes. What an operation makes is noted when the
 * noun has answered; a noun that changes by itself is followed.
 *
 *     const changes = new Changes({ clock, most: 64, nouns, feeds, log, failures });
 *     changes.made(noun, answer, "rule frost", undefined);
 *     changes.lines(undefined); // {"time":"...","noun":"pump","state":{"on":1},"by":"rule frost"}
 */
import { mayRead, type Scope } from "../../core/access/admission.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { comparedPart } from "../../core/noun/compared-state.ts";
import { byItself, type OwnCause, traitsOf } from "../../core/noun/noun-traits.ts";
import type { Shape } from "../../core/noun/shape.ts";
import { emptyState } from "../../core/noun/state.ts";
import { jsonOf } from "../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import type { Writer } from "../../core/operations/writer.ts";
import type { DocumentContent, DocumentReader } from "../../core/server/document.ts";
import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Beginning, Part } from "../../core/server/part.ts";
import type { Clock } from "../../native/loop.ts";
import { ChangeRing, type RingContext, type TimedLine } from "./change-ring.ts";

/** A failure that was logged. */
export interface ListedFailure {
  /** On the clock of the loop, in ms: the last time. */
  readonly time: number;
  /** The name of a noun, or words. */
  readonly of: string;
  readonly text: string;
  readonly times: number;
}

/** The last failures that were logged. */
export interface FailureList {
  /** The number of the last one. */
  readonly last: number;
  /** @returns those that were told after the one of this number, oldest first. */
  list(after: number): readonly ListedFailure[];
  /** @param told is called after each. @returns a function that ends this. */
  listen(told: () => void): () => void;
}

/** The dependencies of the list of changes. */
export interface ChangesContext {
  readonly clock: Clock;
  /** The largest number of changes. */
  readonly most: number;
  readonly nouns: NounDirectory;
  /** Whether nouns that change by themselves are followed from the start. */
  readonly isFollowing: boolean;
  /** Opens the feeds, for the first noun that is followed. */
  readonly feeds: () => Feeds;
  /** Receives the changes that no request, command or rule has made, for the debug log; undefined if nothing is logged. */
  readonly log: ((line: string) => void) | undefined;
  readonly failures: () => FailureList;
}

/** The place of a reader in the list. */
export interface ChangePlace {
  /** The number of a change, and of a failure: only later ones. */
  readonly change: number;
  readonly failure: number;
}

const beginning: ChangePlace = { change: 0, failure: 0 };

/** @returns the keys that change with time alone, or that count. */
function ignoredKeys(shape: Shape = {}): readonly string[] {
  return Object.entries(shape).flatMap(([name, key]) =>
    key.timeDependent === true || ("counts" in key && key.counts !== undefined) ? [name] : [],
  );
}

/** One noun that changes by itself. */
class FollowedNoun implements Follower {
  private readonly note: Changes["note"];
  private readonly cause: OwnCause;
  private readonly ignored: readonly string[];
  readonly feed: Feed;

  constructor(note: Changes["note"], noun: RegisteredNoun, feed: Feed, cause: OwnCause) {
    this.note = note;
    this.cause = cause;
    this.ignored = ignoredKeys(noun.face.shape);
    this.feed = feed;
  }

  onState({ noun, json = "null" }: Feed): void {
    if (noun === undefined) return;
    const { queue } = noun;
    const { lastNoted } = queue;
    if (lastNoted === undefined) queue.lastNoted = { json };
    else if (comparedPart(json, this.ignored) !== comparedPart(lastNoted.json, this.ignored)) {
      this.note(noun, json, this.cause);
    }
  }
}

export class Changes implements Part {
  private readonly context: ChangesContext;
  private readonly ring: ChangeRing;
  private readonly followed = new Map<string, FollowedNoun>();
  private readonly listeners = new Set<() => void>();
  /** Whether nouns that change by themselves are followed before an operation has changed them. */
  private isStarted = false;
  /** As `QueueContext.onResult`. */
  readonly onResult: ChangeRing["onResult"];

  constructor(context: ChangesContext) {
    this.context = context;
    const begin: RingContext["begin"] = (noun, by) => this.begin(noun as RegisteredNoun, by);
    this.ring = new ChangeRing({ most: context.most, clock: context.clock, begin });
    this.onResult = this.ring.onResult;
  }

  /** Notes a change that nobody has asked for. */
  private readonly note = (noun: RegisteredNoun, json: string, by: string): void => {
    // It is a change, whatever the last operation has made.
    noun.queue.lastNoted = undefined;
    this.onResult(noun, { json }, by, undefined);
    this.context.log?.(`${noun.name} is ${json} (${by})`);
  };

  /** Follows the nouns that change by themselves, and notes what those begin with that clients can change. */
  start({ isNext, wasLeft }: Beginning): void {
    if (!this.context.isFollowing) return;
    this.isStarted = true;
    const by = (noun: string) => (isNext ? (wasLeft(noun) ? undefined : "reload") : "boot");
    for (const noun of this.context.nouns.all()) {
      const cause = traitsOf(noun.original)[byItself];
      if (cause === undefined) continue;
      const beginning = noun.isSettable && cause !== "mirror" ? by(noun.name) : undefined;
      if (beginning !== undefined) {
        noun.ask("GET", emptyState, (answer) => {
          const json = jsonOf(answer);
          if (json !== undefined) this.note(noun, json, beginning);
        });
      }
      this.follow(noun);
    }
  }

  /** @param noun the one that has the name now; undefined if none has. */
  replaced(name: string, noun: RegisteredNoun | undefined): void {
    const followed = this.followed.get(name);
    this.followed.delete(name);
    followed?.feed.unfollow(followed);
    if (this.isStarted && noun !== undefined) this.follow(noun);
  }

  /**
   * @param scope of who reads them.
   * @returns the changes and failures, oldest first, each as a line of JSON without its end.
   */
  lines(scope: Scope | undefined, { change, failure } = beginning): readonly string[] {
    return this.ring.lines(Date.now(), scope, change, this.failures(scope, failure));
  }

  /** @returns the failures after the one of this number. A sentence that names an unreadable noun is null. */
  private failures(scope: Scope | undefined, after: number): readonly TimedLine[] {
    const { failures, nouns } = this.context;
    const hidden = Array.from(nouns.all(), ({ name }) => name).filter((name) => !mayRead(scope, name));
    return failures()
      .list(after)
      .flatMap(({ time, of, text, times }): readonly TimedLine[] => {
        const isNoun = nouns.find(of) !== undefined;
        if (!mayRead(scope, isNoun ? of : "*")) return [];
        const words = text.toLowerCase().split(/[^a-z0-9._~-]+/);
        const names = hidden.some((name) => words.some((word) => word === name || word.startsWith(`${name}.`)));
        const place = JSON.stringify({ [isNoun ? "noun" : "of"]: of, failure: names ? null : text });
        return [[time, place.slice(1, -1) + (times > 1 ? `,"times":${times}` : "")]];
      });
  }

  tokensRefused(count: number, from: string): void {
    this.ring.refused(count, from);
  }

  /** @returns the changes for the next process, as `resume` takes them. */
  leave(): string {
    return this.ring.leave();
  }

  /** Takes over what the process before has left; untrusted. @throws SyntaxError or TypeError for what it cannot be. */
  resume(left: string): void {
    this.ring.resume(left);
  }

  /** The end of the list. */
  get last(): ChangePlace {
    return { change: this.ring.count, failure: this.context.failures().last };
  }

  /** @param changed is called after each change and failure. @returns a function that ends this. */
  listen(changed: () => void): () => void {
    const { listeners, ring } = this;
    const stop = this.context.failures().listen(changed);
    listeners.add(changed);
    ring.tell(() => {
      for (const listener of listeners) listener();
    });
    return () => {
      stop();
      listeners.delete(changed);
      if (listeners.size === 0) ring.tell(undefined);
    };
  }

  /**
   * An operation has made the first state that is known of a noun.
   * @returns whether it is a change: a guard sends a noun to its default first of all, where it usually is.
   */
  private begin(noun: RegisteredNoun, by: Writer): boolean {
    if (typeof by === "string" && by.startsWith("guard ")) return false;
    this.follow(noun);
    return true;
  }

  private follow(noun: RegisteredNoun): void {
    const cause = traitsOf(noun.original)[byItself];
    if (cause === undefined || cause === "nothing" || this.followed.has(noun.name)) return;
    const feed = this.context.feeds().of(noun.name);
    const followed = new FollowedNoun(this.note, noun, feed, cause);
    this.followed.set(noun.name, followed);
    feed.follow(followed);
  }
}

/**
 * @param changes returns the list as it is at a request.
 * @returns the list as a document. A token sees the changes of the nouns that it may read.
 */
export function changeLines(changes: () => Changes | undefined): DocumentContent {
  function* write({ scope }: DocumentReader): Generator<string, undefined> {
    for (const line of changes()?.lines(scope) ?? []) yield `${line}\n`;
  }
  return { type: "application/x-ndjson", isCacheable: false, readsStates: false, write };
}

export function openChanges(
  host: Host,
  options: Pick<ChangesContext, "failures" | "isFollowing" | "log" | "most">,
): Changes {
  return new Changes({ clock: host.clock, nouns: host.nouns, feeds: () => openFeeds(host), ...options });
}
