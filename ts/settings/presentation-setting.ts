/** The settings of how people see a noun and its keys: groups, order, words for values, device classes. */

import { deviceClassesOf } from "../core/noun/device-classes.ts";
import { didYouMean } from "../core/noun/nearest-word.ts";
import { icons } from "./icons.ts";
import { objectOf, optional, type RecordKeys, type RecordOf, record } from "./record.ts";
import { boolean, choice, converted, found, integer, mistake, nonEmptyText, number, type Setting } from "./setting.ts";

/** A device class of Home Assistant. */
export function deviceClass(): Setting<string> {
  const expected = "a device class of Home Assistant, such as door";
  const known = deviceClassesOf();
  return {
    expected,
    schema: () => ({
      type: "string",
      pattern: "^[a-z][a-z0-9_]*$",
      examples: ["door", "window", "motion", "humidity"],
    }),
    read(value, path) {
      if (known.some((one) => one === value)) return value as string;
      throw mistake(path, `expected ${expected}, found ${found(value)}${didYouMean(String(value), known)}`);
    },
  };
}

/** The words for the values of a key: `{ "0": "closed", "1": "open" }`. */
const words = () => objectOf(nonEmptyText());

/** The options of a noun. */
export const presentationOptions = () => ({
  group: optional(nonEmptyText),
  order: optional(integer),
  icon: optional(() => choice(...icons)),
  ask: optional(boolean),
  deviceClass: optional(deviceClass),
  labels: optional(() => objectOf(words())),
});

/** The options of a key, but for Home Assistant's. */
export const keyPresentation = () => ({
  title: optional(nonEmptyText),
  description: optional(nonEmptyText),
  unit: optional(nonEmptyText),
  step: optional(() => number({ minimum: 0.001 })),
  deviceClass: optional(deviceClass),
  labels: optional(words),
  kind: optional(() => choice("diagnostic", "red", "green", "blue")),
});

/** The kind of a key as an application gives it. */
interface KindOfKey {
  readonly diagnostic?: true;
  readonly colour?: "red" | "green" | "blue";
}

/** @returns the setting of a key with these options; its kind is as an application gives it. */
export function keyRecord<K extends RecordKeys>(options: K): Setting<RecordOf<K> & KindOfKey> {
  return converted(record(options), (read): RecordOf<K> & KindOfKey => {
    const { kind, ...rest } = read as RecordOf<K> & { readonly kind?: "diagnostic" | KindOfKey["colour"] };
    const given = kind === "diagnostic" ? { diagnostic: true } : kind && { colour: kind };
    return { ...rest, ...given } as RecordOf<K> & KindOfKey;
  });
}
