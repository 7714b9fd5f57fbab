/** Programs for the tests of one native module: their text runs in the engine. */
import { expect } from "vitest";
import { configurationFile, runApplication } from "./nound-process.ts";

/** @param program the text of a module that ends by itself, in order. @returns what it prints. */
export async function printedBy(program: string): Promise<string> {
  const { status, stdout, stderr } = await runApplication(configurationFile(program));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}
