/** README.md: each command does what the page says, or stands in a page whose commands another test runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { missing, run } from "../harness/client-program.ts";
import { configurationFile, NoundProcess, runNound } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";
import { top } from "../harness/top.ts";

const page = readFileSync(join(top, "README.md"), "utf8");

/** The blocks of a language; "" for the indented ones. */
function blocks(language: string): readonly string[] {
  const fenced = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, name, text = ""]) => [name, text] as const);
  if (language !== "") return fenced.filter(([name]) => name === language).map(([, text]) => text);
  return [...page.replace(/^```.*?^```$/gms, "").matchAll(/(?:^ {4}.*\n)+/gm)].map(([text]) => text);
}

const noCurl = missing("curl", "--version");
test.skipIf(noCurl !== undefined)(`the first requests print what the page shows${noCurl ?? ""}`, async () => {
  const address = await freeAddress();
  const nound = endedByThisTest(new NoundProcess(["--simulate", "--listen", address], address));
  await nound.listening();
  const commands = blocks("console").join("").split(/^\$ /m).slice(1);
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const [line = "", shown] = command.trimEnd().split("\n");
    const printed = await run("sh", ["-c", `${line.replaceAll("127.0.0.1:8080", address)} --silent --noproxy '*'`]);
    expect(printed.trimEnd(), line).toBe(shown);
  }
  expect(await nound.stop()).toMatchObject({ status: 0, stdout: "" });
});

test("the device of the page is right, and can be tried on any computer", async () => {
  const [device = ""] = blocks("json");
  const checked = await runNound("--simulate", "--check", "--config", configurationFile(device));
  expect(checked).toMatchObject({ status: 0, stderr: "" });
  expect(checked.stdout).toContain("3 nouns");
});

/** The pages whose commands are run: by test:tutorial, test:systems, and the build of every CI run. */
const tried = ["docs/tutorial.md", "docs/home-assistant.md", "docs/install.md", ".ci/run", "package.json"].map((path) =>
  readFileSync(join(top, path), "utf8"),
);
test("every other command is one that another test runs", () => {
  const others = [...blocks("sh"), ...blocks("")];
  const lines = others.flatMap((block) => block.trimEnd().split("\n"));
  const commands = lines.map((line) => line.replace(/ {2,}#.*$/, "").trim());
  expect(commands.length).toBeGreaterThan(2);
  const untried = commands.filter((command) => {
    // test/e2e/start.test.ts runs the first, and `npm test` this file.
    const script = command.replace(/^npm ci && npm (start|test)$/, "tools/build/$1.mjs");
    return !tried.some((text) => text.includes(script));
  });
  expect(untried).toEqual([]);
});
