/** The types of the C module `nound:storage`: small texts that survive the process, one file each in a folder. */

/**
 * An open folder of texts.
 *
 * @example
 * const store: Store = openStore("/var/lib/my-device");
 * store.write("target", "20.5");
 */
export interface Store {
  /** @returns the text kept under this name, or undefined. A file that is no UTF-8 or over 64 KiB counts as none. */
  read(name: string): string | undefined;
  /**
   * Keeps a text: a new file is written, synced (fsync) and put instead of the old one (rename), so that a crash or
   * `kill -9` leaves either the old text or the new one.
   * @param name letters, digits and `. _ ~ -`; not beginning with a dot.
   * @throws Error with a sentence.
   */
  write(name: string, text: string): void;
}

/** The functions of `nound:storage`. */
export interface Storage {
  /** Opens a folder, which is made when its parent exists. @throws Error with a sentence. */
  openStore(path: string): Store;
}
