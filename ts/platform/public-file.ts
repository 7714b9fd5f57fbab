/** Files with secrets that everyone on the device can read. */
import { system } from "./platform.ts";

/** @returns whether everyone may read a file, and go into each folder on the way. */
function isPublic(path: string): boolean {
  const folders = path.split("/").map((_, index, names) => names.slice(0, index).join("/") || "/");
  return [path, ...folders].every((one) => system.accessOf(one)?.isPublic === true);
}

/** @returns a clause that says who can read a file. */
export function whoReads(path: string): string {
  const access = system.accessOf(path);
  if (access === undefined) return "missing";
  if (isPublic(path)) return "everyone on this device can read it";
  return access.group === "" ? "its owner alone can read it" : `its owner and the group ${access.group} can read it`;
}

/** @returns what to do if everyone may read a file with a secret; undefined if they may not. */
export function adviceOnPublicFile(path: string): string | undefined {
  if (!isPublic(path)) return undefined;
  return `everyone on this device can read ${path}: chmod o= ${path}`;
}
