/** Runs once before the end-to-end tests. */
import { buildPrograms } from "../harness/build.ts";

/** Vitest calls it with its project, which is no part to build. */
export function setup(): void {
  buildPrograms();
}
