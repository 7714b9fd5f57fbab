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
import type { Term } from "../../core/noun/reference.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import { leastEvery, msOf } from "./duration.ts";
import type { RuleOptions } from "./rule.ts";
import type { Branch } from "./runs.ts";

/** The facts that determine the transitions of a rule. */
export type TransitionOptions = Pick<RuleOptions, "for" | "every" | "else">;

/** The wait for the next `then`. It stands still while a key is null. */
interface Wait {
  /** The option that says how long it is. */
  readonly of: "for" | "every";
  /** Its length in ms. */
  length: number;
  /** The moment by the clock; undefined while it stands still. */
  due: number | undefined;
  /** ms that were left when it began to stand still. */
  left: number;
}

const noTerms: readonly Term[] = [];

export abstract class Transitions {
  abstract readonly clock: Clock;
  abstract readonly options: TransitionOptions;
  /** Conditions; all of one list must hold. None for a rule of time alone. */
  readonly alternatives: readonly (readonly KeyCondition[])[];
  /** The times that it takes from nouns. */
  protected readonly terms: readonly Term[];
  /** Whether it has started and not stopped. */
  isActive = false;
  /** Whether the conditions hold; false for a rule of changes, or of time alone. */
  holds = false;
  /** Whether the first values have decided where the rule begins. */
  private isDecided = false;
  private wait: Wait | undefined;
  /** Made for the first wait, as most rules have none. */
  private alarm: Alarm | undefined;

  constructor(alternatives: readonly (readonly KeyCondition[])[], terms = noTerms) {
    this.alternatives = alternatives;
    this.terms = terms.length === 0 ? noTerms : terms;
  }

  /** @returns the unit of a key that has a time; undefined if it has none. */
  protected unitOf(_noun: string, _key: string): string | undefined {
    return undefined;
  }

  /** Called when a branch is to run. */
  protected abstract run(branch: Branch): void;

  /** Called when `holds` has changed. */
  protected abstract onHolds(): void;

  /** Whether all conditions of a list hold now, for a run at a time of day. */
  get areMet(): boolean {
    return this.alternatives.length === 0 || this.alternatives.some(areMet);
  }

  /** All conditions, of whichever list. */
  get conditions(): readonly KeyCondition[] {
    return this.alternatives.length === 1 ? (this.alternatives[0] ?? []) : this.alternatives.flat();
  }

  /** Begins from nothing: the next value of each key is its first. It has not started yet, or has stopped. */
  start(): void {
    this.isActive = true;
    for (const condition of this.conditions) condition.reset();
    for (const term of this.terms) term.value = undefined;
    this.repeat();
  }

  /** Begins to run periodically, if only that is asked for and the time is known. */
  private repeat(): void {
    const every = this.durationOf("every");
    if (this.alternatives.length === 0 && every !== undefined && this.wait === undefined) this.waitFor(every, "every");
  }

  /** @returns ms; undefined for an option that is left out, or that no noun can tell now. */
  private durationOf(option: "for" | "every"): number | undefined {
    const given = this.options[option];
    if (typeof given !== "string") return given;
    const term = this.terms.find(({ text }) => text === given);
    const ms = term && msOf(term.now, this.unitOf(term.reference.noun, term.reference.key));
    return ms === undefined || option === "for" ? ms : Math.max(leastEvery, ms);
  }

  /** @returns what the next process needs to go on. */
  protected leaveTransitions(): State {
    const { holds, isDecided, wait, conditions, terms } = this;
    const left: { [key: string]: Scalar } = { holds, isDecided, due: wait?.due ?? null, left: wait?.left ?? null };
    if (wait !== undefined) Object.assign(left, { waits: wait.of, length: wait.length });
    for (const [index, one] of conditions.entries()) {
      left[`value${index}`] = one.last ?? null;
      left[`readable${index}`] = one.isReadable;
      left[`holds${index}`] = one.holds;
      for (const [at, { value = null }] of one.terms.entries()) left[`value${index}.${at}`] = value;
    }
    for (const [index, { value = null }] of terms.entries()) left[`term${index}`] = value;
    return left;
  }

  /** Goes on where the last process was. @param left what it has left; untrusted. */
  protected resumeTransitions(left: State): void {
    for (const [index, one] of this.conditions.entries()) {
      one.resume(left[`value${index}`], left[`readable${index}`] === true, left[`holds${index}`] === true);
      for (const [at, term] of one.terms.entries()) term.value = left[`value${index}.${at}`];
    }
    for (const [index, term] of this.terms.entries()) term.value = left[`term${index}`];
    this.isDecided = left["isDecided"] === true && this.alternatives.some(areKnown);
    this.holds = this.isDecided && left["holds"] === true;
    const { due, left: rest, waits, length } = left;
    if (typeof rest !== "number") return;
    const [time = 0, every = 0] = [this.durationOf("for"), this.durationOf("every")];
    const ms = typeof due === "number" ? due - this.clock.now() : rest;
    this.endWait();
    const most = Math.max(time, every);
    const of = waits === "for" ? "for" : "every";
    const whole = typeof length === "number" ? length : most;
    this.wait = { of, length: whole, due: undefined, left: Math.min(Math.max(0, ms), most) };
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
    const { alternatives, terms } = this;
    if (!this.isActive) return;
    if (terms.length > 0) for (let index = 0; index < terms.length; index++) terms[index]?.takeFrom(noun, state);
    let isOfChanges = false;
    let hasCome = false;
    let isMet = false;
    let isUnread = false;
    for (let index = 0; index < alternatives.length; index++) {
      const conditions = alternatives[index] ?? [];
      let wereKnown = true;
      let hasChanged = false;
      let areMet = true;
      for (let at = 0; at < conditions.length; at++) {
        const one = conditions[at] as KeyCondition;
        if (one.last === undefined) wereKnown = false;
        const hasOther = one.takeFrom(noun, state);
        if (!one.isReadable) {
          isUnread = true;
          areMet = false;
        } else if (!one.holds) areMet = false;
        if (!isChange(one.condition)) continue;
        isOfChanges = true;
        if (hasOther) hasChanged = true;
      }
      if (!areMet) continue;
      isMet = true;
      if (wereKnown && hasChanged) hasCome = true;
    }
    if (isOfChanges) {
      if (hasCome) this.run("then");
      return;
    }
    // Nobody knows while a condition cannot be read, or how long they must hold.
    if ((isUnread && !isMet) || (terms.length > 0 && !this.areTimesKnown)) {
      this.pause();
      return;
    }
    if (this.wait !== undefined) this.resume();
    if (alternatives.length === 0) this.repeat();
    else this.compare(isMet);
  }

  /** Whether the times that it takes from nouns can be told now. */
  private get areTimesKnown(): boolean {
    const { options } = this;
    if (typeof options.for === "string" && this.durationOf("for") === undefined) return false;
    return typeof options.every !== "string" || this.durationOf("every") !== undefined;
  }

  private compare(hold: boolean): void {
    const isFirst = !this.isDecided;
    this.isDecided = true;
    if (!isFirst && hold === this.holds) return;
    this.setHolds(hold);
    if (!hold) {
      this.endWait();
      this.run("else");
    } else if (!isFirst || this.options.else !== undefined) this.waitFor(this.durationOf("for") ?? 0, "for");
  }

  private setHolds(holds: boolean): void {
    if (this.holds === holds) return;
    this.holds = holds;
    this.onHolds();
  }

  /** Runs `then` after a time, at once if the time is 0, and again after each `every`. @param of says how long it is. */
  private waitFor(ms: number, of: Wait["of"]): void {
    const { clock } = this;
    if (ms > 0) {
      this.wait = { of, length: ms, due: clock.now() + ms, left: ms };
      this.setAlarm();
      return;
    }
    const every = this.durationOf("every");
    // First, because an action may end the rule.
    if (every === undefined) this.wait = undefined;
    else this.waitFor(every, "every");
    this.run("then");
  }

  private setAlarm(): void {
    this.alarm ??= new Alarm(this.clock, () => this.waitFor(0, "every"));
    this.alarm.move(this.wait?.due ?? Number.POSITIVE_INFINITY);
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

  /** Goes on to wait, as long as is said now. */
  private resume(): void {
    const { wait } = this;
    if (wait === undefined) return;
    const length = this.durationOf(wait.of) ?? wait.length;
    if (wait.due !== undefined && length === wait.length) return;
    const due = wait.due ?? this.clock.now() + wait.left;
    wait.due = Math.max(this.clock.now(), due + length - wait.length);
    wait.length = length;
    this.setAlarm();
  }
}

/** Whether all conditions can be read and hold. */
function areMet(conditions: readonly KeyCondition[]): boolean {
  for (let at = 0; at < conditions.length; at++) {
    const { isReadable, holds } = conditions[at] as KeyCondition;
    if (!isReadable || !holds) return false;
  }
  return true;
}

/** Whether every key has had a value. */
function areKnown(conditions: readonly KeyCondition[]): boolean {
  return conditions.every(({ last }) => last !== undefined);
}
