/** `--run FILE`: an application from a file, in place of the stock program. */
import { chmodSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationFile, runNound, temporaryPath } from "../harness/nound-process.ts";

/** Writes an application. @returns its path. */
const applicationFile = configurationFile;

test("an application's command line is what follows --, and its exit status is its own", async () => {
  const path = applicationFile(`
    import { args, printOutput } from "nound:system";
    import { exit } from "nound:loop";
    printOutput(JSON.stringify(args));
    exit(3);
  `);
  expect(await runNound("--run", path, "--", "--debug", "caf\u00e9")).toEqual({
    status: 3,
    signal: null,
    stdout: '["--debug","caf\u00e9"]',
    stderr: "",
  });
});

test.each([
  ["that does not exist", () => temporaryPath("missing.js"), "there is no such file"],
  ["that is a folder", () => folder(), "it is not a regular file"],
  ["that is a device without an end", () => "/dev/zero", "cannot "],
  ["with a syntax error", () => applicationFile("let a = 1;\nlet b = = 2;\n"), "line 2: unexpected token"],
  ["that imports a file", () => applicationFile('import a from "./a.js";'), "cannot import"],
  ["that imports what a module lacks", () => applicationFile('import { zqx } from "nound:loop";'), "zqx"],
])("an application %s is refused in one line that says so, with status 66", async (_, path, sentence) => {
  const file = path();
  const { status, stdout, stderr } = await runNound("--run", file);
  expect({ status, stdout }).toEqual({ status: 66, stdout: "" });
  expect(stderr).toMatch(/^nound: [^\n]{10,400}\n$/);
  expect(stderr).toContain(file);
  expect(stderr).toContain(sentence);
});

function folder(): string {
  const path = temporaryPath("folder");
  mkdirSync(path);
  return path;
}

test.each([
  ["at once", "function start() {\n  throw new TypeError('broken');\n}\nstart();\n", ":2:"],
  ["after an await", "await null;\nnull.x;\n", ":2:"],
])("what an application throws %s ends it with status 70, the sentence and its own stack", async (_, text, place) => {
  const { status, stderr } = await runNound("--run", applicationFile(text));
  expect(status).toBe(70);
  expect(stderr).toMatch(/^nound: TypeError: /);
  expect(stderr).toContain(place);
  expect(stderr).not.toContain("nound.js:");
});

test.runIf(process.getuid?.() === 0)("root does not run an application that everyone may write to", async () => {
  const file = applicationFile("");
  chmodSync(file, 0o666);
  const { status, stderr } = await runNound("--run", file);
  expect(status).toBe(66);
  expect(stderr).toBe(`nound: cannot trust ${file}: everyone may write to it; chmod o-w it\n`);
});
