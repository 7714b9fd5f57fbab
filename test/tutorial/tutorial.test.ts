/**
 * docs/tutorial.md, typed literally in a clean checkout of what is committed, and its files saved. It compiles the
 * engine for ARM, and so takes two to five minutes on two processors.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isListening } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { temporaryFolder } from "../harness/project.ts";
import { top } from "../harness/top.ts";
import { page, printedCommands, savedFiles } from "./page.ts";
import { Terminal } from "./terminal.ts";

const commands = printedCommands();
const address = "127.0.0.1:8080";
let terminal: Terminal;
/** What the page calls a second terminal: `npm run dev` has the first. */
let second: Terminal | undefined;
let project = "";

beforeAll(() => {
  if (isListening(address)) throw new Error(`Another program listens at ${address}, which is the tutorial's.`);
  const folder = temporaryFolder();
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", top, join(folder, "nound")]);
  terminal = new Terminal(join(folder, "nound"));
  project = join(folder, "my-device");
});

afterAll(() => {
  terminal?.close();
  second?.close();
});

test("fewer than twelve commands are printed, and at most seven lead to the binary's answer", () => {
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.length).toBeLessThan(12);
  expect(commands.findIndex(({ line }) => line.startsWith("curl "))).toBeLessThan(7);
});

/** Whether a command leaves a server behind, or is one. A person sees that it runs before typing on. */
function serves(line: string): boolean {
  return line.endsWith(" &") || line === "npm run dev";
}

async function isServed(path: string): Promise<boolean> {
  try {
    return (await fetch(`http://${address}${path}`, { headers: { connection: "close" } })).ok;
  } catch {
    return false;
  }
}

test.each(commands)("$line", async ({ line, answers }) => {
  if (line.startsWith("kill ")) {
    await terminal.type(line);
    await eventually("the port is free", () => !isListening(address));
    return;
  }
  const printed = serves(line) ? terminal.start(line) : await (second ?? terminal).type(line);
  const text = () => (typeof printed === "string" ? printed : printed());
  // It may compile before, for as long as the test may take.
  while (serves(line) && !isListening(address)) await delay(20);
  await eventually(`${line} has printed: ${answers.join(" ")}`, () =>
    answers.every((answer) => text().includes(answer)),
  );
  if (line !== "npm run dev") return;
  for (const [name, saved] of Object.entries(savedFiles)) writeFileSync(join(project, name), saved);
  await eventually("the fan is served", () => isServed("/fan"));
  second = new Terminal(project);
});

test.each(["src/led.ts", "src/main.ts"])("the page shows %s as it is made", (file) => {
  const shown = new RegExp(`^\`\`\`ts\\n// ${file}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  expect(shown?.length).toBeGreaterThan(0);
  expect(readFileSync(join(top, "cli/template", file), "utf8")).toContain(shown);
});
