/** Python's requests and aiohttp, used as their pages teach it. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missing, python, run } from "../harness/client-program.ts";
import { startNound } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

/** What is asked: a method, a path and what the library takes besides. */
type Step = readonly [method: string, path: string, more?: object];
type Answer = readonly [status: number, fields: { readonly [name: string]: string }, text: string];

const ten = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`n${index}`, { kind: "value", default: { index } } as const]),
);
const nound = forAllTests(() => startNound({ nouns: { ...nouns, ...ten } }));

async function ask(script: string, address: string, steps: readonly Step[]): Promise<readonly Answer[]> {
  const path = join(import.meta.dirname, "python", script);
  const input = JSON.stringify(steps.map(([method, target, more = {}]) => [method, target, more]));
  return JSON.parse(await run(python, [path, `http://${address}`], input)) as Answer[];
}

const json = { "Content-Type": "application/json" };

describe.each([
  ["requests", "requests_client.py", missing(python, "-c", "import requests")],
  ["aiohttp", "aiohttp_client.py", missing(python, "-c", "import aiohttp")],
])("Python's %s", (_, script, reason) => {
  const title = (sentence: string) => `${sentence}${reason ?? ""}`;
  const statesOf = (answers: readonly Answer[]) => answers.map(([status, , text]) => [status, JSON.parse(text)]);

  test.skipIf(reason !== undefined)(title("reads, sets, toggles and resets"), async () => {
    const answers = await ask(script, nound().address, [
      ["PUT", "/led", { json: { led: 1 } }],
      ["GET", "/LED"],
      ["POST", "/led", { json: {} }],
      ["POST", "/led", { json: { led: 0 } }],
      ["DELETE", "/led"],
      ["PUT", "/note", { json: { text: "5 µm 温" } }],
    ]);
    const states = [{ led: 1 }, { led: 1 }, { led: 0 }, { led: 0 }, { led: 0 }, { text: "5 µm 温" }];
    expect(statesOf(answers)).toEqual(states.map((state) => [200, state]));
  });

  test.skipIf(reason !== undefined)(title("sets a state whose length it does not know, in chunks"), async () => {
    const answers = await ask(script, nound().address, [
      ["PUT", "/led", { chunks: ['{"l', 'ed":', "1}"], headers: json }],
      ["POST", "/led", { chunks: ['{"led":0}'], headers: json }],
      ["PUT", "/zqx", { chunks: ['{"led":1}'], headers: json }],
      ["GET", "/led"],
    ]);
    expect(answers.map(([status]) => status)).toEqual([200, 200, 404, 200]);
    expect(answers.at(-1)?.[2]).toBe('{"led":0}');
  });

  test.skipIf(reason !== undefined)(title("sees the noun of its token alone"), async () => {
    const { token, line } = await makeToken("led");
    const file = tokenFile(line.replace("GET,PUT,POST,DELETE *", "GET,PUT led"));
    const guarded = await startNound({ access: { tokens: file }, nouns });
    const headers = { Authorization: `Bearer ${token}` };
    const answers = await ask(script, guarded.address, [
      ["GET", "/", { headers }],
      ["PUT", "/led", { headers, json: { led: 1 } }],
      ["GET", "/note", { headers }],
      ["GET", "/"],
    ]);
    await guarded.stop();
    expect(answers.map(([status]) => status)).toEqual([200, 200, 403, 401]);
    expect(answers[0]?.[2]).toBe('{"led":{"led":0}}');
  });
});
