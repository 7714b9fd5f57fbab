/** Runs once before the tests of a release: they start the program of this machine beside those of the release. */
import { buildPart } from "../harness/build.ts";

/** Called by vitest. */
export function setup(): void {
  buildPart("nound");
}
