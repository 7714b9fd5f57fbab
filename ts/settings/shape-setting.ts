/** The setting of a shape, by which a configuration declares the keys of a state with their types and ranges. */
import type { Key, Shape } from "../core/noun/shape.ts";
import { keyPresentation, keyRecord } from "./presentation-setting.ts";
import { listOf, type OptionalKey, objectOf, optional, type RecordKeys, type RecordOf, variant } from "./record.ts";
import {
  type Bounds,
  boolean,
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
  required: optional(boolean),
});

/** The setting of a key with these options and those of any key. */
function keyOf<K extends RecordKeys>(options: K) {
  const all = { ...options, ...anyKey() };
  type Read = RecordOf<typeof all> & { readonly optional?: true };
  return converted(keyRecord(all), (read): Read => {
    const { required, ...rest } = read as Read & { readonly required?: boolean };
    return { ...rest, ...(required === false && { optional: true }) } as Read;
  });
}

/** Refuses a range that contains no number. */
function ordered<T extends Bounds>(setting: Setting<T>): Setting<T> {
  return checked(setting, ({ minimum = -Infinity, maximum = Infinity }, path) => {
    if (minimum > maximum) {
      throw mistake(keyPath(path, "maximum"), `expected at least the minimum, ${minimum}, found ${maximum}`);
    }
  });
}

function numberKey<const T extends "integer" | "number">(type: T, bound: OptionalKey<number>) {
  return ordered(keyOf({ type: choice(type), minimum: bound, maximum: bound }));
}

const key: Setting<Key> = variant<Key>("type", {
  integer: () => numberKey("integer", optional(integer)),
  number: () => numberKey("number", optional(number)),
  string: () =>
    converted(
      keyOf({ type: choice("string"), maximum: optional(() => integer({ minimum: 0 })) }),
      ({ maximum, ...read }) => (maximum === undefined ? read : { ...read, maximumLength: maximum }),
    ),
  time: () => converted(keyOf({ type: choice("time") }), (read): Key => ({ ...read, type: "string", format: "time" })),
  boolean: () => keyOf({ type: choice("boolean") }),
  choice: () => keyOf({ type: choice("choice"), values: listOf(scalar()) }),
});

/** An object that declares the keys of a state. */
export function shape(): Setting<Shape> {
  return objectOf(key);
}
