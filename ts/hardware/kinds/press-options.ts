/** The options of buttons, by which a noun counts presses. */

import { withDefault } from "../../settings/record.ts";
import { boolean, either, type Setting, textThat } from "../../settings/setting.ts";
import { type PressTimes, pressKeys } from "../nouns/presses.ts";

/** ms that a press may take. */
const most = 60_000;

const timesPattern = /^(?=.)(?:long ([1-9][0-9]{0,4}))?(?:(?:^| )double ([1-9][0-9]{0,4}))?$/;

/** @returns the times in a text such as "long 800 double 300"; undefined for another one. */
function timesIn(text: string): Partial<PressTimes> | undefined {
  const found = timesPattern.exec(text);
  const [, longPress, doublePress] = (found ?? []).map((digits) => digits && Number(digits));
  if (found === null || Number(longPress ?? 0) > most || Number(doublePress ?? 0) > most) return undefined;
  return {
    ...(longPress && { longPress: Number(longPress) }),
    ...(doublePress && { doublePress: Number(doublePress) }),
  };
}

/** Whether presses are counted, or the times of those that are. */
function presses(): Setting<boolean | string> {
  const expected = `true, false, or the ms of presses, at most ${most}, such as "long 800 double 300"`;
  const times = textThat((text) => timesIn(text) !== undefined, expected, timesPattern);
  return either(expected, boolean(), times, (value) => typeof value === "boolean");
}

/** The options that count presses, or let a client in. */
export const pressOptions = () => ({ presses: withDefault(presses, false), pairs: withDefault(boolean, false) });

/** @returns what an application gives instead. */
export function pressesOf({ presses }: { readonly presses: boolean | string }) {
  return typeof presses === "string" ? { presses: true, ...timesIn(presses) } : { presses };
}

/** @returns the keys of the counts, if presses are counted. */
export function pressKeysOf({ presses }: { readonly presses: boolean | string }): readonly string[] {
  return presses === false ? [] : pressKeys;
}

/** Refuses a key that the counts have. */
export function verifyPresses(
  { presses, key }: { readonly presses: boolean | string; readonly key?: string },
  refuse: (keys: readonly ["key"], sentence: string) => void,
): void {
  if (presses !== false && key !== undefined && pressKeys.includes(key)) {
    refuse(["key"], `expected another key, because the counter of presses uses "${key}"`);
  }
}
