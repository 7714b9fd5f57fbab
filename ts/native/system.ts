/** The types of the C module `nound:system`: the process's surroundings. Only the daemon uses them, never the core. */

/**
 * When a file is to be trusted before it is read: always, or only where the process runs as root. A file is trusted
 * that belongs to root or to the user the process runs as (or is going to: `chooseAccount` of `nound:privileges`), as
 * does each folder and each symbolic link on its path, and that nobody else may write to, nor replace: neither the file
 * nor a folder on its path may be writable by everyone or by a group other than root's, unless the folder is sticky, as
 * /tmp is.
 */
export type TrustDemand = "always" | "asRoot";

/** What this user may do with a file. */
export interface FileAccess {
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  /** Whether everyone may read it; of a folder, go into it. */
  readonly isPublic: boolean;
  /** The group that may read and write it; "" if it is root's, or may not. */
  readonly group: string;
}

/**
 * Makes the sentence of a failure (native/text/failure.h).
 * @param what the name of the failure. @param error the kernel's error, `EACCES`; "" if no sentence needs to know it.
 * @param text the kernel's own text for it.
 */
export type Explain = (what: string, error: string, text: string, values: readonly string[]) => string;

export interface System {
  /** What is linked into the program beside the engine, each with its version: `,mbedtls 3.6.7,musl 1.2.5`. */
  readonly parts: string;
  /** The URI at which vulnerabilities of the device are reported, from the build; "" for none. */
  readonly contact: string;
  /** The version of this program, of package.json, and its commit if the build knew it: `0.2.0+a52e1cc`. */
  readonly version: string;
  /** Engine, its version and the binary's target, for `--version`: `quickjs-ng 0.17.0, x86_64-linux-musl`. */
  readonly build: string;
  /** The command line without the program's own name; bytes that are not UTF-8 become U+FFFD. */
  readonly args: readonly string[];
  /** An environment variable, or undefined. */
  environment(name: string): string | undefined;
  /**
   * Reads a regular file whole as strict UTF-8.
   * @param limit bytes the file may have.
   * @param trust for a file that decides what the process does, such as its configuration (`asRoot`) or who may speak
   *   to it (`always`). Without it, any file is read.
   * @throws Error with a sentence for people: no such file, not readable, too large, not UTF-8, not to be trusted and
   * why.
   */
  readTextFile(path: string, limit: number, trust?: TrustDemand): string;
  /** @returns what this user may do with a file or a folder, by its mode and its owner; undefined if it is not there. */
  accessOf(path: string): FileAccess | undefined;
  /**
   * @returns the names in a folder that begin with a prefix, without `.` and `..`, `gpiochip2` before `gpiochip10`;
   *   none if it cannot be read.
   */
  names(folder: string, prefix: string): readonly string[];
  /** @returns the release of the running kernel (uname(2)): `6.1.0-50-armmp`. */
  kernelRelease(): string;
  /**
   * Takes random bytes from the kernel (getrandom(2)), fit for secrets.
   * @param count bytes, 1 to 256.
   * @param waits whether to wait until the kernel has some, which may take a while after boot.
   * @returns them as hexadecimal digits, two a byte.
   * @throws Error with a sentence for people where the kernel has none: getrandom(2) came with Linux 3.17.
   */
  randomHex(count: number, waits: boolean): string;
  /** @returns the name of this host (gethostname(2)), up to the first dot. */
  hostName(): string;
  /** @returns the date of this program's source, in s since 1970. It has passed. */
  sourceDate(): number;
  /** @returns whether this program was built to listen on the network only with tokens. */
  isAccessRequired(): boolean;
  /** @returns whether a time server has set the clock, as far as the kernel knows. It may say "no" of a right clock. */
  isClockSynchronized(): boolean;
  /** Writes text as UTF-8 to standard output, whole. Errors (a closed pipe) are ignored. */
  printOutput(text: string): void;
  /**
   * Writes text as UTF-8 to standard error, whole, and waits for its reader. For the start of the program. Errors are
   * ignored.
   */
  printError(text: string): void;
  /**
   * Writes a line to standard error and never waits. For the time when the program serves. A line that cannot be
   * written is dropped whole. Before the next line, another line says how many were dropped.
   * @param line without its line feed. It is cut off after 8,000 bytes.
   */
  log(line: string): void;
  /** Sets what makes the messages of the errors that the C modules throw about files and hardware. */
  onFailure(explain: Explain): void;
}
