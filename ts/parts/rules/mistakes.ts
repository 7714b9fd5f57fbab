/** What is wrong with a rule that only the other nouns can tell: their names, their shapes, their verbs. */
import type { ServedNouns } from "../../core/feeds/served-nouns.ts";
import { type Condition, isChange, nounsOf, type When } from "../../core/noun/condition.ts";
import { conditionMistake, exclude } from "../../core/noun/condition-mistakes.ts";
import { foresee, inner } from "../../core/noun/inner-noun.ts";
import { didYouMean } from "../../core/noun/nearest-word.ts";
import {
  accepts,
  checkState,
  describeKey,
  type Key,
  listKeys,
  type NumberKey,
  type Shape,
} from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { type Action, type Rule, referencesIn } from "./rule.ts";

export interface RuleMistake {
  /** The path from the rule to what is wrong. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

/** Finds the mistakes of one rule. */
class Check {
  readonly mistakes: RuleMistake[] = [];
  private readonly rule: Rule;
  private readonly nouns: ServedNouns;
  private readonly isKnown: (noun: string) => boolean;

  constructor(rule: Rule, nouns: ServedNouns, isKnown: (noun: string) => boolean) {
    this.rule = rule;
    this.nouns = nouns;
    this.isKnown = isKnown;
  }

  run(): void {
    const { name, conditions, options } = this.rule;
    const { then, else: otherwise = [] } = options;
    for (const noun of nounsOf(conditions)) {
      if (!this.exists(["when", noun], noun)) continue;
      if (noun === name) this.refuse(["when", noun], "expected a noun other than the rule itself");
      const shape = this.shapeOf(noun);
      if (shape === undefined) continue;
      for (const one of conditions) {
        if (one.noun === noun) this.condition(["when", noun, one.key], shape, one.condition);
      }
    }
    for (const action of then) this.action("then", action);
    for (const action of otherwise) this.action("else", action);
    this.refusedByGuards("then", then);
    this.refusedByGuards("else", otherwise);
    const awaited = conditions.filter(({ condition }) => isChange(condition)).map(({ noun }) => noun);
    const isFed = (noun: string) => then.some((action) => action.noun === noun);
    if (awaited.length > 0 && awaited.every(isFed)) {
      const fed = [...new Set(awaited)].join(" and ");
      this.refuse(
        ["when"],
        `expected a noun that the rule does not change, but it changes ${fed}: it would run forever`,
      );
    }
  }

  private refuse(keys: readonly string[], sentence: string): void {
    this.mistakes.push({ keys, sentence });
  }

  private exists(keys: readonly string[], noun: string): boolean {
    if (this.nouns.find(noun) !== undefined) return true;
    if (this.isKnown(noun)) {
      const names = Array.from(this.nouns.all(), ({ name }) => name);
      this.refuse(keys, `expected the name of a noun, found "${noun}"${didYouMean(noun, names)}`);
    }
    return false;
  }

  private shapeOf(noun: string): Shape | undefined {
    return this.isKnown(noun) ? this.nouns.find(noun)?.noun.shape : undefined;
  }

  private condition(keys: readonly string[], shape: Shape, condition: Condition): void {
    const mistake = conditionMistake(shape, keys.at(-1) ?? "", condition);
    if (mistake !== undefined) this.refuse([...keys, ...mistake.keys], mistake.sentence);
  }

  /** Refuses the actions that a guard refuses each time, by the conditions under which they run. */
  private refusedByGuards(branch: "then" | "else", actions: readonly Action[]): void {
    const before = new Set<string>();
    for (const { verb, noun, body } of actions) {
      const registered = this.isKnown(noun) ? this.nouns.find(noun) : undefined;
      const broken = this.brokenBy(branch, registered?.noun.guard ?? {}, before);
      if (registered !== undefined && broken !== undefined && !leadsToDefault(registered, verb, body)) {
        const sentence = `expected an action that the guard of ${noun} allows, but ${broken} is never so when it runs`;
        this.refuse([branch, `${verb} ${noun}`], sentence);
      }
      before.add(noun);
    }
  }

  /** @param before the nouns that the run has changed. @returns the key that a guard never finds as it must be. */
  private brokenBy(branch: "then" | "else", guard: When, before: ReadonlySet<string>): string | undefined {
    const { conditions } = this.rule;
    // Conditions end to hold when one of them does: only a single one is known not to hold then.
    if (branch === "else" && conditions.length !== 1) return undefined;
    for (const { noun, key, condition } of conditions) {
      const needed = guard[noun]?.[key];
      if (needed === undefined || before.has(noun)) continue;
      const isBroken = branch === "then" ? exclude(condition, needed) : condition === needed;
      if (isBroken) return `the key "${key}" of ${noun}`;
    }
    return undefined;
  }

  private action(branch: "then" | "else", { verb, noun, body }: Action): void {
    const keys = [branch, `${verb} ${noun}`];
    if (!this.exists(keys, noun)) return;
    if (noun === this.rule.name && verb === "POST") {
      this.refuse(keys, "expected a noun other than the rule itself, which would run forever");
    }
    const values: { [key: string]: Scalar } = { ...body };
    const registered = this.isKnown(noun) ? this.nouns.find(noun) : undefined;
    const shape = registered === undefined || verb === "DELETE" ? undefined : registered.route(verb).shape;
    for (const { target, noun: source, key } of referencesIn(body)) {
      if (!this.exists([...keys, target], source)) return;
      const sourceShape = this.shapeOf(source);
      const from = sourceShape !== undefined && Object.hasOwn(sourceShape, key) ? sourceShape[key] : undefined;
      if (sourceShape !== undefined && from === undefined) {
        this.refuse([...keys, target], `expected a key of the noun ${source}; ${listKeys(sourceShape)}`);
        return;
      }
      const to = shape !== undefined && Object.hasOwn(shape, target) ? shape[target] : undefined;
      const sample = from === undefined || to === undefined ? sampleOf(to ?? from) : commonValue(from, to);
      if (sample === undefined && from !== undefined && to !== undefined) {
        const sentence = `expected ${describeKey(to)}, found the key "${key}" of ${source}: ${describeKey(from)}`;
        this.refuse([...keys, target], sentence);
        return;
      }
      values[target] = sample ?? null;
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
function leadsToDefault({ noun }: RegisteredNoun, verb: Action["verb"], body: State): boolean {
  const to = inner(noun)[foresee]?.("DELETE", emptyState);
  const keys = Object.keys(body);
  if (verb === "DELETE" || to === undefined || referencesIn(body).length > 0) return true;
  return keys.length > 0 && keys.every((key) => body[key] === to[key]);
}

/** @returns a value that a key may have. */
function sampleOf(declared: Key | undefined): Scalar | undefined {
  if (declared === undefined) return undefined;
  if (declared.type === "choice") return declared.values[0];
  if (declared.type === "boolean") return false;
  if (declared.type === "string") return "";
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
    key.type === "choice" ? key.values : key.type === "boolean" ? [false, true] : key.type === "string" ? [""] : [],
  );
  return candidates.find((value) => accepts(one, value) && accepts(other, value));
}

/**
 * @param isKnown whether a noun is as it will be on the device; of others, nothing is judged.
 */
export function mistakesIn(
  rule: Rule,
  { nouns, location }: { readonly nouns: ServedNouns; readonly location?: unknown },
  isKnown: (noun: string) => boolean = () => true,
): readonly RuleMistake[] {
  const check = new Check(rule, nouns, isKnown);
  check.run();
  const { at = [] } = rule.options;
  if (location !== undefined || at.every((time) => typeof time === "number")) return check.mistakes;
  const sentence = 'expected "location" beside "nouns": only that tells when the sun rises and sets';
  return [...check.mistakes, { keys: ["at"], sentence }];
}
