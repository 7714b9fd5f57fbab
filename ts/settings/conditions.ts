/** The settings of conditions on nouns: those of rules, of guards and of the end switches of a cover. */

import { type Condition, conditionsOf, nounsOf, type When } from "../core/noun/condition.ts";
import { nounNamePattern } from "../core/noun/name.ts";
import { referenceIn, referencePattern } from "../core/noun/reference.ts";
import type { Json } from "./json.ts";
import { listOf, moreThanComment, namesOfNouns, objectOf, optional, record } from "./record.ts";
import {
  checked,
  choice,
  converted,
  either,
  found,
  isList,
  isObject,
  type JsonSchema,
  keyPath,
  Mistakes,
  mistake,
  number,
  refuse,
  type Setting,
  scalar,
  textThat,
  withKeywords,
} from "./setting.ts";

/** A text that stands for what another noun has: `$wish.celsius + 0.5`. */
export function reference(): Setting<string> {
  const expected = "a reference such as $wish.celsius or $wish.celsius * 0.5 + 2";
  return textThat((text) => referenceIn(text) !== undefined, expected, referencePattern);
}

/** A number, or a reference to one. */
function operand(): Setting<number | string> {
  const isNumber = (value: Json) => typeof value !== "string" || !value.startsWith("$");
  return either("a number or a reference", number(), reference(), isNumber);
}

/** A threshold with the value that ends it, or two between which the number is. Those of a guard may be in either order. */
function threshold(kinds: Kind): Setting<Condition> {
  const both = record({ above: optional(operand), below: optional(operand), until: optional(operand) });
  const ordered = checked(both, ({ above, below, until }, path) => {
    if (above !== undefined && below !== undefined) {
      if (until !== undefined) {
        throw mistake(keyPath(path, "until"), 'expected nothing together with both "above" and "below"');
      }
      if (typeof above === "number" && typeof below === "number" && above >= below) {
        throw mistake(keyPath(path, "below"), `expected more than ${above}, the number of "above", found ${below}`);
      }
      return;
    }
    const begin = above ?? below;
    if (kinds === "of a state" || typeof begin !== "number" || typeof until !== "number") return;
    if (above === undefined ? until >= begin : until <= begin) return;
    const most = above === undefined ? "at least" : "at most";
    throw mistake(keyPath(path, "until"), `expected ${most} ${begin}, where the condition begins, found ${until}`);
  });
  const more = { below: optional(operand), until: optional(operand) };
  // An editor learns that one of both must be there.
  const forms = () => [record({ above: operand(), ...more }), record({ ...more, below: operand() })];
  return { ...ordered, schema: () => ({ anyOf: forms().map((form) => form.schema()) }) } as Setting<Condition>;
}

/** Whether conditions may be changes, as those of a rule, or must be of a state, as those of a guard. */
type Kind = "of a change too" | "of a state";

function condition(kinds: Kind): Setting<Condition> {
  const [value, thresholds] = [scalar(), threshold(kinds)];
  const changes: Setting<Condition> = record({ changes: choice(true) });
  const mayChange = kinds === "of a change too";
  const expected = `a value, or an object with ${mayChange ? '"above", "below" or "changes"' : '"above" or "below"'}`;
  const words = ["above", "below", ...(mayChange ? ["changes"] : [])];
  return {
    expected,
    schema: () => ({
      anyOf: [
        value.schema(),
        ...(thresholds.schema()["anyOf"] as readonly JsonSchema[]),
        ...(mayChange ? [changes.schema()] : []),
      ],
    }),
    read(given, path) {
      if (!isObject(given)) return value.read(given, path);
      const kind = words.find((word) => Object.hasOwn(given, word));
      if (kind === undefined) return refuse(given, path, expected);
      return (kind === "changes" ? changes : thresholds).read(given, path);
    },
  };
}

/** @returns a map that is not empty. */
function some<T>(setting: Setting<{ readonly [key: string]: T }>): Setting<{ readonly [key: string]: T }> {
  const several = checked(setting, (read, path, value) => {
    if (Object.keys(read).length === 0) refuse(value, path, `${setting.expected} that is not empty`);
  });
  return withKeywords(several, moreThanComment);
}

/** The conditions of a rule or a guard, by noun and by key. */
export function conditions(kinds: Kind = "of a change too"): Setting<When> {
  const nouns = some(objectOf(some(objectOf(condition(kinds)))));
  const named = converted(nouns, (read, path) => {
    const mistakes = new Mistakes();
    let isLower = true;
    for (const name of Object.keys(read)) {
      if (name !== name.toLowerCase()) isLower = false;
      if (nounNamePattern.test(name)) continue;
      mistakes.add(keyPath(path, name), `expected the name of a noun, found ${found(name)}`);
    }
    if (isLower) return mistakes.finish(read);
    return mistakes.finish(Object.fromEntries(Object.entries(read).map(([name, keys]) => [name.toLowerCase(), keys])));
  });
  return withKeywords(named, namesOfNouns);
}

/** The conditions of a rule, or a list of such: any of them. */
export function anyConditions(): Setting<When | readonly When[]> {
  const all: Setting<When> = { ...conditions(), schema: () => ({ $ref: "#/definitions/when" }) };
  return either(`${all.expected}, or a list of such`, all, listOf(all), (value) => !isList(value));
}

/** @returns the nouns that a guard names, or takes values from, in lower case. */
export function nounsOfGuard(guard: When): readonly string[] {
  return Array.from(nounsOf(conditionsOf(guard)), (noun) => noun.toLowerCase());
}

/** In a schema, each guard refers to the same definition. */
export function guardConditions(): Setting<When> {
  return { ...conditions("of a state"), schema: () => ({ $ref: "#/definitions/guard" }) };
}

/** @returns the definitions, by their names in a schema. */
export function definitions(): { readonly guard: JsonSchema; readonly when: JsonSchema } {
  return { guard: conditions("of a state").schema(), when: conditions().schema() };
}
