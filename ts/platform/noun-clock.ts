/** The clock of nouns. Its timers make interruptible calls, because they may call an author's code. */
import type { Clock } from "../native/loop.ts";
import { loop } from "./platform.ts";

export const nounClock: Clock = {
  now: loop.now,
  turnTime: loop.turnTime,
  setTimer: loop.setNounTimer,
  clearTimer: loop.clearTimer,
};
