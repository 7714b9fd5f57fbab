/**
 * Calls nouns and makes answers from their results. A noun may throw, return nonsense, or use the processor without
 * end. So everything that a noun's code can influence runs inside an interruptible call.
 */

import type { Interruption } from "../../native/interruption.ts";
import { HttpError } from "../http/http-error.ts";
import { changedUnread, describeError, isOutOfMemory, type OnFailure } from "../noun/failure.ts";
import { StateError } from "../noun/state-error.ts";
import { type Answer, noAnswer, RefusalAnswer } from "./answer.ts";
import type { NounRoute } from "./noun-route.ts";
import { StateAnswers } from "./state-answers.ts";

/** These answers are prepared, because they are needed most when no memory is left. */
const notInTime = "The noun did not answer in time.";
const expired = new RefusalAnswer(503, notInTime);
const failed = new RefusalAnswer(500, "The noun failed.");

/** @returns whether a value is a promise or has a method `then`. Reading it may throw or never return. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** A noun that has not answered yet. */
export interface Underway {
  /** An answer has this property; this object does not. */
  readonly status?: undefined;
  readonly promise: Promise<unknown>;
}

export class NounCall {
  /** Calls a noun. It need not be found in its module for each request. */
  readonly interruptible: Interruption["call"];
  /** Calls a function of nound from a job of a noun's promise. */
  readonly exempt: Interruption["exempt"];
  private readonly interruption: Interruption;
  private readonly onFailure: OnFailure | undefined;
  private readonly isLogging: boolean;
  readonly answers = new StateAnswers();
  /** Those of states that were seen before. */
  readonly written = this.answers.written;

  /**
   * @param onFailure is called for each failure.
   * @param isLogging whether answers have a note for the debug log that says what went wrong.
   */
  constructor(interruption: Interruption, onFailure: OnFailure | undefined, isLogging: boolean) {
    this.interruption = interruption;
    this.interruptible = interruption.call;
    this.exempt = interruption.exempt;
    this.onFailure = onFailure;
    this.isLogging = isLogging;
  }

  /** @param result what a noun returned. @returns the answer, or a promise of a state. */
  judge(route: NounRoute, result: unknown): Answer | Underway {
    try {
      return this.interruption.call(this.look, result, route);
    } catch (error) {
      return this.failAfter(route, error);
    }
  }

  /** @param value the value that the promise of a noun was resolved with. */
  finish(route: NounRoute, value: unknown): Answer {
    try {
      return this.written.get(value as object) ?? this.interruption.call(this.write, value, route);
    } catch (error) {
      return this.failAfter(route, error);
    }
  }

  /**
   * @param error what was thrown after the noun had done its part.
   * @returns the answer; `noAnswer` without memory, if the noun may have changed.
   */
  failAfter(route: NounRoute, error: unknown): Answer {
    return this.fail(route, error, route.mayChange);
  }

  /**
   * @param error what a noun threw, or its promise was rejected with.
   * @param hasChanged whether the noun may have changed before that.
   */
  fail(route: NounRoute, error: unknown, hasChanged = error === changedUnread): Answer {
    let interruption = error;
    try {
      if (!this.interruption.isInterruption(error))
        return this.interruption.call(this.explain, route, error, hasChanged);
    } catch (second) {
      // An error whose inspection was interrupted.
      if (!this.interruption.isInterruption(second)) return hasChanged ? noAnswer : failed;
      interruption = second;
    }
    const note = this.report(route, "interrupted", interruption);
    return note === "" ? expired : new RefusalAnswer(503, notInTime, "", note);
  }

  /** @returns the answer if a noun did not answer in time. */
  expire(route: NounRoute): Answer {
    this.tell(route, "did not answer in time");
    return expired;
  }

  /** This uses Promise.resolve, because a noun's own thenable might settle twice or at once. */
  private readonly look = (result: unknown, route: NounRoute): Answer | Underway =>
    isPromise(result) ? { promise: Promise.resolve(result) } : this.answers.write(result, route.write);

  private readonly write = (value: unknown, route: NounRoute): Answer => this.answers.write(value, route.write);

  private readonly explain = (route: NounRoute, error: unknown, hasChanged: boolean): Answer => {
    if (error instanceof StateError && route.takesBody) return new RefusalAnswer(422, error.message);
    if (error instanceof HttpError) return RefusalAnswer.of(error);
    const note = this.report(route, "failed", error);
    if (hasChanged && (error === changedUnread || isOutOfMemory(error))) return noAnswer;
    return note === "" ? failed : new RefusalAnswer(500, "The noun failed.", "", note);
  };

  /** Reports a failure to its listeners. @returns its text for the debug log; "" without a failure. */
  private report(route: NounRoute, what: string, error: unknown): string {
    if (this.onFailure === undefined && !this.isLogging) return "";
    const description = describeError(error);
    this.tell(route, description);
    return this.isLogging ? `${what}: ${description}` : "";
  }

  /** Without memory for a report it is dropped, because a client waits for the answer. */
  private tell(route: NounRoute, description: string): void {
    try {
      this.onFailure?.(route.name, description);
    } catch {
      // There is nobody else to tell.
    }
  }
}
