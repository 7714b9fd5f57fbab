/** The types of the C module `nound:storage`: small texts that survive the process, one file each in a folder. */

/**
 * An open folder of texts.
 *
 * @example
 * const store: Store = openStore("/var/lib/my-device");
 * store.write("target", "20.5");
 */
export interface Store {
  /**
   * @returns the text stored under this name; "" if it cannot be used: it is not UTF-8, larger than 64 KiB, or no file.
   * Undefined if there is none.
   */
  read(name: string): string | undefined;
  /**
   * Stores a text. It writes a new file, syncs it (fsync) and renames it to replace the old one. So a crash or `kill
   * -9` leaves either the old text or the new one.
   * @param name letters, digits and `. _ ~ -`; not beginning with a dot.
   * @throws Error with a sentence.
   */
  write(name: string, text: string): void;
  /** @returns the names of all texts. @throws Error with a sentence. */
  names(): readonly string[];
  /** Deletes a text. There may be none. @throws Error with a sentence. */
  remove(name: string): void;
}

export interface Storage {
  /** Opens a folder. Creates it if its parent exists. @throws Error with a sentence. */
  openStore(path: string): Store;
}
