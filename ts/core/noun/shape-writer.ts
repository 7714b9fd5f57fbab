/**
 * Checks and writes what a noun with a shape returned: a client reads nothing that the shape does not promise. It finds
 * the rules of a key together with the key's text. So it costs no more than `writeState`, which knows nothing about the
 * keys.
 *
 *     const writer = new ShapeWriter({ speed: { type: "integer", minimum: 0, maximum: 100 } });
 *     writer.write({ speed: 7 }); // {"speed":7}
 *     writer.write({ speed: 101 }); // TypeError: ... "speed" must be a whole number from 0 to 100, and is 101.
 */
import { jsonString } from "./json-string.ts";
import { describeKey, type Key, listKeys, type Shape } from "./shape.ts";
import type { State } from "./state.ts";

interface KeyPlan {
  /** The key as the first of a state, with its colon. */
  readonly first: string;
  /** The key behind another. */
  readonly further: string;
  /** Bounds of a number. If the key takes no number, no number is within them. */
  readonly minimum: number;
  readonly maximum: number;
  readonly isInteger: boolean;
  /** The largest length of a string in UTF-16 units; -1 if the key takes no string. */
  readonly maximumLength: number;
  /** The JSON of the values that can be listed. */
  readonly listed: ReadonlyMap<unknown, string>;
  readonly isRequired: boolean;
}

/** Characters of a wrong value that a sentence shows. */
const longestShown = 40;

function listedValues(key: Key): readonly unknown[] {
  const values = key.type === "choice" ? key.values : key.type === "boolean" ? [false, true] : [];
  return key.nullable === true ? [...values, null] : values;
}

function boundsOf(key: Key): { readonly minimum: number; readonly maximum: number } {
  if (key.type !== "integer" && key.type !== "number") {
    return { minimum: Number.POSITIVE_INFINITY, maximum: Number.NEGATIVE_INFINITY };
  }
  const largest = key.type === "integer" ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  const { minimum = -largest, maximum = largest } = key;
  return { minimum: Math.max(minimum, -largest), maximum: Math.min(maximum, largest) };
}

function planOf(name: string, key: Key): KeyPlan {
  const first = `${JSON.stringify(name)}:`;
  return {
    first,
    further: `,${first}`,
    ...boundsOf(key),
    isInteger: key.type === "integer",
    maximumLength: key.type === "string" ? (key.maximumLength ?? Number.POSITIVE_INFINITY) : -1,
    listed: new Map(listedValues(key).map((value) => [value, JSON.stringify(value)])),
    isRequired: key.optional !== true,
  };
}

function showValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, longestShown));
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
}

function mistake(sentence: string): TypeError {
  return new TypeError(`The noun returned a state that does not fit its shape: ${sentence}.`);
}

/** The writer of one noun's states. */
export class ShapeWriter {
  private readonly shape: Shape;
  private readonly plans: ReadonlyMap<string, KeyPlan>;
  private readonly requiredCount: number;

  constructor(shape: Shape) {
    this.shape = shape;
    this.plans = new Map(Object.entries(shape).map(([name, key]) => [name, planOf(name, key)]));
    this.requiredCount = Object.values(shape).filter((key) => key.optional !== true).length;
  }

  /**
   * @param result what a function of the noun returned.
   * @returns the JSON text.
   * @throws TypeError with a sentence that names the key.
   */
  write(result: unknown): string {
    if (typeof result !== "object" || result === null) {
      throw mistake(`a state is one flat object, but this is ${showValue(result)}`);
    }
    const state = result as State;
    const { plans } = this;
    const keys = Object.keys(state);
    let text = "{";
    let required = 0;
    for (let index = 0; index < keys.length; index++) {
      const name = keys[index] as string;
      const plan = plans.get(name);
      const value = state[name];
      const json = plan === undefined ? undefined : writeValue(plan, value);
      if (plan === undefined || json === undefined) throw this.describeWrong(name, value);
      if (plan.isRequired) required += 1;
      text += (index === 0 ? plan.first : plan.further) + json;
    }
    if (required !== this.requiredCount) throw this.describeMissing(state);
    return `${text}}`;
  }

  private describeWrong(name: string, value: unknown): TypeError {
    const quoted = JSON.stringify(name);
    const key = this.plans.has(name) ? this.shape[name] : undefined;
    if (key === undefined) return mistake(`the shape does not have the key ${quoted}; ${listKeys(this.shape)}`);
    return mistake(`the value of ${quoted} must be ${describeKey(key)}, but is ${showValue(value)}`);
  }

  private describeMissing(state: State): TypeError {
    const missing = Object.keys(this.shape).find(
      (name) => this.shape[name]?.optional !== true && !Object.hasOwn(state, name),
    );
    return mistake(`the key ${JSON.stringify(missing)} is missing`);
  }
}

/** @returns the JSON of a value; undefined if the key does not take it. */
function writeValue(plan: KeyPlan, value: unknown): string | undefined {
  if (typeof value === "number" && value >= plan.minimum && value <= plan.maximum) {
    return plan.isInteger && value % 1 !== 0 ? undefined : `${value}`;
  }
  if (typeof value === "string" && value.length <= plan.maximumLength) {
    return value.isWellFormed() ? jsonString(value) : undefined;
  }
  return plan.listed.get(value);
}
