/**
 * ms that a test waits for an event at most, however busy the machine is. No test is judged by it: to reach it is
 * always a failure. What is judged by the clock is in `npm run test:time` and `npm run test:hostile`.
 */
export const patience = 300_000;
