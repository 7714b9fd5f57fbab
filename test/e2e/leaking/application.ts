/** The script of `nound-leaking`: objects, a cycle and a timer, all of which the engine frees by itself. */
import { setTimer } from "nound:loop";

const cycle: { self?: unknown } = {};
cycle.self = cycle;
setTimer(() => cycle.self, 1);
