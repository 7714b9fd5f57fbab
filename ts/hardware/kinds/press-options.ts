/** The options of buttons, by which a noun counts presses. */

import { optional, type RecordOf, withDefault } from "../../settings/record.ts";
import { boolean, integer } from "../../settings/setting.ts";
import { pressKeys } from "../nouns/presses.ts";

/** The options that count presses, or let a client in. */
export const pressOptions = () => ({
  presses: withDefault(boolean, false),
  longPress: optional(() => integer({ minimum: 1, maximum: 60_000 })),
  doublePress: optional(() => integer({ minimum: 0, maximum: 60_000 })),
  pairs: withDefault(boolean, false),
});

/** @returns the keys of the counts, if presses are counted. */
export function pressKeysOf({ presses }: { readonly presses: boolean }): readonly string[] {
  return presses ? pressKeys : [];
}

/** Refuses times of presses that are not counted, and a key that the counts have. */
export function verifyPresses(
  options: RecordOf<ReturnType<typeof pressOptions>> & { readonly key?: string },
  refuse: (keys: readonly ["longPress" | "doublePress" | "key"], sentence: string) => void,
): void {
  const { presses, key } = options;
  const time = (["longPress", "doublePress"] as const).find((name) => options[name] !== undefined);
  if (!presses && time !== undefined) {
    refuse([time], 'expected nothing without "presses": true, which counts presses');
  } else if (presses && key !== undefined && pressKeys.includes(key)) {
    refuse(["key"], `expected another key, because the counter of presses uses "${key}"`);
  }
}
