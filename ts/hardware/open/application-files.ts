/** Files as an application uses them: those of the kernel and of other programs, and a folder of its own. */

import type { Store } from "../../native/storage.ts";
import { hardware } from "../../platform/platform.ts";
import { opening, refused } from "../../platform/reach.ts";

/**
 * Reads a whole regular file as strict UTF-8. Meanwhile the server serves other requests: a file of `/sys` may be as
 * slow as the device behind it. After `restrict`, the file must be within its reach.
 * @param path an absolute path.
 * @param limit the largest size of the file in bytes, at most 1 MiB.
 * @throws Error with a sentence (a rejected promise): no such file, no permission, too large, not UTF-8, or 64
 * operations under way.
 *
 * @example
 * const [seconds] = (await readText("/proc/uptime")).split(" ");
 */
export async function readText(path: string, limit = 65_536): Promise<string> {
  return await hardware().files.readText(path, limit).catch(refused("readable", path));
}

/**
 * Lists a folder, without `.` and `..`.
 * @param path an absolute path. After `restrict`, it must be within its reach.
 * @param limit the largest number of names.
 * @returns the names, sorted.
 * @throws as `readText`.
 *
 * @example
 * for (const name of await listFolder("/sys/class/net")) console.log(name);
 */
export async function listFolder(path: string, limit = 1_024): Promise<string[]> {
  const names = await hardware().files.listFolder(path, limit).catch(refused("readable", path));
  return names.sort();
}

/**
 * Opens a folder of small texts that survive the program, a crash and the loss of power. Creates the folder if its
 * parent exists.
 * @throws Error with a sentence for people.
 *
 * @example
 * const store = openStore("/var/lib/my-device");
 * store.write("count", "42");
 * const count = Number(store.read("count") ?? 0);
 */
export function openStore(path: string): Store {
  return opening(path, () => hardware().storage.openStore(path));
}
