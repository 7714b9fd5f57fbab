/** The names that devices have in /sys. A name becomes a part of a path: what else a path may hold is refused here. */
import { type Setting, textOf } from "./setting.ts";

/** A device's folder name. @param example what one looks like, for people. */
export function deviceName(example: string): Setting<string> {
  const expected = `a device's name such as ${example}, of letters, digits and : . _ - @ ,`;
  return textOf(/^(?!\.)[A-Za-z0-9:._@,-]{1,64}$/, expected);
}
