/**
 * One noun's operations, one after the other in the order they came. A noun that answers at once makes nobody wait; only a
 * promise holds up the operations behind it.
 */
import type { Clock, TimerId } from "../native/loop.ts";
import type { Awaitable } from "../noun/noun.ts";

/** One operation on a noun. Exactly one of `succeed`, `fail` and `expire` is called, once. None of them throws. */
export interface Operation {
  /** Runs the operation on the noun. Not called when the operation expired before its turn. */
  run(): Awaitable<unknown>;
  /** Takes what the noun returned, before the noun's next operation begins. */
  succeed(result: unknown): void;
  /** Takes what the noun threw. */
  fail(error: unknown): void;
  /** The noun did not answer in time. */
  expire(): void;
}

/** An operation that does not end at once, and the timer that ends the wait for it. */
interface Pending {
  readonly operation: Operation;
  readonly timer: TimerId;
  expired: boolean;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** See the module's description. */
export class NounQueue {
  private readonly clock: Clock;
  private readonly operationTime: number;
  private readonly waiting: Pending[] = [];
  private busy = false;

  /** @param operationTime ms an operation may take, the wait for its turn included. */
  constructor(clock: Clock, operationTime: number) {
    this.clock = clock;
    this.operationTime = operationTime;
  }

  /** Runs an operation when its turn comes, which is now unless an earlier one is under way. */
  enqueue(operation: Operation): void {
    if (this.busy) {
      this.waiting.push(this.watch(operation));
      return;
    }
    this.busy = true;
    if (this.start(operation, undefined)) this.advance();
  }

  /** Whether an operation is under way, so that another would have to wait. */
  get occupied(): boolean {
    return this.busy;
  }

  /** Takes the result of an operation that was run by others while nothing was under way. */
  take(operation: Operation, result: unknown): void {
    this.busy = true;
    if (this.finish(operation, result, undefined)) this.advance();
  }

  /** Gives the waiting operations their turns, until one takes its time or none is left. */
  private advance(): void {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      if (!this.start(next.operation, next)) return;
    }
    this.busy = false;
  }

  /** @returns whether the operation has ended already. */
  private start(operation: Operation, waited: Pending | undefined): boolean {
    let result: unknown;
    try {
      result = operation.run();
    } catch (error) {
      return this.failAtOnce(operation, error, waited);
    }
    return this.finish(operation, result, waited);
  }

  /** Takes what an operation returned. @returns whether it has ended with that. */
  private finish(operation: Operation, result: unknown, waited: Pending | undefined): boolean {
    let promise: Promise<unknown> | undefined;
    try {
      // Promise.resolve, because a thenable of a noun's own making might settle twice or at once. Asking for its `then` is
      // within the try, because that may throw like all the rest of the noun.
      if (isPromise(result)) promise = Promise.resolve(result);
    } catch (error) {
      return this.failAtOnce(operation, error, waited);
    }
    if (promise === undefined) {
      if (waited !== undefined) this.clock.clearTimer(waited.timer);
      operation.succeed(result);
      return true;
    }
    const pending = waited ?? this.watch(operation);
    promise.then(
      (value) => this.end(pending, () => operation.succeed(value)),
      (error: unknown) => this.end(pending, () => operation.fail(error)),
    );
    return false;
  }

  private failAtOnce(operation: Operation, error: unknown, waited: Pending | undefined): true {
    if (waited !== undefined) this.clock.clearTimer(waited.timer);
    operation.fail(error);
    return true;
  }

  private end(pending: Pending, settle: () => void): void {
    this.clock.clearTimer(pending.timer);
    if (!pending.expired) settle();
    this.advance();
  }

  private watch(operation: Operation): Pending {
    const pending: Pending = {
      operation,
      expired: false,
      timer: this.clock.setTimer(() => {
        pending.expired = true;
        // One that still waits will never run. One that runs keeps the noun busy until it ends, however late.
        const position = this.waiting.indexOf(pending);
        if (position >= 0) this.waiting.splice(position, 1);
        operation.expire();
      }, this.operationTime),
    };
    return pending;
  }
}
