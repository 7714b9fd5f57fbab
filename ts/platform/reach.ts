/** The files that the program opens after `restrict`, and what it says of others. */
import { isRestricted } from "nound:privileges";
import type { Reach } from "../native/privileges.ts";
import { isRefusal, sentenceOf } from "./start-error.ts";

const readable = new Set<string>();
const writable = new Set<string>();

/** Adds the files that a noun opens later, because its device comes and goes. */
export function addReach(reach: Reach): void {
  for (const path of reach.readable ?? []) readable.add(path);
  for (const path of reach.writable ?? []) writable.add(path);
}

/** @returns the reach, with the files that the nouns need added. */
export function withNeeds(reach: Reach): Reach {
  addReach(reach);
  return { readable: [...readable], writable: [...writable] };
}

/** How a file is opened. */
type Access = "readable" | "writable";

/** @returns whether the reach names a path, or a folder around it. */
function isNamed(access: Access, path: string): boolean {
  const named = access === "readable" ? [...readable, ...writable] : [...writable];
  return named.some((name) => `${path}/`.startsWith(name.endsWith("/") ? name : `${name}/`));
}

/**
 * @param access how `path` was to be opened.
 * @returns a function that throws the error it gets. If the program is restricted and its reach lacks the path, the
 *   error says what to add.
 */
export function refused(access: Access, path: string): (error: unknown) => never {
  return (error) => {
    if (!isRestricted() || !isRefusal(error) || isNamed(access, path)) throw error;
    const reason = sentenceOf(error);
    throw new Error(`${path} is outside the program's reach: add reach: { ${access}: ["${path}"] } (${reason})`);
  };
}

/** Opens a device or a folder for an application. @returns what `open` returns. @throws as `refused` does. */
export function opening<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    return refused("writable", path)(error);
  }
}
