/**
 * The types of the C module `nound:files`: files and folders, read and written by worker threads, because reading an
 * attribute of a device may take long. The loop serves meanwhile.
 *
 * At most 64 operations of all hardware and files are under way at once, and 8 more if they are for outputs. One more
 * is refused.
 */

/** The functions of `nound:files`. Each promise is rejected with an Error whose message is a sentence. */
export interface Files {
  /**
   * Reads a regular file whole as strict UTF-8.
   * @param path an absolute path.
   * @param limit the largest size of the file in bytes, at most 1 MiB.
   * @param within a folder that the path must begin with, as `/sys`; the file must be on the file system of that
   *   folder, so that no symbolic link leads out of it.
   * @param order operations with the same order run one after the other, in the order of the calls; without one, in any
   *   order. Those of an order that begins with `output `, and all that write, are not held up by others that hang.
   */
  readText(path: string, limit: number, within?: string, order?: string): Promise<string>;
  /**
   * Reads several files, one after the other, as one operation: what belongs together costs one promise.
   * @param paths 1 to 16 of them.
   * @returns their texts in the same order; at once where nobody has to wait for them, as on the simulated device.
   * @throws Error with a sentence, at once or by the promise, for the first file that fails.
   */
  readTexts(
    paths: readonly string[],
    limit: number,
    within?: string,
    order?: string,
  ): readonly string[] | Promise<readonly string[]>;
  /**
   * Lists a folder, without `.` and `..`, in no order. Names that are no UTF-8 are left out.
   * @param limit the largest number of names.
   */
  listFolder(path: string, limit: number, within?: string, order?: string): Promise<string[]>;
  /** Writes a text to a regular file that exists, by one call of write(2), as attributes of the kernel want it. */
  writeText(path: string, text: string, within?: string, order?: string): Promise<void>;
}
