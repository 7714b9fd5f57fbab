/** The settings of conditions on nouns: those of rules, of guards and of the end switches of a cover. */

import type { Condition, When } from "../core/noun/condition.ts";
import { nounNamePattern } from "../core/noun/name.ts";
import { moreThanComment, namesOfNouns, objectOf, optional, record } from "./record.ts";
import {
  checked,
  choice,
  converted,
  found,
  isObject,
  type JsonSchema,
  keyPath,
  Mistakes,
  mistake,
  number,
  refuse,
  type Setting,
  scalar,
  withKeywords,
} from "./setting.ts";

/** A threshold with the value that ends it. Those of a guard may stand in either order. */
function threshold(word: "above" | "below", kinds: Kind): Setting<Condition> {
  const both = record({ [word]: number(), until: optional(number) });
  if (kinds === "of a state") return both as unknown as Setting<Condition>;
  const ordered = checked(both, (read, path) => {
    const { [word]: begin = 0, until = begin } = read as { readonly [key: string]: number };
    const isRight = word === "above" ? until <= begin : until >= begin;
    if (!isRight) {
      const most = word === "above" ? "at most" : "at least";
      throw mistake(keyPath(path, "until"), `expected ${most} ${begin}, where the condition begins, found ${until}`);
    }
  });
  return ordered as unknown as Setting<Condition>;
}

/** Whether conditions may be changes, as those of a rule, or must be of a state, as those of a guard. */
type Kind = "of a change too" | "of a state";

function condition(kinds: Kind): Setting<Condition> {
  const [value, above, below] = [scalar(), threshold("above", kinds), threshold("below", kinds)];
  const changes: Setting<Condition> = record({ changes: choice(true) });
  const mayChange = kinds === "of a change too";
  const expected = `a value, or an object with ${mayChange ? '"above", "below" or "changes"' : '"above" or "below"'}`;
  const words = ["above", "below", ...(mayChange ? ["changes"] : [])];
  return {
    expected,
    schema: () => ({
      anyOf: [
        { type: ["string", "number", "boolean"] },
        above.schema(),
        below.schema(),
        ...(mayChange ? [changes.schema()] : []),
      ],
    }),
    read(given, path) {
      if (given === null) throw mistake(path, `expected ${expected}, found null, which decides nothing`);
      if (!isObject(given)) return value.read(given, path);
      const kind = words.find((word) => Object.hasOwn(given, word));
      if (kind === undefined) return refuse(given, path, expected);
      return (kind === "above" ? above : kind === "below" ? below : changes).read(given, path);
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
    for (const name of Object.keys(read)) {
      if (nounNamePattern.test(name)) continue;
      mistakes.add(keyPath(path, name), `expected the name of a noun, found ${found(name)}`);
    }
    return mistakes.finish(Object.fromEntries(Object.entries(read).map(([name, keys]) => [name.toLowerCase(), keys])));
  });
  return withKeywords(named, namesOfNouns);
}

/** In a schema, each guard refers to the same definition. */
export function guardConditions(): Setting<When> {
  return { ...conditions("of a state"), schema: () => ({ $ref: "#/definitions/guard" }) };
}

/** @returns the definition, by its name in a schema. */
export function guardDefinition(): { readonly guard: JsonSchema } {
  return { guard: conditions("of a state").schema() };
}
