/** Replaces `nound:loop` on Node: time passes when a test says so, and Node reports errors. */
import type { Clock, Loop } from "../../loop.ts";
import { functionsOf, world } from "../world.ts";

export const { now, turnTime, setTimer, clearTimer } = functionsOf<Clock>(() => world().clock);
export const setNounTimer = setTimer;
export const onSignal: Loop["onSignal"] = (handler) => {
  world().onSignal = handler;
};
export const onUnhandledRejection: Loop["onUnhandledRejection"] = () => {};
export const onUncaughtError: Loop["onUncaughtError"] = () => {};
export const onStandstill: Loop["onStandstill"] = () => {};
export const exit: Loop["exit"] = (status) => {
  world().exitStatus = status;
};
