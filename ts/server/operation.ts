/** An operation on a noun that does not end at once: it waits for its turn, for the noun, or for both. */
import type { TimerId } from "../native/loop.ts";
import type { State } from "../noun/state.ts";
import type { Answer } from "./answer.ts";
import type { NounQueue } from "./noun-queue.ts";
import type { NounRoute } from "./noun-route.ts";

/** Who waits for an answer. */
export interface Asker {
  /** The answer of an operation is at hand. Called from the loop. */
  onAnswer(): void;
}

/** An answer that is still to come. */
export interface PendingAnswer {
  /** What an answer has, and this has not. */
  readonly status?: undefined;
  /** Undefined until it has come. */
  readonly answer: Answer | undefined;
  /** The client is gone: what has not begun is not begun any more. */
  abandon(): void;
}

/** One request at its noun. */
export class Operation implements PendingAnswer {
  declare readonly status?: undefined;
  readonly route: NounRoute;
  readonly state: State;
  /** Undefined until the operation has ended. */
  answer: Answer | undefined;
  /** What the noun returned, as long as somebody can still settle it. */
  promise: WeakRef<Promise<unknown>> | undefined;
  /** Ends the wait for an answer. */
  timer: TimerId = 0;
  private asker: Asker | undefined;
  private readonly queue: NounQueue;

  /** @param asker is told when there is an answer. */
  constructor(queue: NounQueue, route: NounRoute, state: State, asker: Asker) {
    this.queue = queue;
    this.route = route;
    this.state = state;
    this.asker = asker;
  }

  /** Its turn has come. @returns the answer, or this operation, which is under way. */
  begin(): Answer | Operation {
    // Somebody asks, as an operation that is given up leaves the queue.
    return this.route.perform(this.state, this.asker as Asker, this);
  }

  /** Whether somebody still waits for the answer. */
  get isWanted(): boolean {
    return this.asker !== undefined && this.answer === undefined;
  }

  /** Takes the answer; only the first one counts. */
  end(answer: Answer): void {
    if (!this.isWanted) return;
    this.answer = answer;
    this.asker?.onAnswer();
  }

  /** The client is gone: the operation is not begun any more, and one that has begun ends without an answer. */
  abandon(): void {
    this.asker = undefined;
    this.queue.remove(this);
  }
}
