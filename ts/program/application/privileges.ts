/** The rights that an application gives up once everything is open. With simulated hardware it gives up none. */
import * as privileges from "nound:privileges";
import type { Reach } from "../../native/privileges.ts";
import { startFetching } from "../../parts/client/connections.ts";
import { areServersNamed } from "../../parts/client/servers.ts";
import { isSimulated } from "../../platform/platform.ts";
import { withNeeds } from "../../platform/reach.ts";

/**
 * Chooses the user that `restrict` becomes, for a program that root starts. Call it before opening anything.
 * @param user a name of /etc/passwd, or a number.
 * @param group a name of /etc/group, or a number; the user's own if left out.
 * @throws Error with a sentence: there is no such user or group, it is root, or this process is not root.
 *
 * @example
 * chooseAccount("nound");
 * server.listen("0.0.0.0:80");
 * restrict();
 */
export function chooseAccount(user: string, group?: string): void {
  if (isSimulated) return;
  if (group === undefined) privileges.chooseAccount(user);
  else privileges.chooseAccount(user, group);
}

/**
 * Gives up every right that the program no longer needs. It becomes the user of `chooseAccount`, if one was chosen, and
 * drops all capabilities. From then on the kernel refuses to open other files and TCP ports (by Landlock) and refuses
 * all system calls that a serving program does not need (by seccomp), each if the kernel has it. Files and sockets that
 * are open stay open. Call it once, after everything is open and the server listens. After it, `listen` fails.
 * @param reach files and devices that the program opens later, such as a device that is plugged in and out, and the
 *   servers that it asks by `fetch`. Do not list what the ready-made nouns need: they keep access to it by themselves.
 * @returns what was given up, as a text for a log.
 * @throws Error with a sentence. Let the program end then: it may still have all its rights.
 *
 * @example
 * server.listen("127.0.0.1:8080");
 * restrict({ writable: ["/dev"] }); // a USB device gets a new file each time it is plugged in
 */
export function restrict(reach: Reach = {}): string {
  if (reach.connect !== undefined || areServersNamed()) startFetching(reach.connect ?? [], reach.tls);
  return isSimulated ? "simulated hardware keeps all privileges" : privileges.restrict(withNeeds(reach));
}
