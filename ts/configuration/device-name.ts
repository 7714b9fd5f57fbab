/** The names of devices in /sys. A name becomes a part of a path, so it has no characters that lead elsewhere. */
import { type Setting, textOf } from "./setting.ts";

/** A device's folder name. @param example a name to show in the error message. */
export function deviceName(example: string): Setting<string> {
  const expected = `a device's name such as ${example}, of letters, digits and : . _ - @ ,`;
  return textOf(/^(?!\.)[A-Za-z0-9:._@,-]{1,64}$/, expected);
}
