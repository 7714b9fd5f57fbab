/** Shows errors of nouns in the test runner, because an answer of 500 does not tell clients the reason. */

import { reportMistakes } from "../../core/noun/author-mistakes.ts";
import { observeFailures } from "../../platform/log.ts";
import { nameOf } from "../application/server.ts";

/** Frames of nound itself and of Node, which the author of a noun did not write. */
const foreignFrame = /\/build\/package\/|\(?node:|\/node_modules\//;

const { console } = globalThis as unknown as { readonly console: { error(text: string): void } };

/** @param description an error and its stack in one line. @returns lines with the frames of the author's files. */
function describe(description: string): string {
  const [message = "", ...frames] = description.split(" < ");
  return [message, ...frames.filter((frame) => !foreignFrame.test(frame)).map((frame) => `    ${frame}`)].join("\n");
}

observeFailures((noun, description) => console.error(`${noun}: ${describe(description)}`));
reportMistakes((noun, sentence) => console.error(`${nameOf(noun) ?? "a noun"}: ${sentence}`));
