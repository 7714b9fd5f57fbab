/** Nouns that take their time, and the journal of when they began and ended. */
import { setTimer } from "nound:loop";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimer(resolve, milliseconds));
}

const entries: string[] = [];

/** What the journaled nouns did, in the order in which it happened. DELETE empties it. */
export const journal: Noun = {
  getState: () => ({ entries: entries.join(", ") }),
  setState: (state) => state,
  updateState: (change) => change,
  deleteState: () => {
    entries.length = 0;
    return { entries: "" };
  },
};

/** Takes 50 ms for each answer, as something on a bus may. */
export const asleepNoun: Noun = {
  getState: async () => {
    await pause(50);
    return { awake: true };
  },
  setState: (state) => state,
  updateState: (change) => change,
  deleteState: () => ({}),
};

let openGate: () => void = () => undefined;
let gate = new Promise<void>((resolve) => {
  openGate = resolve;
});

/** POST lets everything finish that waits at the gate. */
export const gateNoun: Noun = {
  getState: () => ({}),
  setState: (state) => state,
  updateState: (change) => {
    openGate();
    gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    return change;
  },
  deleteState: () => ({}),
};

/**
 * Takes `{ "mark": text, "delay": ms }` and answers after that delay: at once for 0, and for "gate" when the gate is
 * opened. Writes `+mark` to the journal when an operation begins and `-mark` when it ends.
 */
export class JournaledNoun implements Noun {
  #state: State = { mark: "", delay: 0 };

  getState(): State {
    return this.#state;
  }

  setState(state: State): State | Promise<State> {
    return this.#take(state);
  }

  updateState(change: State): State | Promise<State> {
    return this.#take(change);
  }

  deleteState(): Promise<State> {
    return this.#wait({ mark: "deleted", delay: 1 });
  }

  #take(state: State): State | Promise<State> {
    const { mark, delay } = state;
    if (delay !== 0) {
      return this.#wait(state);
    }
    entries.push(`+${mark}`, `-${mark}`);
    this.#state = state;
    return state;
  }

  async #wait(state: State): Promise<State> {
    const { mark, delay } = state;
    entries.push(`+${mark}`);
    await (delay === "gate" ? gate : pause(Number(delay)));
    entries.push(`-${mark}`);
    this.#state = state;
    return state;
  }
}

/** Never answers. */
export const neverNoun: Noun = {
  getState: () => new Promise<State>(() => undefined),
  setState: () => new Promise<State>(() => undefined),
  updateState: () => new Promise<State>(() => undefined),
  deleteState: () => new Promise<State>(() => undefined),
};

let lateTime = 0;

/** Fails long after everybody stopped waiting: as many milliseconds after it was asked as POST said in `after`. */
export const lateNoun: Noun = {
  getState: () => pause(lateTime).then(() => Promise.reject(new Error("too late"))),
  setState: (state) => pause(lateTime).then(() => state),
  updateState: (change) => {
    lateTime = Number(change["after"]);
    return change;
  },
  deleteState: () => ({}),
};

/** ms that an operation of `laboriousNoun` has the processor. */
const labour = 17;

/** When each of its operations ended, in ms of Date.now(). */
const labours: number[] = [];

/** GET keeps the processor for 17 ms. */
export const laboriousNoun: Noun = {
  getState: () => {
    const end = Date.now() + labour;
    while (Date.now() < end);
    if (labours.push(Date.now()) > 1_000) labours.shift();
    return { labour };
  },
  setState: (state) => state,
  updateState: (change) => change,
  deleteState: () => ({}),
};

/**
 * POST `{ "since": ms of Date.now() }` tells at once how many operations of `laboriousNoun` have ended after that
 * moment.
 */
export const witnessNoun: Noun = {
  getState: () => ({}),
  setState: (state) => state,
  updateState: ({ since }) => ({ ended: labours.filter((end) => end > Number(since)).length }),
  deleteState: () => ({}),
};
