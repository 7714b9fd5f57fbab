/** Wrong tokens: what the log and the list of changes have of them. */
import { beforeEach, expect, test } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { type LogLevel, Server, switchNoun, type Token } from "../../../ts/nound.ts";
import { hash } from "../../../ts/platform/platform.ts";
import { advance, request, reset } from "../../../ts/testing.ts";

beforeEach(reset);

const right = "right".repeat(8);
const narrow = "narrow".repeat(6);
const wrong = "wrong".repeat(8);
const tokens: readonly Token[] = [
  { name: "owner", sha256: hash.sha256(right), verbs: ["GET"], nouns: ["*"] },
  { name: "panel", sha256: hash.sha256(narrow), verbs: ["GET"], nouns: ["led"] },
];

function serving(log: LogLevel): Server {
  const server = new Server({ log, access: { tokens } });
  server.register("led", switchNoun({ key: "led" }));
  server.listen("127.0.0.1:8080");
  return server;
}

const ask = (server: Server, token: string, path = "/led") =>
  request(server, { method: "GET", path, headers: { Authorization: `Bearer ${token}` } });

/** The document may take several turns of the loop. */
async function changesFor(server: Server, token: string): Promise<string> {
  const answer = ask(server, token, "/changes");
  await advance(1_000);
  return (await answer).text;
}

const refusals = () =>
  world()
    .printed.split("\n")
    .filter((line) => line.includes("wrong token"));

test("the log has a line at once and one a minute later, which count them all and have no token", async () => {
  const server = serving("errors");
  const statuses = new Set<number>();
  for (let count = 0; count < 500; count++) statuses.add((await ask(server, `${wrong}${count}`)).status);
  expect((await ask(server, right)).status).toBe(200);
  await advance(60_000);
  expect([...statuses]).toEqual([401, 429]);
  expect(refusals()).toEqual([
    expect.stringMatching(/access: refused a wrong token from [^ ]+$/),
    expect.stringMatching(/access: refused 499 wrong tokens from [^ ]+$/),
  ]);
  expect(world().printed).not.toContain(wrong);
});

test("the list of changes has them for a token that may read all nouns, and over a reload", async () => {
  const server = serving("none");
  await ask(server, wrong);
  await ask(server, wrong);
  await advance(60_000);
  const lines = (await changesFor(server, right)).split("\n").slice(0, -1);
  const from = expect.any(String);
  const time = expect.any(String);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time, refusedTokens: 1, from },
    { time, refusedTokens: 1, from },
  ]);
  expect(await changesFor(server, narrow)).toBe("");
  expect(refusals()).toEqual([]);
});

test("a request without a token, or with one that may not do it, is no wrong token", async () => {
  const server = serving("errors");
  expect((await request(server, { method: "GET", path: "/led" })).status).toBe(401);
  expect(
    (
      await request(server, {
        method: "PUT",
        path: "/led",
        body: { led: 1 },
        headers: { Authorization: `Bearer ${right}` },
      })
    ).status,
  ).toBe(403);
  await advance(60_000);
  expect(refusals()).toEqual([]);
});
