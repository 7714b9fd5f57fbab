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
  /** @returns whether this process checks the configuration for a reload. */
  isChecker(): boolean;
  /**
   * Notes a text that the program has read, by a hash of it.
   * @param name what it is: at most 100 bytes.
   * @returns whether an earlier process, or the one that serves, has read the same.
   */
  isSame(name: string, text: string): boolean;
  /** Keeps a key, which the next process inherits by its beginning. @param key at most 198 bytes, or it is not kept. */
  keep(key: string): void;
  /** @returns what follows a beginning in a key that an earlier process kept, once; undefined without one. */
  inherit(beginning: string): string | undefined;
  /** Ends the start: what no one has claimed is released. @param status a sentence for the service manager. */
  ready(status: string): void;
  /** Says that this process ends for the next one: what is closed from now on stays as it is. */
  beginHandingOver(): void;
  /** @returns whether another process goes on with the hardware if this one ends now, as when its start fails. */
  isHandingOver(): boolean;
  /**
   * Leaves a text for the next process, and ends this one at once. A check leaves the text of the token file for the
   * process that serves. Returns only if that fails.
   */
  handOver(text: string): void;
  /** @returns the text that the last process left; undefined without one. */
  states(): string | undefined;
  /** @returns the text that a check left, once; undefined without one: the configuration is to be read again. */
  tokens(): string | undefined;
  /** Keeps the text of the configuration, for a process that must do with the previous one. */
  keepConfiguration(text: string): void;
  /** @returns the text of the previous configuration, if this process is to serve that. */
  previousConfiguration(): string | undefined;
}
