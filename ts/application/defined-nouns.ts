/** Nouns that an application defines. Where requests are logged, mistakes of their authors that harm no client are logged as well. */
import { reportMistakes } from "../noun/mistakes.ts";
import { logLine } from "./log.ts";
import { isDebugging } from "./platform.ts";
import { nameOf } from "./server.ts";

export { defineNoun } from "../noun/define-noun.ts";

if (isDebugging) reportMistakes((noun, sentence) => logLine(`${nameOf(noun) ?? "a noun"}: ${sentence}`));
