/** An operation on a noun that does not end at once: it waits for its turn, for the noun, or for both. */
import type { State } from "../noun/state.ts";
import { Alarm } from "../time/alarm.ts";
import type { Answer } from "./answer.ts";
import type { NounQueue } from "./noun-queue.ts";
import type { NounRoute } from "./noun-route.ts";
import type { Client, Writer } from "./writer.ts";

export interface Asker {
  /** Set where no client waits, so that no connection keeps its place for the operation. */
  readonly hasNoPlace?: true;
  /** Of a client. */
  readonly socket?: Client;
  /** Called from the loop when the answer of an operation is ready. @param answer that of an operation on a noun. */
  onAnswer(answer?: Answer): void;
}

/** An answer that is not ready yet. */
export interface PendingAnswer {
  /** An answer has this property; this object does not. */
  readonly status?: undefined;
  /** Undefined until the answer is ready. */
  readonly answer: Answer | undefined;
  /** Called when the client is gone. An operation that has not begun will not begin. */
  abandon(): void;
}

export class Operation implements PendingAnswer {
  declare readonly status?: undefined;
  readonly route: NounRoute;
  readonly state: State;
  /** Undefined until the operation has ended. */
  answer: Answer | undefined;
  /** The promise that the noun returned, as long as it can still be settled. */
  promise: WeakRef<Promise<unknown>> | undefined;
  /** Ends the wait for an answer. */
  readonly alarm: Alarm;
  /** Undefined once it has the answer, or is gone. */
  private asker: Asker | undefined;
  private readonly queue: NounQueue;
  /** Who performs it, and over which socket, as the client may be gone when the noun answers. */
  readonly by: Writer | undefined;
  readonly socket: Client | undefined;

  /**
   * Its time begins.
   * @param asker is called when the answer is ready.
   * @param by who asks; undefined if nobody wants to know.
   * @throws Error without memory for a timer.
   */
  constructor(queue: NounQueue, route: NounRoute, state: State, asker: Asker, by: Writer | undefined) {
    this.queue = queue;
    this.by = by;
    this.socket = asker.socket;
    this.route = route;
    this.state = state;
    const { clock, limits, clients } = queue.context;
    this.alarm = new Alarm(clock, () => queue.expire(this));
    this.alarm.set(clock.now() + limits.nounTimeout + (route.registered.extraTime ?? 0));
    clients.add(asker);
    this.asker = asker;
  }

  /** Begins, because its turn has come. @returns the answer, or this operation, which is under way. */
  begin(): Answer | Operation {
    // There is an asker, because an abandoned operation leaves the queue.
    return this.route.perform(this.state, this.asker as Asker, this.by, this);
  }

  /** Whether a client still waits for the answer. */
  get isWanted(): boolean {
    return this.asker !== undefined;
  }

  /** Stores the answer. Only the first one counts. */
  end(answer: Answer): void {
    const { asker } = this;
    if (asker === undefined) return;
    this.answer = answer;
    try {
      // The client still waits: the next request of its connection may take its turn behind this one.
      asker.onAnswer(answer);
    } finally {
      this.leave();
    }
  }

  /** Called when the client is gone. The operation does not begin; if it has begun, it ends without an answer. */
  abandon(): void {
    this.leave();
    this.queue.remove(this);
  }

  /** Nobody waits for the answer any more. */
  private leave(): void {
    if (this.asker !== undefined) this.queue.context.clients.remove(this.asker);
    this.asker = undefined;
  }
}
