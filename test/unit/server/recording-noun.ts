/** Nouns for the tests of the server: one that answers at once, one that answers when the test says so. */
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";

/** Holds a state and writes down what was asked of it. An update merges. */
export class RecordingNoun implements Noun {
  /** The operations that ran, in order: `GET`, `PUT {"led":1}`. */
  readonly calls: string[] = [];
  private readonly defaultState: State;
  private state: State;

  constructor(defaultState: State = {}) {
    this.defaultState = defaultState;
    this.state = defaultState;
  }

  getState(): State {
    this.calls.push("GET");
    return this.state;
  }

  setState(state: State): State {
    this.calls.push(`PUT ${JSON.stringify(state)}`);
    this.state = state;
    return this.state;
  }

  updateState(change: State): State {
    this.calls.push(`POST ${JSON.stringify(change)}`);
    this.state = { ...this.state, ...change };
    return this.state;
  }

  deleteState(): State {
    this.calls.push("DELETE");
    this.state = this.defaultState;
    return this.state;
  }
}

/** An operation under way. */
export interface Underway {
  readonly verb: string;
  answer(state: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** Runs everything that waits for resolved promises. */
export function promisesKept(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Answers each operation by a promise that the test keeps or breaks. */
export class DeferredNoun implements Noun {
  /** Every operation that was begun, in order. */
  readonly begun: Underway[] = [];

  /** The verbs of the operations that were begun. */
  get verbs(): readonly string[] {
    return this.begun.map(({ verb }) => verb);
  }

  /** Answers the operation that was begun as number `index`, from 0. */
  async answer(index: number, state: unknown): Promise<void> {
    const operation = this.begun[index];
    if (operation === undefined) throw new Error(`operation ${index} has not begun`);
    await operation.answer(state);
  }

  getState(): Promise<State> {
    return this.begin("GET");
  }

  setState(state: State): Promise<State> {
    return this.begin(`PUT ${JSON.stringify(state)}`);
  }

  updateState(change: State): Promise<State> {
    return this.begin(`POST ${JSON.stringify(change)}`);
  }

  deleteState(): Promise<State> {
    return this.begin("DELETE");
  }

  private begin(verb: string): Promise<State> {
    return new Promise((resolve, reject) => {
      this.begun.push({
        verb,
        answer: (state) => {
          resolve(state as State);
          return promisesKept();
        },
        fail: (error) => {
          reject(error);
          return promisesKept();
        },
      });
    });
  }
}
