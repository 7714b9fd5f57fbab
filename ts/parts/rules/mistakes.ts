/** What is wrong with a rule that only the other nouns can tell: their names, their shapes, their verbs. */
import { shapeOf, unknownNoun } from "../../core/feeds/known-shapes.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { isChange, type KeyCondition, nounsOf, type When } from "../../core/noun/condition.ts";
import { conditionMistake, exclude } from "../../core/noun/condition-mistakes.ts";
import { foresee, traitsOf } from "../../core/noun/noun-traits.ts";
import { isComputed, type Reference, referenceIn, referencesIn as referencesOf } from "../../core/noun/reference.ts";
import { clauseOf, refer, type ShapeOf } from "../../core/noun/reference-mistakes.ts";
import { accepts, checkState, describeKey, type Key, type NumberKey } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { unitsOfTime } from "./duration.ts";
import { type Action, type Rule, referencesIn } from "./rule.ts";
import type { ScheduleNoun } from "./schedule-noun.ts";

export interface RuleMistake {
  /** The path from the rule to what is wrong. */
  readonly keys: readonly (string | number)[];
  readonly sentence: string;
}

/** Finds the mistakes of one rule. */
class Check {
  readonly mistakes: RuleMistake[] = [];
  private readonly rule: Rule;
  private readonly nouns: NounDirectory;
  private readonly isKnown: (noun: string) => boolean;
  private readonly shapeOf: ShapeOf;

  constructor(rule: Rule, nouns: NounDirectory, isKnown: (noun: string) => boolean) {
    this.rule = rule;
    this.nouns = nouns;
    this.isKnown = isKnown;
    this.shapeOf = shapeOf(nouns, isKnown);
  }

  run(): void {
    const { alternatives, options } = this.rule;
    const { then, else: otherwise = [] } = options;
    const isList = alternatives.length > 1;
    alternatives.forEach((conditions, index) => {
      this.conditions(isList ? ["when", index] : ["when"], conditions);
    });
    this.time("for", options.for);
    this.time("every", options.every);
    for (const time of options.at ?? []) this.timeOfDay("at", time);
    for (const action of then) this.action("then", action);
    for (const action of otherwise) this.action("else", action);
    this.refusedByGuards("then", then);
    this.refusedByGuards("else", otherwise);
    const isFed = (noun: string) => then.some((action) => action.noun === noun);
    for (const conditions of alternatives) {
      const awaited = conditions.filter(({ condition }) => isChange(condition));
      if (awaited.length === 0 || !awaited.every(({ noun }) => isFed(noun))) continue;
      const fed = [...nounsOf(awaited)].join(" and ");
      this.refuse(
        ["when"],
        `expected a noun that the rule does not change, but it changes ${fed}: it would run forever`,
      );
    }
  }

  private refuse(keys: readonly (string | number)[], sentence: string): void {
    this.mistakes.push({ keys, sentence });
  }

  /** @param path what names the noun. @param at the keys from there to what is wrong without it. */
  private exists(noun: string, path: readonly (string | number)[], ...at: readonly string[]): boolean {
    if (this.nouns.find(noun) !== undefined) return true;
    if (this.isKnown(noun)) this.refuse([...path, ...at], unknownNoun(noun, this.nouns));
    return false;
  }

  private conditions(path: readonly (string | number)[], conditions: readonly KeyCondition[]): void {
    const { name } = this.rule;
    let before: string | undefined;
    let isThere = false;
    // Those on one noun follow each other.
    for (const one of conditions) {
      const { noun } = one;
      if (noun !== before) {
        isThere = this.exists(noun, path, noun);
        if (isThere && noun === name) this.refuse([...path, noun], "expected a noun other than the rule itself");
      }
      before = noun;
      if (!isThere) continue;
      for (const { reference } of one.terms) this.mayRefer([...path, noun, one.key], reference);
      const shape = this.shapeOf(noun);
      if (shape === undefined || typeof shape === "string") continue;
      const mistake = conditionMistake(shape, one, one.condition, this.shapeOf);
      if (mistake !== undefined) this.refuse([...path, noun, one.key, ...mistake.keys], mistake.sentence);
    }
  }

  /** Refuses a reference to what the rule itself sets, or is: it would start itself. */
  private mayRefer(keys: readonly (string | number)[], { noun, key }: Reference): boolean {
    const { name, options } = this.rule;
    if (noun === name) {
      this.refuse(keys, "expected a value of another noun, not of this one");
      return false;
    }
    const actions = [...options.then, ...(options.else ?? [])];
    const sets = (action: Action) =>
      action.noun === noun &&
      (action.verb !== "POST" || Object.hasOwn(action.body, key) || !Object.keys(action.body)[0]);
    if (!actions.some(sets)) return true;
    this.refuse(
      keys,
      `expected a value that the rule does not set, but it sets "${key}" of ${noun}: it would start itself`,
    );
    return false;
  }

  /** @returns the key that a reference stands for; undefined with a mistake, or if nobody knows. */
  private referred(keys: readonly (string | number)[], given: unknown): readonly [Reference, Key] | undefined {
    const reference = referenceIn(given);
    if (reference === undefined || !this.mayRefer(keys, reference)) return undefined;
    const referred = refer(reference, this.shapeOf);
    if (referred === undefined) return undefined;
    if ("key" in referred) return [reference, referred.key];
    this.refuse(keys, referred.sentence);
    return undefined;
  }

  private time(option: "for" | "every", given: number | string | undefined): void {
    if (typeof given !== "string") return;
    const [reference, key] = this.referred([option], given) ?? [];
    if (reference === undefined || key === undefined) return;
    const { noun, key: name } = reference;
    if (key.type !== "integer" && key.type !== "number") {
      const times = key.type === "string" && key.format !== undefined ? ", not a time of day" : "";
      this.refuse([option], `expected a number of ms, s, min or h${times}, but ${clauseOf(reference, key)}`);
    } else if (unitsOfTime[key.unit ?? ""] === undefined) {
      const unit = key.unit === undefined ? "no unit" : `the unit ${JSON.stringify(key.unit)}`;
      this.refuse(
        [option],
        `expected a key with the unit ms, s, min or h, but the key "${name}" of ${noun} has ${unit}`,
      );
    } else if ((key.maximum ?? 1) < 0) {
      this.refuse([option], `expected a time of 0 or more, but ${clauseOf(reference, key)}`);
    }
  }

  timeOfDay(option: string, given: unknown): void {
    const [reference, key] = this.referred([option], given) ?? [];
    if (reference === undefined || key === undefined) return;
    if (key.type === "string" && (key.format !== undefined || key.maximumLength === undefined)) return;
    this.refuse([option], `expected a time of day, a key of the type "time", but ${clauseOf(reference, key)}`);
  }

  /** Refuses the actions that a guard refuses each time, by the conditions under which they run. */
  private refusedByGuards(branch: "then" | "else", actions: readonly Action[]): void {
    actions.forEach(({ verb, noun, body }, index) => {
      const registered = this.isKnown(noun) ? this.nouns.find(noun) : undefined;
      if (registered?.face.guard === undefined) return;
      const broken = this.brokenBy(branch, registered.face.guard, actions.slice(0, index));
      if (broken === undefined || leadsToDefault(registered, verb, body)) return;
      const sentence = `expected an action that the guard of ${noun} allows, but ${broken} is never so when it runs`;
      this.refuse([branch, `${verb} ${noun}`], sentence);
    });
  }

  /** @param before what the run has done. @returns the key that a guard never finds as it must be. */
  private brokenBy(branch: "then" | "else", guard: When, before: readonly Action[]): string | undefined {
    const { alternatives } = this.rule;
    // Of several lists, nobody knows which one holds.
    if (alternatives.length > 1) return undefined;
    const [conditions = []] = alternatives;
    // Conditions end to hold when one of them does: only a single one is known not to hold then.
    if (branch === "else" && conditions.length !== 1) return undefined;
    for (const { noun, key, condition } of conditions) {
      const needed = guard[noun]?.[key];
      if (needed === undefined || before.some((action) => action.noun === noun)) continue;
      if (referenceIn(needed) !== undefined) continue;
      const isBroken = branch === "then" ? exclude(condition, needed) : condition === needed;
      if (isBroken) return `the key "${key}" of ${noun}`;
    }
    return undefined;
  }

  /** @returns what is wrong with a reference in the value of a body. @param to the key to set; undefined if unknown. */
  private lacking(
    referred: ReturnType<typeof refer>,
    reference: Reference,
    to: Key | undefined,
    value: Scalar,
  ): string | undefined {
    if (referred === undefined) return undefined;
    // A key that changes with time alone may be read, as it is when the rule runs.
    if ("sentence" in referred) return isOfTime(reference, this.shapeOf) ? undefined : referred.sentence;
    if (to === undefined) return undefined;
    const isText = referenceIn(value) === undefined;
    if (isText && to.type !== "string")
      return `expected ${describeKey(to)}, found a text with the value of ${reference.noun}`;
    if (isText || commonValue(referred.key, to) !== undefined) return undefined;
    const { noun, key } = reference;
    return `expected ${describeKey(to)}, found the key "${key}" of ${noun}: ${describeKey(referred.key)}`;
  }

  private action(branch: "then" | "else", { verb, noun, body }: Action): void {
    const keys = [branch, `${verb} ${noun}`];
    if (!this.exists(noun, keys)) return;
    if (noun === this.rule.name && verb === "POST") {
      this.refuse(keys, "expected a noun other than the rule itself, which would run forever");
    }
    let values = body;
    const registered = this.isKnown(noun) ? this.nouns.find(noun) : undefined;
    const shape = registered === undefined || verb === "DELETE" ? undefined : registered.route(verb).shape;
    for (const target of Object.keys(body)) {
      const value = body[target] as Scalar;
      const references = referencesOf(value);
      if (references.length === 0) continue;
      const to = shape !== undefined && Object.hasOwn(shape, target) ? shape[target] : undefined;
      for (const reference of references) {
        if (!this.exists(reference.noun, keys, target)) return;
        const referred = refer(reference, this.shapeOf);
        const sentence = this.lacking(referred, reference, to, value);
        if (sentence !== undefined) {
          this.refuse([...keys, target], sentence);
          return;
        }
        const from = referred !== undefined && "key" in referred ? referred.key : undefined;
        const sample = (from && to ? commonValue(from, to) : sampleOf(to ?? from)) ?? null;
        values = { ...values, [target]: referenceIn(value) === undefined ? "" : sample };
      }
    }
    if (registered === undefined || verb === "DELETE") return;
    if (!registered.isSettable) {
      this.refuse(keys, `expected a noun that takes ${verb}, but this one is read-only`);
      return;
    }
    try {
      if (shape !== undefined) checkState(shape, values);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      this.refuse(
        error.key === undefined ? keys : [...keys, error.key],
        `expected a body for the noun. ${error.message}`,
      );
    }
  }
}

/** @returns whether an action certainly leads to the default of its noun, or may. */
function leadsToDefault({ face: noun }: RegisteredNoun, verb: Action["verb"], body: State): boolean {
  const to = traitsOf(noun)[foresee]?.("DELETE", emptyState);
  const keys = Object.keys(body);
  if (verb === "DELETE" || to === undefined || referencesIn(body).length > 0) return true;
  return keys.length > 0 && keys.every((key) => body[key] === to[key]);
}

/** Whether a reference is to a key that changes with time alone. */
function isOfTime({ noun, key, ...reference }: Reference, shapeOf: ShapeOf): boolean {
  const shape = shapeOf(noun);
  if (typeof shape !== "object" || isComputed({ noun, key, ...reference })) return false;
  return Object.hasOwn(shape, key) && shape[key]?.timeDependent === true;
}

/** @returns a value that a key may have. */
function sampleOf(declared: Key | undefined): Scalar | undefined {
  if (declared === undefined) return undefined;
  if (declared.type === "choice") return declared.values[0];
  if (declared.type === "boolean") return false;
  if (declared.type === "string") return declared.format === undefined ? "" : "00:00";
  return declared.minimum ?? declared.maximum ?? 0;
}

/** @returns a number within both ranges. */
function commonNumber(one: NumberKey, other: NumberKey): number | undefined {
  const minimum = Math.max(one.minimum ?? Number.NEGATIVE_INFINITY, other.minimum ?? Number.NEGATIVE_INFINITY);
  const maximum = Math.min(one.maximum ?? Number.POSITIVE_INFINITY, other.maximum ?? Number.POSITIVE_INFINITY);
  const near = Math.min(Math.max(0, minimum), maximum);
  const value = one.type === "integer" || other.type === "integer" ? Math.ceil(near) : near;
  return value >= minimum && value <= maximum ? value : undefined;
}

/** @returns a value that both keys may have; undefined without one. */
function commonValue(one: Key, other: Key): Scalar | undefined {
  const isNumber = (key: Key): key is NumberKey => key.type === "integer" || key.type === "number";
  if (isNumber(one) && isNumber(other)) return commonNumber(one, other);
  const candidates = [one, other].flatMap((key) =>
    key.type === "choice"
      ? key.values
      : key.type === "boolean"
        ? [false, true]
        : key.type === "string"
          ? ["", "00:00"]
          : [],
  );
  return candidates.find((value) => accepts(one, value) && accepts(other, value));
}

/**
 * @param isKnown whether a noun is as it will be on the device; of others, nothing is judged.
 */
export function mistakesIn(
  rule: Rule,
  { nouns, location }: { readonly nouns: NounDirectory; readonly location?: unknown },
  isKnown: (noun: string) => boolean = () => true,
): readonly RuleMistake[] {
  const check = new Check(rule, nouns, isKnown);
  check.run();
  const { at = [] } = rule.options;
  return location !== undefined || at.every((time) => typeof time !== "object")
    ? check.mistakes
    : [...check.mistakes, { keys: ["at"], sentence: noLocation }];
}

const noLocation = 'expected "location" beside "nouns": only that tells when the sun rises and sets';

/** The same, of a schedule. */
export function scheduleMistakes(
  { name, options }: ScheduleNoun,
  { nouns, location }: { readonly nouns: NounDirectory; readonly location?: unknown },
  isKnown: (noun: string) => boolean = () => true,
): readonly RuleMistake[] {
  const check = new Check({ name, options: { then: [] }, alternatives: [] }, nouns, isKnown);
  for (const end of ["from", "to"] as const) {
    const { [end]: time } = options;
    check.timeOfDay(end, time);
    if (typeof time === "object" && location === undefined) check.mistakes.push({ keys: [end], sentence: noLocation });
  }
  return check.mistakes;
}
