/**
 * A program for the tests, compiled into `nound-engine`: it asks the engine for what differs from processor to
 * processor, and prints what came out otherwise than on any other, then the number of checks and of failures.
 *
 *     nound-engine
 *     {"checks":70,"failures":[],"bigEndian":false}
 */
import * as loop from "nound:loop";
import * as system from "nound:system";
import { expressions } from "./engine/expressions.ts";
import { language } from "./engine/language.ts";
import { numbers } from "./engine/numbers.ts";
import { promises } from "./engine/promises.ts";
import { strings } from "./engine/strings.ts";
import { typedArrays } from "./engine/typed-arrays.ts";

let checks = 0;
const failures: string[] = [];

for (const [name, compute, expected] of [
  ...numbers,
  ...strings,
  ...expressions,
  ...promises,
  ...typedArrays,
  ...language,
]) {
  checks += 1;
  try {
    const actual = JSON.stringify(await compute());
    if (actual !== JSON.stringify(expected)) {
      failures.push(`${name}: ${actual}`);
    }
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
  }
}
const bigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;
system.printOutput(`${JSON.stringify({ checks, failures, bigEndian })}\n`);
loop.exit(failures.length === 0 ? 0 : 1);
