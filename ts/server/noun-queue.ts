/**
 * One noun's operations, one after the other in the order they came. A noun that answers at once makes nobody wait; only a
 * promise holds up the operations behind it.
 */
import type { Guard } from "../native/guard.ts";
import type { Clock, TimerId } from "../native/loop.ts";

/**
 * One operation on a noun. Exactly one of `succeed`, `fail` and `expire` is called, once. What they throw, for want of memory, is
 * passed on once the next operation has had its turn.
 */
export interface Operation {
  /**
   * Runs the operation on the noun, by `guard.invoke`. Not called when the operation expired before its turn.
   * @returns a promise, or what `succeed` takes.
   */
  run(guard: Guard): unknown;
  /** Takes what `run` returned, or its promise was kept with, before the noun's next operation begins. */
  succeed(result: unknown, guard: Guard): void;
  /** Takes what the noun threw. */
  fail(error: unknown, guard: Guard): void;
  /** The noun did not answer in time. @param error its interruption, where it used the processor without end. */
  expire(error?: unknown): void;
}

/** An operation that does not end at once, and the timer that ends the wait for it. */
interface Pending {
  readonly operation: Operation;
  readonly timer: TimerId;
  expired: boolean;
  /** What the noun returned, as long as somebody can still settle it. */
  promise: WeakRef<Promise<unknown>> | undefined;
}

/** What a queue takes its time from, and calls nouns through. */
export interface QueuePlatform {
  readonly clock: Clock;
  readonly guard: Guard;
}

/** @returns whether a value is a promise or poses as one. What a noun made may throw or never return when it is asked. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** See the module's description. */
export class NounQueue {
  private readonly clock: Clock;
  private readonly guard: Guard;
  private readonly nounTimeout: number;
  private readonly waiting: Pending[] = [];
  private busy = false;

  /** @param nounTimeout ms an operation may take, the wait for its turn included. */
  constructor({ clock, guard }: QueuePlatform, nounTimeout: number) {
    this.clock = clock;
    this.guard = guard;
    this.nounTimeout = nounTimeout;
  }

  /** Runs an operation when its turn comes, which is now unless an earlier one is under way. */
  enqueue(operation: Operation): void {
    if (this.busy) {
      this.waiting.push(this.watch(operation));
      return;
    }
    this.busy = true;
    let ended = true;
    try {
      ended = this.start(operation, undefined);
    } finally {
      if (ended) this.advance();
    }
  }

  /** Whether an operation is under way, so that another would have to wait. */
  get occupied(): boolean {
    return this.busy;
  }

  /** Gives the waiting operations their turns, until one takes its time or none is left. */
  private advance(): void {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      let ended = true;
      try {
        ended = this.start(next.operation, next);
      } catch (error) {
        // Whoever it befell has been closed; the others still have their turns.
        this.advance();
        throw error;
      }
      if (!ended) return;
    }
    this.busy = false;
  }

  /** @returns whether the operation has ended already. */
  private start(operation: Operation, waited: Pending | undefined): boolean {
    let result: unknown;
    try {
      result = operation.run(this.guard);
    } catch (error) {
      return this.failAtOnce(operation, error, waited);
    }
    return this.finish(operation, result, waited);
  }

  /** Takes what an operation returned. @returns whether it has ended with that. */
  private finish(operation: Operation, result: unknown, waited: Pending | undefined): boolean {
    let promise: Promise<unknown> | undefined;
    let pending = waited;
    try {
      // Promise.resolve, because a thenable of a noun's own making might settle twice or at once. Asking for its `then` is
      // within the try, because that may throw like all the rest of the noun. And there may be no memory for any of this.
      if (isPromise(result)) {
        promise = Promise.resolve(result);
        pending ??= this.watch(operation);
        this.follow(promise, pending);
      }
    } catch (error) {
      return this.failAtOnce(operation, error, pending);
    }
    if (promise !== undefined) return false;
    if (waited !== undefined) this.clock.clearTimer(waited.timer);
    operation.succeed(result, this.guard);
    return true;
  }

  private follow(promise: Promise<unknown>, pending: Pending): void {
    const { operation } = pending;
    pending.promise = new WeakRef(promise);
    promise.then(
      (value) => this.end(pending, () => operation.succeed(value, this.guard)),
      (error: unknown) => this.end(pending, () => this.fail(operation, error)),
    );
  }

  private fail(operation: Operation, error: unknown): void {
    if (this.guard.isInterruption(error)) operation.expire(error);
    else operation.fail(error, this.guard);
  }

  private failAtOnce(operation: Operation, error: unknown, waited: Pending | undefined): true {
    if (waited !== undefined) this.clock.clearTimer(waited.timer);
    this.fail(operation, error);
    return true;
  }

  private end(pending: Pending, settle: () => void): void {
    this.clock.clearTimer(pending.timer);
    try {
      if (!pending.expired) settle();
    } finally {
      this.advance();
    }
  }

  private watch(operation: Operation): Pending {
    const pending: Pending = {
      operation,
      expired: false,
      promise: undefined,
      timer: this.clock.setTimer(() => this.expire(pending), this.nounTimeout),
    };
    return pending;
  }

  private expire(pending: Pending): void {
    pending.expired = true;
    const position = this.waiting.indexOf(pending);
    if (position >= 0) this.waiting.splice(position, 1);
    try {
      pending.operation.expire();
    } finally {
      // One that still waits will never run. One that runs keeps the noun busy until it ends, however late; unless it cannot
      // end any more, as nobody is left who could settle its promise. That is what an interruption leaves behind.
      if (position < 0 && pending.promise?.deref() === undefined) this.advance();
    }
  }
}
