/** Runs a bundled application from a file, instead of the stock program: `--run FILE`. */
import * as script from "nound:script";
import { system } from "../../platform/platform.ts";
import { attempt, exitStatus, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { RunCommand } from "./command-line.ts";

/** Bytes an application may have. A bundle of all of nound has a tenth of it. */
const applicationBytes = 4_194_304;

/**
 * Evaluates the application. The native layer reports whatever the application throws later.
 * @throws StartError when the file cannot be read, when root must not trust it, or when it is not an ES module that
 * imports only modules `nound:...`.
 */
export function runApplication({ path, args }: RunCommand): void {
  const text = attempt(exitStatus.application, () => system.readTextFile(path, applicationBytes, "asRoot"));
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    script.run(name, text, args);
  } catch (error) {
    throw new StartError(`${path}: ${placeOf(error, name)}${sentenceOf(error)}`, exitStatus.application);
  }
}

/** @returns `line 12: ` if the engine names a place in the application. An error of linking modules has none. */
function placeOf(error: unknown, name: string): string {
  const [first = ""] = error instanceof Error ? String(error.stack).split("\n") : [];
  const place = first.indexOf(`at ${name}:`);
  return place < 0 ? "" : `line ${Number.parseInt(first.slice(place + `at ${name}:`.length), 10)}: `;
}
