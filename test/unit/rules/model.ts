/** The contract of one rule, millisecond by millisecond, as outward as a reader of docs/rules.md understands it. */

import type { Condition } from "../../../ts/core/noun/condition.ts";
import type { Scalar } from "../../../ts/core/noun/state.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";

interface Key {
  readonly noun: string;
  readonly condition: Condition;
  last: Scalar | undefined;
  /** undefined while the key, or what its condition refers to, cannot be read. */
  holds: boolean | undefined;
  held: boolean;
}

type Values = ReadonlyMap<string, Scalar | undefined>;

/** @returns a constant, or what the key `n` of another noun makes of it; undefined while that cannot be read. */
function constantOf(constant: Scalar, values: Values): Scalar | undefined {
  const [, noun = "", operator, operand] = /^\$(\w+)\.n(?: ([*+-]) ([\d.]+))?$/.exec(String(constant)) ?? [];
  if (noun === "") return constant;
  const value = values.get(noun) ?? undefined;
  if (value === undefined || operator === undefined) return value;
  const [left, right] = [Number(value), Number(operand)];
  return operator === "*" ? left * right : operator === "+" ? left + right : left - right;
}

/** @returns a condition with the values of the moment as its constants; undefined while they cannot be read. */
function withValues(condition: Condition, values: Values): Condition | undefined {
  if (typeof condition !== "object" || condition === null) return constantOf(condition, values);
  const parts = Object.entries(condition).map(([word, constant]) => [word, constantOf(constant, values)] as const);
  return parts.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(parts) as Condition);
}

function isMet(condition: Condition, value: Scalar, before: boolean): boolean {
  if (typeof condition !== "object" || condition === null) return value === condition;
  if ("changes" in condition) return true;
  if ("above" in condition) {
    const { above, below = Number.POSITIVE_INFINITY, until = above } = condition;
    return Number(value) > Number(before ? until : above) && Number(value) < Number(below);
  }
  const { below, until = below } = condition;
  return Number(value) < Number(before ? until : below);
}

export class RuleModel {
  readonly ran: { readonly branch: "then" | "else"; readonly at: number }[] = [];
  private readonly options: RuleOptions;
  /** All conditions of one list must hold. */
  private readonly lists: readonly (readonly Key[])[];
  private readonly values = new Map<string, Scalar | undefined>();
  private holds: boolean | undefined;
  private left: number | undefined;
  delayed = 0;
  /** What was put off, and when the next run may begin. */
  private next: "then" | "else" | undefined;
  private free = Number.NEGATIVE_INFINITY;

  /** A rule on the key `n` of each noun, which references name, too. */
  constructor(options: RuleOptions) {
    this.options = options;
    const lists = options.when === undefined ? [] : [options.when].flat();
    this.lists = lists.map((when) =>
      Object.entries(when).map(([noun, keys]) => ({
        noun,
        condition: keys["n"] as Condition,
        last: undefined,
        holds: undefined,
        held: false,
      })),
    );
  }

  private get keys(): readonly Key[] {
    return this.lists.flat();
  }

  /** Whether all conditions of a list hold; undefined while no list does, and one cannot be read. */
  private get verdict(): boolean | undefined {
    if (this.lists.some((keys) => keys.every(({ holds }) => holds === true))) return true;
    return this.keys.some(({ holds }) => holds === undefined) ? undefined : false;
  }

  set(noun: string, value: Scalar | undefined, at: number): void {
    let hasChanged = false;
    const isStarted = this.keys.every(({ last }) => last !== undefined);
    this.values.set(noun, value);
    for (const key of this.keys) {
      const now = this.values.get(key.noun) ?? null;
      if (key.noun === noun && now !== null) {
        const isOfChanges = typeof key.condition === "object" && key.condition !== null && "changes" in key.condition;
        if (isOfChanges && key.last !== undefined && key.last !== now) hasChanged = true;
        key.last = now;
      }
      const condition = withValues(key.condition, this.values);
      const isRead = condition !== undefined && this.values.has(key.noun) && (condition === null || now !== null);
      key.holds = isRead ? isMet(condition, now, key.held) : undefined;
      key.held = key.holds ?? key.held;
    }
    const hold = this.verdict;
    if (hold === undefined) return;
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
    if (this.left === undefined || this.verdict === undefined) return;
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
