/**
 * The types of the C module `nound:keeper`: what a process leaves for the next one at a reload. Another process, the
 * keeper, holds lines and listening sockets meanwhile (native/keeper/keeper.h). Without a keeper, nothing happens.
 */

export type KeptKind = "led" | "pwm" | "hash" | "line";

export interface Keeper {
  /** @returns whether this process has a keeper, so that SIGHUP is a reload. */
  exists(): boolean;
  /** @returns whether an earlier process has left something. */
  isSuccessor(): boolean;
  /** @returns whether this process checks the configuration for a reload. */
  isChecker(): boolean;
  /**
   * Keeps how something without a descriptor is set, for the next process: an LED, a PWM channel, the hash of a text, a
   * line by what the configuration calls it.
   * @param name at most 255 bytes. @param note at most 511 bytes. If they are longer, a line of the log says so.
   */
  keep(kind: KeptKind, name: string, number: number, note: string): void;
  /** @returns what an earlier process has kept, once; undefined without any. @param name undefined for any. */
  inherit(
    kind: KeptKind,
    name?: string,
    number?: number,
  ): readonly [name: string, number: number, note: string] | undefined;
  /**
   * Ends the start: what no one has claimed is released. @param status a sentence for the service manager.
   * @param expectsOnline whether `online` is to follow. @param closing ms that requests may take when it hands over.
   */
  ready(status: string, expectsOnline: boolean, closing: number): void;
  /** Says that a broker has accepted the device. */
  online(): void;
  /** @returns whether a newer program was given up, so that this one runs again. */
  hasGoneBack(): boolean;
  /** Says that this process ends for the next one: what is closed from now on stays as it is. */
  beginHandingOver(): void;
  /** @returns whether another process goes on with the hardware if this one ends now, as when its start fails. */
  isHandingOver(): boolean;
  /**
   * Leaves a text behind what was left before, unless it is the first one: the nouns' states for the next process, in a
   * check the token file for the process that serves.
   * @throws Error with a sentence if it cannot, or if all of it takes more than 64 MiB.
   */
  leave(text: string, isFirst: boolean): void;
  /**
   * Ends this process at once, for the one that reads what it leaves.
   * @param goesOn whether a check goes on instead, because the process that serves is to end as well.
   * @throws Error with a sentence if it cannot.
   */
  handOver(goesOn?: boolean): void;
  /** Says that this process goes on, because it cannot leave its states. */
  refuse(): void;
  /** Says that the tokens count that a check has left, and that this process goes on. */
  admit(): void;
  /** @returns what the last process has left; undefined for nothing. */
  states(): string | undefined;
  /** @returns what a check has left, once; undefined if it has found the tokens unchanged. */
  tokens(): string | undefined;
  /** Keeps the text of the configuration, for a process that must do with the previous one. */
  keepConfiguration(text: string): void;
  /**
   * @param isForComparison whether a check only compares another one with it.
   * @returns the text of the previous configuration, once, if so, or if this process is to serve that, or to check its
   *   tokens alone.
   */
  previousConfiguration(isForComparison?: boolean): string | undefined;
}
