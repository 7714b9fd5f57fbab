/**
 * How long things may take. With `--quick`, as in `.ci/run`, nothing is judged by the clock: the machine has other work
 * as well.
 */
import { slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";

/** Whether this run judges how long things take. */
export const judgesTime = !process.argv.includes("--quick");

/**
 * Waits until something is so.
 * @param milliseconds how long that may take, where time is judged.
 * @throws Error when it takes longer.
 */
export async function inTime(what: string, probe: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds * slowness;
  await eventually(what, () => {
    const isLate = judgesTime && performance.now() > end;
    if (probe()) return true;
    if (isLate) throw new Error(`This took more than ${milliseconds} ms: ${what}.`);
    return false;
  });
}
