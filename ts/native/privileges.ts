/**
 * The types of the C module `nound:privileges`: gives up rights of the process once everything is open. Some hold for
 * every program from the start: no program that it starts gains a privilege (no_new_privs), only its user can read new
 * files (umask 077), and neither a core file nor a debugger gets its memory, unless the environment has
 * NOUND_DUMPABLE=1.
 */

import type { TlsOptions } from "./tls-options.ts";

/**
 * What a program may still open after `restrict`. Each path must exist. A folder includes everything in it. A USB
 * device gets a new file each time it is plugged in: name its folder.
 *
 * @example
 * const reach: Reach = { readable: ["/proc"], writable: ["/dev/ttyS1"] };
 * restrict(reach);
 * restrict({ connect: ["192.0.2.10:8080"] });
 */
export interface Reach {
  /** Files and folders that the program reads later. */
  readonly readable?: readonly string[];
  /** Files, devices and folders that the program reads and writes later. It may create files in the folders. */
  readonly writable?: readonly string[];
  /** The servers that `fetch` may ask: `HOST:PORT`, `[v6]:PORT` or `https://HOST:PORT`, at most 32. */
  readonly connect?: readonly string[];
  /** How connections to those with `https://` are encrypted. */
  readonly tls?: TlsOptions;
}

export interface Privileges {
  /**
   * Sets the user that `restrict` becomes. To be called first, as a folder that `openStore` makes is then made for that
   * user, and a file of that user's is trusted (`readTextFile`).
   * @param user a name of /etc/passwd, or a number. The user has the groups that /etc/group gives it.
   * @param group a name of /etc/group, or a number; the user's own unless given.
   * @throws Error with a sentence: there is no such user or group, it is root, or this process is not root.
   */
  chooseAccount(user: string, group?: string): void;
  /** @throws Error as `chooseAccount`, except that this process need not be root. Nothing is chosen. */
  findAccount(user: string, group?: string): void;
  /**
   * Becomes the chosen user for good, gives up all capabilities, and makes the kernel's Landlock, if it has that,
   * refuse every file and TCP port that is not open already. Of files there remain those within `reach`, those in a
   * folder that is open (of a `Store`, of a LED, PWM channel or converter), and a Unix socket's own, to be removed.
   * Then the kernel's seccomp, if it has that, refuses every system call that is not left to be made: no socket is
   * opened, no program or thread started, no owner or mode of a file changed (NOUND_UNFILTERED=1 in the environment
   * leaves this out). To be called once, when everything is open and listens; an error is no reason to go on.
   * @returns for the debug log, what is given up, and whether the kernel has Landlock and seccomp.
   * @throws Error with a sentence.
   */
  restrict(reach?: Reach): string;
  /** @returns whether `restrict` was called. */
  isRestricted(): boolean;
  /** @returns what `restrict` would say on this kernel. Nothing is restricted. */
  restrictions(): string;
}
