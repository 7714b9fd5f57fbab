/** What docs/tutorial.md tells its reader to type, and what it says will be printed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { top } from "../harness/top.ts";

/** A command as printed. */
export interface PrintedCommand {
  readonly line: string;
  /** Lines that the page shows below it; each is in what the command prints. */
  readonly answers: readonly string[];
}

/** The page. */
export const page = readFileSync(join(top, "docs/tutorial.md"), "utf8");

/** The commands in the order of the page: the lines of its consoles that begin with a prompt. */
export function printedCommands(): readonly PrintedCommand[] {
  const consoles = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  return consoles
    .join("")
    .split(/^\$ /m)
    .filter((command) => command !== "")
    .map((command) => {
      const [line = "", ...answers] = command.trimEnd().split("\n");
      return { line, answers };
    });
}
