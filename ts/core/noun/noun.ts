/** The noun contract: the four operations a server routes a request's verb to. */
import type { When } from "./condition.ts";
import type { HomeAssistantOptions } from "./home-assistant.ts";
import type { Shape } from "./shape.ts";
import type { State } from "./state.ts";

/**
 * A value, or a promise of it if the operation takes time.
 *
 * @example
 * function read(): Awaitable<State> {
 *   return sleep(10).then(() => ({ celsius: 21.5 }));
 * }
 */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` at once if `value` is no promise, so that a noun that answers at once delays nobody. */
export function after<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Something with a state. The server runs the operations on one noun one after the other, in the order of the requests,
 * and checks a client's state against `shape` before it reaches the noun.
 *
 * An operation refuses a state by throwing a `StateError` (422); anything else it throws is a failure (500).
 *
 * @example
 * class Counter implements Noun {
 *   private count = 0;
 *   getState(): State {
 *     return { count: this.count };
 *   }
 *   setState(state: State): State {
 *     this.count = Number(state["count"]);
 *     return this.getState();
 *   }
 *   updateState(): State {
 *     return this.setState({ count: this.count + 1 });
 *   }
 *   deleteState(): State {
 *     return this.setState({ count: 0 });
 *   }
 * }
 * server.register("counter", new Counter());
 */
export interface Noun {
  /** A few words: the noun's name for people. */
  readonly title?: string;
  /** A sentence or two for people and machine-readable descriptions. */
  readonly description?: string;
  /** The nouns of one group are together on the page, under this title. */
  readonly group?: string;
  /** The page shows nouns with a smaller number first; 0 if left out. Equal ones are as they were registered. */
  readonly order?: number;
  /** The name of the page's picture, where its words lead to another one. */
  readonly icon?: string;
  /** Whether the page asks before it sends a change, because that opens a house. */
  readonly ask?: boolean;
  /** A verb for people: what POST with an empty object does. The page has a button with it. */
  readonly action?: string;
  /** Options for Home Assistant about the noun's first key, or which whole thing it is; false to leave it out. */
  readonly homeAssistant?: HomeAssistantOptions;
  /**
   * Conditions on other nouns, by noun and key. While one of them does not hold, or cannot be read, the noun is at its
   * default: a PUT or a POST of another state gets 409.
   */
  readonly guard?: When;
  /** ms for which these conditions must have held before the noun leaves its default; 0 if left out. */
  readonly settle?: number;
  /** The state that a PUT must contain, complete. Without a shape, the noun gets any flat object. */
  readonly shape?: Shape;
  /** False if PUT and POST get 405; true if left out. */
  readonly settable?: boolean;
  /** The state that a POST may contain. If left out: the keys of `shape`, all of them optional. */
  readonly updateShape?: Shape;
  /**
   * GET: the current state. Changes nothing. The server caches the answer for a frozen object (`Object.freeze`). So a
   * noun that returns the same frozen object while nothing changes costs a tenth.
   */
  getState(): Awaitable<State>;
  /** PUT: makes the state exactly this one. @returns the resulting state, equal to the one given. */
  setState(state: State): Awaitable<State>;
  /** POST: changes the state by the noun's own rule, a toggle for instance. @returns the resulting state. */
  updateState(change: State): Awaitable<State>;
  /** DELETE: returns to the default state. The noun stays registered. @returns the default state. */
  deleteState(): Awaitable<State>;
  /**
   * Begins to report changes. Called when the first client watches the noun. A noun without it is read every `poll` ms
   * while somebody watches.
   * @param changed says that the state may have changed. The server then reads it, in another turn of the loop, and
   *   tells the watchers if it differs. May be called at any time and any number of times.
   * @returns a function that ends it. The server calls it when the last client has gone.
   */
  watch?(changed: () => void): () => void;
  /** ms between two readings while somebody watches. By default 1000, and none for a noun with `watch`. */
  readonly poll?: number | undefined;
  /**
   * ms that an operation may take beyond the server's `nounTimeout`, because it waits for others: the sensors of one
   * bus, for instance. None if left out.
   */
  readonly extraTime?: number | undefined;
  /** Sets outputs to their final level and releases the hardware. Called once, when the program ends. */
  close?(): void;
}

/** ms between two readings of a noun that cannot report changes, while somebody watches it. */
export const usualPoll = 1_000;

/** ms of the shortest and of the longest `poll`. */
export const pollRange = { minimum: 10, maximum: 86_400_000 } as const;

const operations = ["getState", "setState", "updateState", "deleteState"] as const;

function isWithin(value: number, { minimum, maximum }: typeof pollRange): boolean {
  return value >= minimum && value <= maximum;
}

/**
 * Makes sure that an object implements the four operations.
 * @throws TypeError naming what is missing or wrong.
 */
export function assertNoun(value: unknown): asserts value is Noun {
  if (typeof value !== "object" || value === null) {
    throw new TypeError(`A noun is an object with ${operations.join(", ")}; this value is no object.`);
  }
  const missing = operations.filter((name) => typeof (value as Record<string, unknown>)[name] !== "function");
  if (missing.length > 0) {
    throw new TypeError(`A noun implements ${operations.join(", ")}; missing here: ${missing.join(", ")}.`);
  }
  const { watch, poll } = value as { readonly watch?: unknown; readonly poll?: unknown };
  if (watch !== undefined && typeof watch !== "function") {
    throw new TypeError("A noun's watch must be a function; its argument is the function to call at each change.");
  }
  if (poll !== undefined && !(Number.isSafeInteger(poll) && isWithin(Number(poll), pollRange))) {
    throw new TypeError(
      `A noun's poll must be a whole number of ms from ${pollRange.minimum} to ${pollRange.maximum}.`,
    );
  }
}
