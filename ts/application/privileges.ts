/** What an application gives up once everything is open. With simulated hardware it gives up nothing. */
import * as privileges from "nound:privileges";
import type { Reach } from "../native/privileges.ts";
import { simulated } from "./platform.ts";
import { withNeeds } from "./reach.ts";

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
  if (simulated !== undefined) return;
  if (group === undefined) privileges.chooseAccount(user);
  else privileges.chooseAccount(user, group);
}

/**
 * Becomes the chosen user, if there is one, gives up all capabilities, and has the kernel refuse every file and TCP port that is not
 * open already (Landlock, where the kernel has it) and every system call that is not left to be made (seccomp, where the kernel has
 * it). To be called once, when everything is open and the server listens: no address can be listened on after that.
 * @param reach what is opened later all the same, such as a device that comes and goes. The ready-made nouns see to their own.
 * @returns what was given up, for a log.
 * @throws Error with a sentence; it is no reason to go on.
 *
 * @example
 * server.listen("127.0.0.1:8080");
 * restrict({ writable: ["/dev/ttyUSB0"] });
 */
export function restrict(reach: Reach = {}): string {
  return simulated === undefined ? privileges.restrict(withNeeds(reach)) : "simulated hardware keeps all privileges";
}
