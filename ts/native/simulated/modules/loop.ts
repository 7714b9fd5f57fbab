/** Replaces `nound:loop` on Node: time passes when a test says so, and Node reports errors. */
import type { Loop } from "../../loop.ts";
import { world } from "../world.ts";

export const now: Loop["now"] = () => world().clock.now();
export const turnTime: Loop["turnTime"] = () => world().clock.turnTime();
export const setTimer: Loop["setTimer"] = (callback, delay) => world().clock.setTimer(callback, delay);
export const clearTimer: Loop["clearTimer"] = (timer) => world().clock.clearTimer(timer);
export const onSignal: Loop["onSignal"] = (handler) => {
  world().onSignal = handler;
};
export const onUnhandledRejection: Loop["onUnhandledRejection"] = () => {};
export const onUncaughtError: Loop["onUncaughtError"] = () => {};
export const onStandstill: Loop["onStandstill"] = () => {};
export const exit: Loop["exit"] = (status) => {
  world().exitStatus = status;
};
