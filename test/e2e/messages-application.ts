/**
 * An application of "nound" that speaks to the people who run it, for `nound --run`.
 *
 *     nound --run messages-application.js -- TOKENS [--debug]
 */
import { args, exit, log, print, readTokens } from "../../ts/nound.ts";

const [path = ""] = args;
print("usage: caf\u00e9\n  TOKENS");
log("from a client: \u001b[31m caf\u00e9\n");
print(
  readTokens(path)
    .map(({ name }) => name)
    .join(),
);
exit(0);
