/**
 * An application of "nound" that speaks to the people who run it.
 *
 *     NOUND_APPLICATION=messages-application.js nound-runtime TOKENS [LOG]
 */
import { args, type LogLevel, quit, readTokens, Server } from "nound";

const [path = "", log = "none"] = args;
new Server({ log: log as LogLevel });
console.log("from a client: \u001b[31m caf\u00e9\n", 7, { a: [1] }, undefined);
console.warn("tokens:", ...readTokens(path).map(({ name }) => name));
globalThis.console.error(new Error("the motor is warm"));
quit(0);
