/**
 * Token files for the program under test, made the way a person makes them: by nound --new-token and a shell's `>>`.
 */
import { writeFileSync } from "node:fs";
import { runNound, temporaryPath } from "./nound-process.ts";

/** A token and its line for the file. */
export interface MadeToken {
  readonly token: string;
  /** With every verb and noun; without a line end. */
  readonly line: string;
}

/** Has the program make a token. */
export async function makeToken(name: string): Promise<MadeToken> {
  const { status, stdout, stderr } = await runNound("--new-token", name);
  const [, token] = /^nound: the token of [^ ]+, shown this once: ([0-9a-f]{40})\n$/.exec(stderr) ?? [];
  if (status !== 0 || token === undefined) throw new Error(`nound --new-token ended with ${status}: ${stderr}`);
  return { token, line: stdout.trimEnd() };
}

/** @returns the path of a file with these lines, which nobody else may write to. */
export function tokenFile(...lines: readonly string[]): string {
  const path = temporaryPath("tokens");
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  return path;
}
