/**
 * Replaces Node's timers by those of the simulated clock, so that an application's `setTimeout` obeys `advance`. Loaded
 * before each file of tests: cli/vitest.config.mjs.
 */
import { clearInterval, clearTimeout, setInterval, setTimeout } from "../application/globals/timers.ts";

Object.assign(globalThis, { clearInterval, clearTimeout, setInterval, setTimeout });
