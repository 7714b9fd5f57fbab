/** Nouns that an application defines. With requests, it also logs mistakes of their authors that harm no client. */
import { reportMistakes } from "../../core/noun/author-mistakes.ts";
import { logLine } from "../../platform/log.ts";
import { isDebugging } from "../../platform/platform.ts";
import { nameOf } from "./server.ts";

export { defineNoun } from "../../core/noun/define-noun.ts";

if (isDebugging) reportMistakes((noun, sentence) => logLine(`${nameOf(noun) ?? "a noun"}: ${sentence}`));
