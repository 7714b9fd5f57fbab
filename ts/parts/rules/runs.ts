/**
 * The runs of one rule: one after the other, at most ten in a second. A run that comes too soon is put off; several
 * that are put off become one, the last of them. A rule that chases itself is slowed.
 */

import { isCount } from "../../core/noun/left-state.ts";
import type { State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import { Chase } from "./chase.ts";

/** ms between the beginnings of two runs. */
const leastInterval = 100;

/** What of a rule runs. */
export type Branch = "then" | "else";

/** A run under way. */
export interface Run {
  /** The action that it has begun is over. */
  ended(isDone: boolean): void;
}

/** The dependencies of runs. */
export interface RunsContext<Action> {
  readonly clock: Clock;
  actionsOf(branch: Branch): readonly Action[];
  /**
   * Performs an action with the values of this moment.
   * @param run is told once whether the noun has performed it.
   */
  perform(action: Action, run: Run): void;
  /** Called when a count has changed. */
  onCount(): void;
  /** Called when the rule begins to chase itself. */
  onChase(): void;
}

/** What a rule has done since its last reset: runs, runs that were put off, actions that failed. */
export const noRuns = { runs: 0, delayed: 0, failed: 0 };

export class Runs<Action> implements Run {
  /** When the last run began, by the clock; undefined before the first one. */
  last: number | undefined;
  counts = { ...noRuns };
  private readonly context: RunsContext<Action>;
  /** The actions of the run under way; undefined if none is. */
  private actions: readonly Action[] | undefined;
  /** How many of them have begun. */
  private begun = 0;
  private next: Branch | undefined;
  private readonly alarm: Alarm;
  /** When the next run may begin, and one that an answer to the rule's own actions may have caused. */
  private free = Number.NEGATIVE_INFINITY;
  private freeOfChase = Number.NEGATIVE_INFINITY;
  /** What has caused the run that was put off. */
  private nextCause: string | undefined;
  /** Made for the first run that another device or a rule may have caused. */
  private chase: Chase | undefined;

  constructor(context: RunsContext<Action>) {
    this.context = context;
    this.alarm = new Alarm(context.clock, () => this.beginNext(false));
  }

  /**
   * Runs a branch, or puts it off. A branch without actions has nothing to run.
   * @param inCall whether this is called by a noun's operation: other nouns are then called in another turn.
   * @param cause the state that has caused it, if that may be an answer to the rule's own actions.
   */
  request(branch: Branch, inCall = false, cause?: string): void {
    const now = this.context.clock.now();
    // What was put off until now comes first, whichever timer is called first.
    if (this.next !== undefined && this.mayBegin(this.nextCause, now)) this.beginNext(inCall);
    // It is the last word anyway: what was put off before it is void.
    if (this.context.actionsOf(branch).length === 0) {
      this.forget();
      return;
    }
    if (this.mayBegin(cause, now)) {
      if (this.next !== undefined) this.forget();
      this.begin(branch, inCall, cause, now);
      return;
    }
    this.next = branch;
    this.nextCause = cause;
    this.counts.delayed += 1;
    this.context.onCount();
    if (this.actions === undefined) this.alarm.move(this.freeFor(cause));
  }

  private freeFor(cause: string | undefined): number {
    return cause === undefined ? this.free : Math.max(this.free, this.freeOfChase);
  }

  /** Whether the next run may begin, which is never during one. */
  private mayBegin(cause: string | undefined, now: number): boolean {
    return this.actions === undefined && this.freeFor(cause) <= now;
  }

  /** Forgets what was put off. A run under way ends with its present action. */
  stop(): void {
    this.forget();
    if (this.actions !== undefined) this.begun = this.actions.length;
  }

  /** @returns what the next process needs to go on: no run is under way then. */
  leave(): State {
    const { last = null, next = null } = this;
    return { ...this.counts, last, next };
  }

  /** Goes on where the last process was. @param left what it has left; untrusted. */
  resume({ runs, delayed, failed, last, next }: State): void {
    const { clock } = this.context;
    if (!isCount(runs) || !isCount(delayed) || !isCount(failed)) return;
    this.counts = { runs, delayed, failed };
    if (typeof last !== "number" || last > clock.now()) return;
    this.last = last;
    this.free = last + leastInterval;
    if (next !== "then" && next !== "else") return;
    this.next = next;
    this.alarm.set(this.free);
  }

  reset(): void {
    this.counts = { ...noRuns };
    this.last = undefined;
  }

  private forget(): void {
    this.next = undefined;
    this.alarm.stop();
  }

  private beginNext(inCall: boolean): void {
    const { next, nextCause } = this;
    this.forget();
    if (next !== undefined) this.begin(next, inCall, nextCause, this.context.clock.now());
  }

  private begin(branch: Branch, inCall: boolean, cause: string | undefined, now: number): void {
    const { context } = this;
    this.actions = context.actionsOf(branch);
    this.begun = 0;
    this.last = now;
    this.free = now + leastInterval;
    if (cause !== undefined) {
      this.chase ??= new Chase();
      if (this.chase.note(cause, this.last)) context.onChase();
      this.freeOfChase = this.chase.isOn(this.last) ? this.last + this.chase.interval : this.free;
    }
    this.counts.runs += 1;
    context.onCount();
    if (inCall) new Alarm(context.clock, () => this.performNext()).set(this.last);
    else this.performNext();
  }

  private performNext(): void {
    const action = this.actions?.[this.begun];
    if (action === undefined) {
      this.actions = undefined;
      if (this.next !== undefined) this.alarm.move(this.freeFor(this.nextCause));
      return;
    }
    this.begun += 1;
    this.context.perform(action, this);
  }

  ended(isDone: boolean): void {
    if (!isDone) {
      this.counts.failed += 1;
      this.context.onCount();
    }
    this.performNext();
  }
}
