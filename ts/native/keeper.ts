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
  /**
   * Keeps how hardware without a descriptor is set, for the next process.
   * @param device a folder or a chip. @param settings at most 512 bytes; a line of the log says so if they are more.
   */
  keep(kind: "led" | "pwm", device: string, channel: number, settings: string): void;
  /** @returns what an earlier process has kept of a kind, each once; undefined without any. @param device or any. */
  inherit(
    kind: "led" | "pwm",
    device?: string,
    channel?: number,
  ): readonly [device: string, channel: number, settings: string] | undefined;
  /** Ends the start: what no one has claimed is released. @param status a sentence for the service manager. */
  ready(status: string): void;
  /** Says that this process ends for the next one: what is closed from now on stays as it is. */
  beginHandingOver(): void;
  /** @returns whether another process goes on with the hardware if this one ends now, as when its start fails. */
  isHandingOver(): boolean;
  /**
   * Leaves a text for another process: that of a noun for the next process, in a check the token file for the process
   * that serves.
   * @throws Error with a sentence if it cannot, or if all texts together take more than 64 MiB.
   */
  leave(name: string, text: string): void;
  /** Begins to leave texts again. */
  leaveNothing(): void;
  /** Ends this process at once, for the one that reads what it leaves. @throws Error with a sentence if it cannot. */
  handOver(): void;
  /** Says that this process goes on, because it cannot leave its states. */
  refuse(): void;
  /** @returns what the last process has left: each name, followed by its text. */
  states(): readonly string[];
  /** @returns what a check has left, once; empty if the configuration is to be read again. */
  tokens(): readonly string[];
  /** Keeps the text of the configuration, for a process that must do with the previous one. */
  keepConfiguration(text: string): void;
  /** @returns the text of the previous configuration, if this process is to serve that. */
  previousConfiguration(): string | undefined;
}
