/** An application in place of the stock program. */
import { expect, test } from "vitest";
import { configurationFile, runApplication } from "../harness/nound-process.ts";

test("an application's command line is all that it is started with, and its exit status is its own", async () => {
  const path = configurationFile(`
    import { args, printOutput } from "nound:system";
    import { exit } from "nound:loop";
    printOutput(JSON.stringify(args));
    exit(3);
  `);
  expect(await runApplication(path, "--debug", "caf\u00e9")).toEqual({
    status: 3,
    signal: null,
    stdout: '["--debug","caf\u00e9"]',
    stderr: "",
  });
});

test.each([
  ["at once", "function start() {\n  throw new TypeError('broken');\n}\nstart();\n", ":2:"],
  ["after an await", "await null;\nnull.x;\n", ":2:"],
])("what an application throws %s ends it with status 70, the sentence and its own stack", async (_, text, place) => {
  const { status, stderr } = await runApplication(configurationFile(text));
  expect(status).toBe(70);
  expect(stderr).toMatch(/^nound: TypeError: /);
  expect(stderr).toContain(place);
});
