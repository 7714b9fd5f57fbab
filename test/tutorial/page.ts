/** What docs/tutorial.md tells its reader to type and to save, and what it says will be printed. */
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
const readme = readFileSync(join(top, "README.md"), "utf8");

/** The last block of TypeScript with a file's name in the page. */
function fileOf(name: string): string {
  return page.split(`\`\`\`ts\n// ${name}\n`).at(-1)?.split("```\n")[0] ?? "";
}

/** What the reader saves while `npm run dev` runs, by the names of the files, in this order: the noun is in README. */
export const savedFiles: Readonly<Record<string, string>> = {
  "src/fan.ts": /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? "",
  "test/fan.test.ts": fileOf("test/fan.test.ts"),
  "src/main.ts": fileOf("src/main.ts"),
};

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
