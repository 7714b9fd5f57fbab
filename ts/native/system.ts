/** The types of the C module `nound:system`: the process's surroundings. Only the daemon uses them, never the core. */

/** The functions of `nound:system`. */
export interface System {
  /** The version of this program, from package.json: `0.1.0`. */
  readonly version: string;
  /** Engine, its version and the target this binary was built for, for `--version`: `quickjs-ng 0.15.1, x86_64-linux-musl`. */
  readonly build: string;
  /** The command line without the program's own name; bytes that are not UTF-8 become U+FFFD. */
  readonly args: readonly string[];
  /** An environment variable, or undefined. */
  environment(name: string): string | undefined;
  /**
   * Reads a regular file whole as strict UTF-8.
   * @param limit bytes the file may have.
   * @throws Error with a sentence for people: no such file, not readable, too large, not UTF-8.
   */
  readTextFile(path: string, limit: number): string;
  /** Writes text as UTF-8 to standard output, whole. Errors (a closed pipe) are ignored. */
  printOutput(text: string): void;
  /** Writes text as UTF-8 to standard error, whole. Errors are ignored. */
  printError(text: string): void;
}
