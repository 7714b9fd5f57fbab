/** The program as a whole: a test can end it and begin again. */

import { beginProgram } from "../../native/of-program.ts";
import { world } from "../../native/simulated/world.ts";

/**
 * Resets the simulated device, for the next test: it has no open lines, no stored texts and no timers. Do not use
 * earlier objects after that.
 *
 * @example
 * beforeEach(reset);
 */
export function reset(): void {
  beginProgram();
}

/**
 * Sends the program a signal, as a person or an init system does.
 *
 * @example
 * server.listen("127.0.0.1:8080");
 * sendSignal("SIGTERM");
 * await advance(0);
 * expect(exitStatus()).toBe(0);
 */
export function sendSignal(name: "SIGTERM" | "SIGINT" | "SIGHUP"): void {
  world().onSignal?.(name);
}

/**
 * The status the program has ended with; undefined while it runs.
 *
 * @example
 * expect(exitStatus()).toBeUndefined();
 */
export function exitStatus(): number | undefined {
  return world().exitStatus;
}

/**
 * Puts a file onto the simulated device, for `readText`, `listFolder` and `readTokens`. It creates the folders, too.
 * For files of a store, see `storedTexts`.
 *
 * @example
 * putFile("/etc/my-device/tokens", `panel GET * ${"0".repeat(64)}\n`);
 */
export function putFile(path: string, text: string): void {
  world().files.set(path, text);
}

/**
 * Removes a file, or a folder with all its contents, from the simulated device: a sensor that is unplugged, for
 * instance.
 *
 * @example
 * removeFile("/sys/bus/w1/devices/28-0316a2796ee1");
 */
export function removeFile(path: string): void {
  const { files } = world();
  for (const name of [...files.keys()]) {
    if (name === path || name.startsWith(`${path}/`)) files.delete(name);
  }
}
