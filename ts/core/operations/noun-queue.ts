/**
 * Runs the operations on one noun one after the other, in the order of the requests. A noun that answers at once delays
 * nobody. Only a promise delays the operations behind it.
 */
import type { Clock } from "../../native/loop.ts";
import type { State } from "../noun/state.ts";
import type { StateSize } from "../noun/state-size.ts";
import { type Answer, RefusalAnswer } from "./answer.ts";
import type { NounCall } from "./noun-call.ts";
import type { NounRoute, RegisteredNoun } from "./noun-route.ts";
import { type Asker, Operation } from "./operation.ts";
import type { WaitingClients } from "./waiting-clients.ts";
import type { Client, Writer } from "./writer.ts";

/** The dependencies of a queue. */
export interface QueueContext {
  readonly clock: Clock;
  readonly call: NounCall;
  /** The clients that wait, for this noun or another one. */
  readonly clients: WaitingClients;
  /** @returns the bytes of memory that states may take in addition to what they take now. */
  readonly roomForStates: () => number;
  /** Frees memory that is held for clients. @returns whether there is enough now. */
  readonly relieve: () => boolean;
  /**
   * Is told of each answer to an operation that may have changed its noun, unless it is the one of `NounQueue.made`;
   * undefined where nobody notes changes. It never throws. @param client of a `by` that is a request.
   */
  onResult?:
    | ((noun: RegisteredNoun, answer: Pick<Answer, "json">, by: Writer, client: Client | undefined) => void)
    | undefined;
  readonly limits: {
    /** ms an operation may take, the wait for its turn included. */
    readonly nounTimeout: number;
    /** Bytes of JSON that a state may have which a client sets. */
    readonly stateBytes: number;
  };
}

const retryAfter = "Retry-After: 1\r\n";
const scarce = new RefusalAnswer(503, "The server is short of memory; try again later.", retryAfter);
const queueFull = new RefusalAnswer(503, "Too many requests wait for nouns; try again later.", retryAfter);

/** The size of a state that does not count: one that no client has set, or one of a few bytes. */
export const notHeld: StateSize = { length: 0, memory: 0 };

const nobody: readonly Operation[] = [];

export class NounQueue {
  readonly context: QueueContext;
  /** Waiting operations in their order. Made for the first: few nouns ever have any. */
  declare private waiting: Set<Operation> | undefined;
  /** The operation that is under way. Others wait until it ends. */
  running: Operation | undefined = undefined;
  /** The size of the state that a client has set last. */
  declare held: StateSize;
  /** The last state that was noted: of an answer, or what the noun has made by itself. */
  declare lastNoted?: { readonly json: string } | undefined;

  static {
    NounQueue.prototype.waiting = undefined;
    NounQueue.prototype.held = notHeld;
  }

  constructor(context: QueueContext) {
    this.context = context;
  }

  /** @returns the operation, which waits for its turn; a refusal if too many wait or memory is scarce. */
  enqueue(route: NounRoute, state: State, asker: Asker, by?: Writer): Answer | Operation {
    const { clients, relieve } = this.context;
    if (!relieve()) return scarce;
    if (!clients.mayWait(asker, this.waiting?.size ?? 0)) return queueFull;
    this.waiting ??= new Set();
    const operation = new Operation(this, route, state, asker, by);
    this.waiting.add(operation);
    return operation;
  }

  /**
   * Goes on when the promise is settled, however late.
   * @param promise what the noun returned.
   * @param waited the operation, if it had to wait for its turn.
   * @returns the operation that is under way until that promise is settled.
   */
  occupy(
    route: NounRoute,
    state: State,
    asker: Asker,
    promise: Promise<unknown>,
    by: Writer | undefined,
    waited?: Operation,
  ): Answer | Operation {
    const { call } = this.context;
    let begun: Operation | undefined;
    try {
      begun = waited ?? new Operation(this, route, state, asker, by);
      const operation = begun;
      operation.promise = new WeakRef(promise);
      promise.then(
        (value) => call.exempt(NounQueue.conclude, this, operation, value, false),
        (error: unknown) => call.exempt(NounQueue.conclude, this, operation, error, true),
      );
      this.running = operation;
      return operation;
    } catch (error) {
      if (waited === undefined) begun?.abandon();
      return call.failAfter(route, error); // there is no memory for an operation that waits
    }
  }

  /** Removes an operation that has not begun. */
  remove(operation: Operation): void {
    if (this.waiting?.delete(operation)) operation.alarm.stop();
  }

  /** @param outcome the value that the promise was resolved with, or why it was rejected. */
  private static conclude(queue: NounQueue, operation: Operation, outcome: unknown, failed: boolean): void {
    const { call } = queue.context;
    const { route } = operation;
    try {
      let answer: Answer | undefined;
      // A result that nobody waits for is written anyway, because that counts the noun's state.
      if (!failed) {
        answer = call.finish(route, outcome);
        if (route.isNoted && operation.by !== undefined) {
          queue.context.onResult?.(route.registered, answer, operation.by, operation.socket);
        }
      } else if (operation.isWanted) answer = call.fail(route, outcome);
      operation.alarm.stop(); // Without memory for an answer, the time limit gives one.
      if (answer !== undefined) operation.end(answer);
    } finally {
      // An operation that was given up is no longer the current one.
      if (queue.running === operation) queue.advance();
    }
  }

  /** Gives the waiting operations their turns, until one returns a promise or none is left. */
  private advance(): void {
    this.running = undefined;
    for (const operation of this.waiting ?? nobody) {
      this.waiting?.delete(operation);
      try {
        const result = operation.begin();
        if (result.status === undefined) return;
        operation.alarm.stop();
        operation.end(result);
      } catch (error) {
        // The failed connection has been closed; the others still have their turns.
        this.advance();
        throw error;
      }
    }
  }

  /** Called by the alarm of an operation. */
  expire(operation: Operation): void {
    const hasBegun = this.running === operation;
    this.waiting?.delete(operation);
    try {
      operation.end(this.context.call.expire(operation.route));
    } finally {
      // One that still waits will never run. One that runs keeps the noun busy until it ends, however late; unless it
      // cannot end any more, as nobody is left who could settle its promise. That is what an interruption leaves
      // behind.
      if (hasBegun && operation.promise?.deref() === undefined) this.advance();
    }
  }
}
