/**
 * Tries what a restricted program must not do, before it is restricted and after. Prints both, and what was restricted.
 */

import { printOutput } from "nound:system";
import { quit, restrict } from "../../../ts/nound.ts";

declare const tryCalls: () => { readonly [call: string]: number };

const before = tryCalls();
const restricted = restrict();
const after = tryCalls();
printOutput(JSON.stringify({ before, restricted, after }));
quit(0);
