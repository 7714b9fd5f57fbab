/**
 * Checks the size of a noun's new state and counts it. Without bounds, states could take the memory that
 * every answer needs, until somebody resets the nouns. A state that the noun itself refuses counts until it has another
 * one.
 */
import { HttpError } from "../http/http-error.ts";
import { utf8Length } from "../http/utf8.ts";
import { changedUnread } from "../noun/failure.ts";
import { type Awaitable, after } from "../noun/noun.ts";
import { merge, type NounFace } from "../noun/noun-face.ts";
import type { State } from "../noun/state.ts";
import { type StateSize, smallState, smallText, stateSize } from "../noun/state-size.ts";
import { writeState } from "../noun/state-writer.ts";
import { type NounQueue, notHeld } from "./noun-queue.ts";

/** A noun that a client may give a large state. */
export class LimitedNoun {
  private readonly noun: NounFace;
  private readonly queue: NounQueue;

  constructor(noun: NounFace, queue: NounQueue) {
    this.noun = noun;
    this.queue = queue;
  }

  /** @throws HttpError 413 when the state is too large. */
  setState(state: State): unknown {
    const noun = this.noun;
    const queue = this.queue;
    const context = queue.context;
    // A noun without a writer of its own may return the state that it is given.
    const answer = noun.writeState === undefined ? context.call.answers.prepare(state) : undefined;
    const text = answer === undefined ? writeState(state) : answer.json;
    let size = notHeld;
    if (text.length > smallText || 3 * text.length > context.limits.stateBytes) {
      size = stateSize(state, text, answer?.length ?? utf8Length(text));
      this.judge(size);
    }
    if (size.memory < queue.held.memory) return this.shrink(noun.setState(state), size);
    queue.held = size;
    return noun.setState(state);
  }

  /** @throws as `setState`. A noun with a rule of its own is judged as if the whole change were added to its state. */
  updateState(change: State): unknown {
    const { noun, queue } = this;
    if (noun[merge] !== undefined) return after(noun[merge](change), (state) => this.setState(state));
    if (Object.keys(change).length > 0) {
      const text = writeState(change);
      const { length, memory } = stateSize(change, text, utf8Length(text));
      // The pairs of both are in one object: a comma is where two braces were.
      this.judge({ length: Math.max(length, queue.held.length + length - 1), memory: queue.held.memory + memory });
    }
    return noun.updateState(change);
  }

  deleteState(): unknown {
    return this.shrink(this.noun.deleteState(), notHeld);
  }

  /** @returns the writer of an update's result. If a rule of the noun's own has made that, the writer counts it. */
  countingWriter(write: (result: unknown) => string): (result: unknown) => string {
    if (this.noun[merge] !== undefined) return write;
    return (result) => {
      const text = write(result);
      this.queue.held = stateSize(result as State, text, utf8Length(text));
      return text;
    };
  }

  /** Counts a smaller state once the noun has it: one that refuses it still has its own. @returns the result. */
  private shrink(result: Awaitable<State>, size: StateSize): Awaitable<State> {
    const { queue } = this;
    if (!(result instanceof Promise)) {
      queue.held = size; // which needs no memory: the noun has changed
      return result;
    }
    try {
      return result.then((state) => {
        queue.held = size;
        return state;
      });
    } catch {
      throw changedUnread; // there is no memory to follow it
    }
  }

  /** @param size of what the noun is about to have. @throws HttpError 413 when it is too large. */
  private judge({ length, memory }: StateSize): void {
    const { held, context } = this.queue;
    const { stateBytes } = context.limits;
    if (length > stateBytes) {
      throw HttpError.keeping(413, `The state would have more than ${stateBytes} bytes as JSON.`);
    }
    if (memory <= smallState || memory <= held.memory || memory - held.memory <= context.roomForStates()) return;
    throw HttpError.keeping(413, "The states of all nouns would take more memory than they may; reset some of them.");
  }
}
