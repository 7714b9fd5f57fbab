/**
 * The global names that every JavaScript author expects (WinterTC's minimum common API), as far as they make sense on a
 * device. The bundle of an application imports those that it uses and no others: tools/bundle/application.mjs. On Node
 * the names are Node's own, except for the timers of tests: ts/program/testing/global-timers.ts.
 */
export { AbortController } from "./abort.ts";
export { console } from "./console.ts";
export { TextDecoder, TextEncoder } from "./text-encoding.ts";
export { clearInterval, clearTimeout, setInterval, setTimeout } from "./timers.ts";
