/** The contract of one rule, millisecond by millisecond, as outward as a reader of docs/rules.md understands it. */

import type { Condition } from "../../../ts/core/noun/condition.ts";
import type { Scalar } from "../../../ts/core/noun/state.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";

interface Key {
  readonly noun: string;
  readonly condition: Condition;
  now: Scalar | undefined;
  last: Scalar | undefined;
  holds: boolean;
}

function isMet(condition: Condition, value: Scalar, before: boolean): boolean {
  if (typeof condition !== "object" || condition === null) return value === condition;
  if ("changes" in condition) return true;
  if ("above" in condition) {
    const { above, until = above } = condition;
    return Number(value) > Number(before ? until : above);
  }
  const { below, until = below } = condition;
  return Number(value) < Number(before ? until : below);
}

export class RuleModel {
  readonly ran: { readonly branch: "then" | "else"; readonly at: number }[] = [];
  private readonly options: RuleOptions;
  private readonly keys: readonly Key[];
  private holds: boolean | undefined;
  private left: number | undefined;
  delayed = 0;
  /** What was put off, and when the next run may begin. */
  private next: "then" | "else" | undefined;
  private free = Number.NEGATIVE_INFINITY;

  /** A rule on the key `n` of each noun. */
  constructor(options: RuleOptions) {
    this.options = options;
    this.keys = Object.entries(options.when ?? {}).map(([noun, keys]) => ({
      noun,
      condition: keys["n"] as Condition,
      now: undefined,
      last: undefined,
      holds: false,
    }));
  }

  private get isFrozen(): boolean {
    return this.keys.some(({ now }) => now === undefined || now === null);
  }

  set(noun: string, value: Scalar | undefined, at: number): void {
    let hasChanged = false;
    const isStarted = this.keys.every(({ last }) => last !== undefined);
    for (const key of this.keys.filter((one) => one.noun === noun)) {
      key.now = value;
      if (value === undefined || value === null) continue;
      const isOfChanges = typeof key.condition === "object" && key.condition !== null && "changes" in key.condition;
      if (isOfChanges && key.last !== undefined && key.last !== value) hasChanged = true;
      key.last = value;
      key.holds = isMet(key.condition, value, key.holds);
    }
    if (this.isFrozen) return;
    const hold = this.keys.every((key) => key.holds);
    if (this.keys.some(({ condition }) => Object.hasOwn(Object(condition), "changes"))) {
      if (isStarted && hasChanged && hold) this.run("then", at);
      return;
    }
    if (hold === this.holds) return;
    const isFirst = this.holds === undefined;
    this.holds = hold;
    this.left = undefined;
    if (!hold) this.run("else", at);
    else if (!isFirst || this.options.else !== undefined) this.left = Number(this.options.for ?? 0);
    this.fire(at);
  }

  /** One ms passes. */
  pass(at: number): void {
    this.runNext(at);
    if (this.left === undefined || this.isFrozen) return;
    this.left -= 1;
    this.fire(at);
  }

  private fire(at: number): void {
    if (this.left !== 0) return;
    this.run("then", at);
    this.left = this.options.every === undefined ? undefined : Number(this.options.every);
  }

  private run(branch: "then" | "else", at: number): void {
    this.runNext(at);
    this.next = undefined;
    if (branch === "else" && this.options.else === undefined) return;
    this.next = branch;
    if (at < this.free) this.delayed += 1;
    this.runNext(at);
  }

  private runNext(at: number): void {
    if (this.next === undefined || at < this.free) return;
    this.ran.push({ branch: this.next, at });
    this.next = undefined;
    this.free = at + 100;
  }
}
