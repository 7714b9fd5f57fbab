/** Client programs that the tests use and that a machine may not have. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { onBuildServer } from "./environment.ts";

/** Why tests with a program are skipped, as the end of a title; undefined when it is there, or has to be. */
export function missing(command: string, ...args: string[]): string | undefined {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return undefined;
  } catch {
    return onBuildServer ? undefined : ` (skipped: ${[command, ...args].join(" ")} does not run here)`;
  }
}

/**
 * Runs a program to its end.
 * @param input its standard input.
 * @param environment is set in addition to that of the test run.
 * @returns its standard output.
 * @throws Error with what it printed where its status is not 0.
 */
export async function run(
  command: string,
  args: readonly string[],
  input = "",
  environment: { readonly [name: string]: string } = {},
): Promise<string> {
  const running = promisify(execFile)(command, args, { timeout: 60_000, env: { ...process.env, ...environment } });
  // A program that has ended by then has not read it; its status tells.
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout;
}

/** Debian's own, whose packages the scripts import. */
export const python = "/usr/bin/python3";
