/** What an application says to the people who run it, and the token file that it reads. */
import { chmodSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { bundleApplication } from "./harness/bundled-application.ts";
import { runNound } from "./harness/nound-process.ts";
import { makeToken, tokenFile } from "./harness/token-file.ts";

let bundle = "";
let line = "";

beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/messages-application.ts");
  ({ line } = await makeToken("panel"));
});

test("print is seen as it is, log only with --debug and with nothing that drives a terminal", async () => {
  const tokens = tokenFile(line);
  const usage = "usage: caf\u00e9\n  TOKENS\n";
  expect(await runNound("--run", bundle, "--", tokens)).toMatchObject({
    status: 0,
    stdout: "",
    stderr: `${usage}panel\n`,
  });
  const { stderr } = await runNound("--run", bundle, "--", tokens, "--debug");
  expect(stderr).toBe(`${usage}from a client: \\x1b[31m caf\\xe9\\x0a\npanel\n`);
});

test("a token file that everyone may write to is not read by an application either", async () => {
  const open = tokenFile(line);
  chmodSync(open, 0o666);
  const { status, stderr } = await runNound("--run", bundle, "--", open);
  expect(status).toBe(70);
  expect(stderr).toContain(`cannot trust ${open}: everyone may write to it; chmod o-w it`);
});
