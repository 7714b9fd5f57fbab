/** The setting of a path below /sys. */
import { type Setting, textOf } from "./setting.ts";

/** @param what the path names, with an example, for the error message. */
export function sysfsPath(what: string): Setting<string> {
  const expected = `${what}: below /sys, of at most 1024 characters, without the segments "." and ".."`;
  return textOf(/^(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+$/, expected);
}
