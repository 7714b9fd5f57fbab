/** How a signal ends a program that serves. */

import { describeError } from "../../core/noun/failure.ts";
import { escapeForLog } from "../../core/server/log.ts";
import type { Loop } from "../../native/loop.ts";

/** The numbers of the signals that end the program (signal(7)). */
const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** EX_SOFTWARE of sysexits.h: the program itself is wrong. */
const softwareStatus = 70;

export interface Ending {
  /** Closes the server after the requests in flight are answered. */
  closeServer(): Promise<void>;
  /** Sets the outputs to their final states. Called when the server has closed, or cannot close. */
  closeNouns(): void;
  /** Ends the process for the next one, or goes on with new tokens; undefined if nothing would start another one. */
  readonly reload: (() => Promise<void>) | undefined;
  /** Receives lines for people. */
  log(line: string): void;
}

/**
 * The first SIGTERM or SIGINT lets requests in flight finish and exits with status 0, a second one ends it at once, as
 * if it had no handler. In both cases the nouns are closed. SIGHUP is a reload.
 */
export function endOnSignal(loop: Pick<Loop, "onSignal" | "exit">, ending: Ending): void {
  const { closeServer, closeNouns, reload, log } = ending;
  let isEnding = false;
  function leave(status: number): void {
    closeNouns();
    loop.exit(status);
  }
  function end(error: unknown): void {
    log(escapeForLog(`ending: ${describeError(error)}`));
    leave(softwareStatus);
  }
  loop.onSignal((name) => {
    if (name === "SIGHUP") {
      log(reload === undefined ? "SIGHUP: ignored" : "SIGHUP: reloading");
      // What cannot be handed over is lost with this process, and so are its outputs: it ends in order.
      if (!isEnding) reload?.().catch(end);
      return;
    }
    if (isEnding) {
      leave(128 + signalNumbers[name]);
      return;
    }
    isEnding = true;
    log(`${name}: ending`);
    closeServer().then(() => leave(0), end);
  });
}
