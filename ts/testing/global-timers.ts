/**
 * Puts the timers of the simulated clock instead of Node's, so that an application's `setTimeout` obeys `advance`. Loaded before each
 * file of tests: cli/vitest.config.mjs.
 */
import { clearInterval, clearTimeout, setInterval, setTimeout } from "../application/globals/timers.ts";

Object.assign(globalThis, { clearInterval, clearTimeout, setInterval, setTimeout });
