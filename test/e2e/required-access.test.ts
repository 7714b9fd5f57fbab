/** Devices that need tokens: what the built program refuses to listen on, and what a maker's build tells everyone. */
import { unlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationFile, NoundProcess, runNound, startNound, temporaryPath } from "../harness/nound-process.ts";
import { openListeners, type Tried } from "../harness/open-listeners.ts";
import { endedByThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

/** @returns what it prints of its mistakes, and its status. */
async function tried({ configuration, args = [] }: Tried, ...how: readonly string[]) {
  const words = args.flatMap((address) => ["--listen", address]);
  const file = configurationFile(JSON.stringify(configuration));
  const { status, stdout, stderr } = await runNound(...how, "--config", file, ...words);
  return { status, stdout, stderr };
}

test("thirty configurations that open a listener without a token are refused, checked or served", async () => {
  const tokens = temporaryPath("tokens");
  const refused = openListeners(tokens);
  expect(refused.length).toBeGreaterThanOrEqual(30);
  const refuse = async ([what, one, sentences]: (typeof refused)[number]) => {
    for (const ending of [await tried(one, "--check"), await tried(one)]) {
      expect([ending.status, ending.stdout], what).toEqual([78, ""]);
      for (const sentence of sentences) expect(ending.stderr, what).toContain(sentence);
    }
  };
  const waiting = refused.filter(([, { file }]) => file === undefined).values();
  const refuseNext = async () => {
    for (const one of waiting) await refuse(one);
  };
  await Promise.all(Array.from({ length: 4 }, refuseNext));
  for (const one of refused.filter(([, { file }]) => file !== undefined)) {
    writeFileSync(tokens, one[1].file ?? "", { mode: 0o600 });
    await refuse(one);
    unlinkSync(tokens);
  }
});

test("a maker's build requires tokens, and tells everyone where to report a vulnerability", async () => {
  const program = "nound-maker";
  const file = configurationFile(JSON.stringify({ listen: "0.0.0.0:8080", nouns }));
  const { status, stderr } = await endedByThisTest(new NoundProcess(["--config", file], "", { program })).ending();
  expect([status, stderr]).toEqual([78, expect.stringContaining("$.listen: this nound was built to require tokens")]);

  const access = { tokens: tokenFile((await makeToken("owner")).line) };
  const nound = endedByThisTest(await startNound({ access, nouns }, [], { program }));
  expect((await fetch(`http://${nound.address}/led`)).status).toBe(401);
  const answer = await fetch(`http://${nound.address}/.well-known/security.txt`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const [, expires = ""] =
    /^Contact: mailto:psirt@maker\.example\r\nExpires: (\S+Z)\r\n$/.exec(await answer.text()) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());

  const others = endedByThisTest(await startNound({ nouns }));
  expect((await fetch(`http://${others.address}/.well-known/security.txt`)).status).toBe(404);
});
