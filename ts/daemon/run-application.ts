/** Runs a bundled application from a file, in place of the stock program: `--run FILE`. */
import * as script from "nound:script";
import { system } from "../application/platform.ts";
import { attempt, exitStatus, StartError, sentenceOf } from "../application/start-error.ts";
import type { RunCommand } from "./command-line.ts";

/** Bytes an application may have. A bundle of everything there is has a tenth of it. */
const applicationBytes = 4_194_304;

/**
 * Evaluates the application; what it throws from then on is reported by the native layer.
 * @throws StartError when the file cannot be read or, by root, not be trusted; or when it is no ES module that imports modules `nound:...` alone.
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

/** @returns `line 12: `, where the engine tells a place in the application; a mistake at the link has none. */
function placeOf(error: unknown, name: string): string {
  const [first = ""] = error instanceof Error ? String(error.stack).split("\n") : [];
  const place = first.indexOf(`at ${name}:`);
  return place < 0 ? "" : `line ${Number.parseInt(first.slice(place + `at ${name}:`.length), 10)}: `;
}
