/** What an application says to the people who run it, and the token file that it reads. */
import { chmodSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { bundleApplication } from "../harness/bundled-application.ts";
import { runApplication } from "../harness/nound-process.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

let bundle = "";
let line = "";

beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/messages-application.ts");
  ({ line } = await makeToken("panel"));
});

const told = String.raw`from a client: \x1b[31m caf\xe9\x0a 7 {"a":[1]} undefined`;
const failures = /^tokens: panel\nError: the motor is warm at [^\n]*\n$/;

test("the console writes what the server's log lets through, one line a call, without terminal codes", async () => {
  const tokens = tokenFile(line);
  expect(await runApplication(bundle, tokens)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect((await runApplication(bundle, tokens, "errors")).stderr).toMatch(failures);
  const [first, ...rest] = (await runApplication(bundle, tokens, "requests")).stderr.split("\n");
  expect(first).toBe(told);
  expect(rest.join("\n")).toMatch(failures);
  expect((await runApplication(bundle, tokens, "none", "--debug")).stderr).toContain(told);
});

test("a token file that everyone may write to is not read by an application either", async () => {
  const open = tokenFile(line);
  chmodSync(open, 0o666);
  const { status, stderr } = await runApplication(bundle, open);
  expect(status).toBe(70);
  expect(stderr).toContain(`cannot trust ${open}: everyone may write to it; chmod o-w it`);
});
