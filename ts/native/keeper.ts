/**
 * The types of the C module `nound:keeper`: what a process leaves for the next one at a reload. Another process, the
 * keeper, holds lines and listening sockets meanwhile (native/keeper/keeper.h). Without a keeper, nothing happens.
 */

/** The functions of `nound:keeper`. */
export interface Keeper {
  /** @returns whether this process has a keeper, so that SIGHUP is a reload. */
  exists(): boolean;
  /** @returns whether an earlier process has left something. */
  hasHistory(): boolean;
  /**
   * Claims hardware without a descriptor, with all that the configuration says of it.
   * @param key at most 198 bytes; a longer one is never known.
   * @returns whether an earlier process had the same.
   */
  claim(key: string): boolean;
  /** Ends the start: what no one has claimed is released. */
  ready(): void;
  /** Says that this process ends for the next one: what is closed from now on stays as it is. */
  beginHandingOver(): void;
  /** Leaves a text for the next process, and ends this one at once. Returns only if that fails. */
  handOver(text: string): void;
  /** @returns the text that the last process left; undefined without one. */
  states(): string | undefined;
  /** Keeps the text of the configuration, for a process that must do with the previous one. */
  keepConfiguration(text: string): void;
  /** @returns the text of the previous configuration, if this process is to serve that. */
  previousConfiguration(): string | undefined;
}
