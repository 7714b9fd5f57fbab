/**
 * A ring of changes, with a bound in number and in bytes. To add one takes the same short time, however many come, and
 * no memory once the ring is full: its words are made when somebody reads them.
 */

import { mayRead, type Scope } from "../../core/access/admission.ts";
import { addressOf } from "../../core/access/client-address.ts";
import { utf8Length } from "../../core/http/utf8.ts";
import { parseNounName } from "../../core/noun/name.ts";
import type { Answer } from "../../core/operations/answer.ts";
import type { Client, ClientRequest, Writer } from "../../core/operations/writer.ts";
import type { Clock } from "../../native/loop.ts";

/** Bytes that the states of all changes may have together. Names and causes are the texts that others have anyway. */
export const mostBytes = 16_384;

/** Bytes of the longest state that is noted. Of a longer one, it is noted that it has changed. */
export const longestState = 1_024;

/** Characters of a short state. As long as all states are short, they need no count: a ring has at most 64 places. */
const shortState = 48;

/** Bytes that a short state may take: a text with a character beyond Latin-1 takes two for each. */
const shortBytes = 2 * shortState;

/** ms that may lie between two readings of the clocks while other programs have the processor. */
const readingGap = 100;

/** The noun of a change. */
export interface ChangedNoun {
  readonly name: string;
  readonly queue: { lastNoted?: { readonly json: string } | undefined };
}

/** What the ring uses. */
export interface RingContext {
  /** The largest number of changes, at most 64. */
  readonly most: number;
  readonly clock: Pick<Clock, "now" | "turnTime">;
  /** Called if nothing is known of a noun. @returns whether what it has been made is a change. */
  readonly begin: (noun: ChangedNoun, by: Writer) => boolean;
}

interface Change {
  /** On the clock of the loop, in ms: the clock on the wall may be set later. */
  time: number;
  /** "" for refused tokens, whose count is in `json`. */
  noun: string;
  json: string;
  /** The name of a client's token; "" for a client without one. Who it was, in words, without a client. */
  by: string;
  client: Client | undefined;
  /** Bytes of a long state, otherwise 0. */
  bytes: number;
}

/** @returns who has made a change, in words. */
function wordsOf({ by, client }: Change): string {
  if (client === undefined) return by;
  return by === "" ? `client ${addressOf(client.peer)}` : `token ${by}`;
}

/**
 * @param words who has made a change: `rule frost`, `guard pump`, `token panel`, `client 192.0.2.7`, or one word.
 * @param scope of the reader. @returns them without a name that the reader may not know: `rule`, `guard`, `token`.
 */
function wordsFor(words: string, scope: Scope | undefined): string {
  const [kind = "", name] = words.split(" ", 2);
  if (name === undefined || (kind === "token" && name === scope?.name)) return words;
  const isNoun = kind === "rule" || kind === "guard";
  return mayRead(scope, isNoun ? name.toLowerCase() : "*") ? words : kind;
}

/** A line of the list without its time, which is on the clock of the loop, in ms. */
export type TimedLine = readonly [time: number, rest: string];

export class ChangeRing {
  /** How many were added. */
  count = 0;
  private readonly context: RingContext;
  private readonly most: number;
  private readonly now: Clock["now"];
  /** By their numbers modulo `most`. A place is used again. */
  private readonly places: Change[] = [];
  /** The number of the first one that was not dropped for the bytes of a later one. */
  private kept = 0;
  /** The number of long states, and their bytes. */
  private long = 0;
  private bytes = 0;
  /** Called after each change; undefined while nobody wants to know. */
  private onChange: (() => void) | undefined;
  /** Characters of a state that is added without more ado: it needs no count, and nobody wants to know. */
  private plain = shortState;
  /** From the clock of the loop to the one on the wall, in ms. */
  private offset = 0;

  constructor(context: RingContext) {
    this.context = context;
    this.most = context.most;
    this.now = context.clock.now;
  }

  /**
   * Adds a change, if an answer has another state than the one before. This is all that a request pays for the list.
   * @param answer that of an operation which may have changed the noun. @param client of a `by` that is a request.
   */
  readonly onResult = (
    noun: ChangedNoun,
    answer: Pick<Answer, "json">,
    by: Writer,
    client: Client | undefined,
  ): void => {
    const queue = noun.queue;
    const json = answer.json;
    if (json === undefined) return; // a refusal
    try {
      if (queue.lastNoted === undefined ? this.context.begin(noun, by) : queue.lastNoted.json !== json) {
        const place = this.places[this.count % this.most] ?? this.newPlace();
        this.count += 1;
        place.time = this.now();
        place.noun = noun.name;
        place.by = client === undefined ? (by as string) : (by as ClientRequest).admission.token;
        place.client = client;
        place.json = json;
        if (json.length > this.plain) this.settle(place);
      }
      queue.lastNoted = answer as { readonly json: string };
    } catch {
      // There is no memory for the note, and the client waits for the answer.
    }
  };

  /** Adds a note that clients have sent wrong tokens: a change of no noun. @param from where they came from. */
  refused(count: number, from: string): void {
    this.onResult({ name: "", queue: { lastNoted: { json: "" } } }, { json: `${count}` }, from, undefined);
  }

  /**
   * @param wall this moment, in ms since 1970.
   * @param scope of the reader; undefined if the server requires no tokens.
   * @param after the number of a change: only later ones.
   * @param others lines of the same list, as `timed` has them.
   * @returns the changes of readable nouns and the others as lines of JSON, oldest first.
   */
  lines(wall: number, scope: Scope | undefined, after = 0, others: readonly TimedLine[] = []): readonly string[] {
    // The clocks are not read at one moment: a change keeps its time unless the one on the wall was set.
    const offset = Math.round(wall - this.now() - this.context.clock.turnTime());
    if (Math.abs(offset - this.offset) > readingGap) this.offset = offset;
    const changes = this.held(after)
      .filter(({ noun }) => mayRead(scope, noun === "" ? "*" : noun))
      .map((change): TimedLine => {
        const { time, noun, json } = change;
        if (noun === "") return [time, `"refusedTokens":${json},"from":${JSON.stringify(change.by)}`];
        return [time, `"noun":"${noun}","state":${json},"by":${JSON.stringify(wordsFor(wordsOf(change), scope))}`];
      });
    const all = others.length === 0 ? changes : [...changes, ...others].sort(([one], [other]) => one - other);
    return all.map(([time, rest]) => `{"time":"${new Date(time + this.offset).toISOString()}",${rest}}`);
  }

  /** @returns all changes, as `resume` takes them. */
  leave(): string {
    return JSON.stringify(this.held(0).map((change) => [change.time, change.noun, change.json, wordsOf(change)]));
  }

  /** @param left by another process. @throws SyntaxError or TypeError for other texts. */
  resume(left: string): void {
    for (const [time, noun, json, by] of JSON.parse(left) as readonly (readonly unknown[])[]) {
      // As this program writes it: a name, a flat state, a few words.
      const state = { json: JSON.stringify(JSON.parse(String(json))) };
      const unlike = { lastNoted: { json: "" } };
      const name = noun === "" ? "" : parseNounName(String(noun));
      this.onResult({ name, queue: unlike }, state, String(by).slice(0, 128), undefined);
      const place = this.places[(this.count - 1) % this.most] as Change;
      // No change is later than this moment.
      place.time = Math.min(Number(time), place.time);
    }
  }

  /** @returns the changes after the one of this number, oldest first. */
  private held(after: number): readonly Change[] {
    const { count, most, places } = this;
    const first = Math.max(after, this.first);
    return Array.from({ length: Math.max(count - first, 0) }, (_, index) => places[(first + index) % most] as Change);
  }

  /** The number of the oldest one that is held. */
  private get first(): number {
    return Math.max(this.kept, this.count - this.most);
  }

  private newPlace(): Change {
    const place = { time: 0, noun: "", json: "", by: "", client: undefined, bytes: 0 };
    this.places.push(place);
    return place;
  }

  /** @param onChange is called after each change from now on; undefined if nobody wants to know. */
  tell(onChange: (() => void) | undefined): void {
    this.onChange = onChange;
    this.setPlain();
  }

  private setPlain(): void {
    this.plain = this.long === 0 && this.onChange === undefined ? shortState : -1;
  }

  /**
   * Counts the state of a place, which had another one before, and drops the oldest changes while all take too much.
   * Then it tells who wants to know.
   */
  private settle(place: Change): void {
    const { json } = place;
    this.setBytes(place, 0);
    if (json.length > shortState) {
      const length = utf8Length(json);
      if (length > longestState) place.json = "null";
      else this.setBytes(place, length === json.length ? length : 2 * json.length);
    }
    while (this.bytes + (this.count - this.first - this.long) * shortBytes > mostBytes) {
      const oldest = this.places[this.first % this.most] as Change;
      this.setBytes(oldest, 0);
      oldest.json = ""; // its place may stay free for a while
      this.kept = this.first + 1;
    }
    this.setPlain();
    this.onChange?.();
  }

  /** @param bytes of its state, if that is long, otherwise 0. */
  private setBytes(place: Change, bytes: number): void {
    this.bytes += bytes - place.bytes;
    this.long += Math.sign(bytes) - Math.sign(place.bytes);
    place.bytes = bytes;
  }
}
