/** The setting of a shape, by which a configuration declares the keys of a state with their types and ranges. */
import type { Key, Shape } from "../core/noun/shape.ts";
import { keyPresentation } from "./presentation-setting.ts";
import { listOf, type OptionalKey, objectOf, optional, record, variant } from "./record.ts";
import {
  type Bounds,
  checked,
  choice,
  converted,
  integer,
  keyPath,
  mistake,
  number,
  type Setting,
  scalar,
  text,
} from "./setting.ts";

const anyKey = () => ({
  ...keyPresentation(),
  description: optional(text),
  optional: optional(() => choice(true)),
});

/** Refuses a range that contains no number. */
function ordered<T extends Bounds>(setting: Setting<T>): Setting<T> {
  return checked(setting, ({ minimum = -Infinity, maximum = Infinity }, path) => {
    if (minimum > maximum) {
      throw mistake(keyPath(path, "maximum"), `expected at least the minimum, ${minimum}, found ${maximum}`);
    }
  });
}

function numberKey<const T extends "integer" | "number">(type: T, bound: OptionalKey<number>) {
  return ordered(record({ type: choice(type), minimum: bound, maximum: bound, ...anyKey() }));
}

const key: Setting<Key> = variant<Key>("type", {
  integer: () => numberKey("integer", optional(integer)),
  number: () => numberKey("number", optional(number)),
  string: () => record({ type: choice("string"), maximumLength: optional(() => integer({ minimum: 0 })), ...anyKey() }),
  time: () =>
    converted(
      record({ type: choice("time"), ...anyKey() }),
      (read): Key => ({ ...read, type: "string", format: "time" }),
    ),
  boolean: () => record({ type: choice("boolean"), ...anyKey() }),
  choice: () => record({ type: choice("choice"), values: listOf(scalar()), ...anyKey() }),
});

/** An object that declares the keys of a state. */
export function shape(): Setting<Shape> {
  return objectOf(key);
}
