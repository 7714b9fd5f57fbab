/**
 * When the branches of a rule run: the way from the states of nouns to `then` and `else`. It knows no nouns and no
 * actions.
 *
 *     class Frost extends Transitions { ... }
 *     frost.start();
 *     frost.take("cellar", { celsius: 3 }); // run("then")
 *     frost.take("cellar", { celsius: 7 }); // run("else")
 */

import { isChange, type KeyCondition } from "../../core/noun/condition.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { RuleOptions } from "./rule.ts";
import type { Branch } from "./runs.ts";

/** The facts that determine the transitions of a rule. */
export type TransitionOptions = Pick<RuleOptions, "for" | "every" | "else">;

/** The wait for the next `then`. It stands still while a key is null. */
interface Wait {
  /** The moment by the clock; undefined while it stands still. */
  due: number | undefined;
  /** ms that were left when it began to stand still. */
  left: number;
}

export abstract class Transitions {
  abstract readonly clock: Clock;
  abstract readonly options: TransitionOptions;
  /** None for a rule of time alone. */
  readonly conditions: readonly KeyCondition[];
  /** Whether it has started and not stopped. */
  isActive = false;
  /** Whether the conditions hold; false for a rule of changes, or of time alone. */
  holds = false;
  /** Whether the first values have decided where the rule begins. */
  private isDecided = false;
  private wait: Wait | undefined;
  /** Made for the first wait, as most rules have none. */
  private alarm: Alarm | undefined;

  constructor(conditions: readonly KeyCondition[]) {
    this.conditions = conditions;
  }

  /** Called when a branch is to run. */
  protected abstract run(branch: Branch): void;

  /** Called when `holds` has changed. */
  protected abstract onHolds(): void;

  /** Whether all conditions hold now, for a run at a time of day. */
  get areMet(): boolean {
    return this.conditions.every(({ isReadable, holds }) => isReadable && holds);
  }

  /** Begins from nothing: the next value of each key is its first. It has not started yet, or has stopped. */
  start(): void {
    this.isActive = true;
    for (const condition of this.conditions) condition.reset();
    const { every } = this.options;
    if (this.conditions.length === 0 && every !== undefined) this.waitFor(every);
  }

  /** @returns what the next process needs to go on. */
  protected leaveTransitions(): State {
    const { holds, isDecided, wait, conditions } = this;
    const left: { [key: string]: Scalar } = { holds, isDecided, due: wait?.due ?? null, left: wait?.left ?? null };
    for (const [index, one] of conditions.entries()) {
      left[`value${index}`] = one.last ?? null;
      left[`readable${index}`] = one.isReadable;
      left[`holds${index}`] = one.holds;
    }
    return left;
  }

  /** Goes on where the last process was. @param left what it has left; untrusted. */
  protected resumeTransitions(left: State): void {
    for (const [index, one] of this.conditions.entries()) {
      one.last = left[`value${index}`] ?? undefined;
      one.isReadable = one.last !== undefined && left[`readable${index}`] === true;
      one.holds = one.last !== undefined && left[`holds${index}`] === true;
    }
    this.isDecided = left["isDecided"] === true && this.areKnown;
    this.holds = this.isDecided && left["holds"] === true;
    const { due, left: rest } = left;
    if (typeof rest !== "number") return;
    const { for: time = 0, every = 0 } = this.options;
    const ms = typeof due === "number" ? due - this.clock.now() : rest;
    this.endWait();
    this.wait = { due: undefined, left: Math.min(Math.max(0, ms), Math.max(time, every)) };
    if (typeof due === "number") this.resume();
  }

  stop(): void {
    this.isActive = false;
    this.isDecided = false;
    this.endWait();
    this.setHolds(false);
  }

  /** Takes a noun's state; undefined if the noun failed. */
  take(noun: string, state: State | undefined): void {
    const { conditions } = this;
    if (!this.isActive) return;
    const wereKnown = this.areKnown;
    let hasChanged = false;
    let isOfChanges = false;
    for (const one of conditions) {
      const { condition } = one;
      const awaitsChange = isChange(condition);
      isOfChanges ||= awaitsChange;
      if (one.noun === noun && one.take(state?.[one.key]) && awaitsChange) hasChanged = true;
    }
    if (!this.areKnown) return;
    if (conditions.some(({ isReadable }) => !isReadable)) {
      this.pause();
      return;
    }
    this.resume();
    if (!isOfChanges) this.compare(this.areMet);
    else if (wereKnown && hasChanged && this.areMet) this.run("then");
  }

  /** Whether every key has had a value. */
  private get areKnown(): boolean {
    return this.conditions.every(({ last }) => last !== undefined);
  }

  private compare(hold: boolean): void {
    const isFirst = !this.isDecided;
    this.isDecided = true;
    if (!isFirst && hold === this.holds) return;
    this.setHolds(hold);
    if (!hold) {
      this.endWait();
      this.run("else");
    } else if (!isFirst || this.options.else !== undefined) this.waitFor(this.options.for ?? 0);
  }

  private setHolds(holds: boolean): void {
    if (this.holds === holds) return;
    this.holds = holds;
    this.onHolds();
  }

  /** Runs `then` after a time, at once if the time is 0, and again after each `every`. */
  private waitFor(ms: number): void {
    const { clock } = this;
    if (ms > 0) {
      this.wait = { due: clock.now() + ms, left: ms };
      this.setAlarm();
      return;
    }
    const { every } = this.options;
    // First, because an action may end the rule.
    if (every === undefined) this.wait = undefined;
    else this.waitFor(every);
    this.run("then");
  }

  private setAlarm(): void {
    this.alarm ??= new Alarm(this.clock, () => this.waitFor(0));
    this.alarm.set(this.wait?.due ?? Number.POSITIVE_INFINITY);
  }

  private endWait(): void {
    this.wait = undefined;
    this.alarm?.stop();
  }

  private pause(): void {
    const { wait } = this;
    if (wait?.due === undefined) return;
    wait.left = Math.max(0, wait.due - this.clock.now());
    wait.due = undefined;
    this.setAlarm();
  }

  private resume(): void {
    const { wait } = this;
    if (wait === undefined || wait.due !== undefined) return;
    wait.due = this.clock.now() + wait.left;
    this.setAlarm();
  }
}
