/** `access.required`: nound listens on the network only with a token file that has a token. */
import { beforeEach, describe, expect, test } from "vitest";
import { openListeners, type Tried } from "../../harness/open-listeners.ts";
import { TestPlatform } from "./test-platform.ts";

const tokens = "/etc/nound/tokens";
const nouns = { led: { kind: "switch", key: "led" } };
const line = `panel GET * ${"0".repeat(64)}\n`;
const required = { required: true };
const withTokens = { required: true, tokens };
let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
});

async function run({ configuration, args = [], file }: Tried, ...how: readonly string[]): Promise<void> {
  if (file !== undefined) program.files.set(tokens, file);
  program.files.set("n.json", JSON.stringify({ nouns, ...configuration }));
  await program.run(...how, "-c", "n.json", ...args.flatMap((address) => ["--listen", address]));
}

const refused = openListeners(tokens);

test("there are thirty of them", () => expect(refused.length).toBeGreaterThanOrEqual(30));

describe("refuses", () => {
  test.each(refused)("%s, when it is checked and when it is served", async (_, tried, sentences) => {
    await run(tried, "--check");
    for (const sentence of sentences) expect(program.error).toContain(sentence);
    expect(program.statuses).not.toEqual([0]);
    program = new TestPlatform();
    await run(tried);
    for (const sentence of sentences) expect(program.error).toContain(sentence);
    expect([program.statuses.length, program.statuses.includes(0), program.open.size]).toEqual([1, false, 0]);
  });
});

const accepted: readonly (readonly [string, Tried])[] = [
  ["the usual address", { configuration: { access: required } }],
  ["127.0.0.2", { configuration: { access: required, listen: "127.0.0.2:80" } }],
  ["[::1]", { configuration: { access: required, listen: "[::1]:80" } }],
  ["[0:0:0:0:0:0:0:1]", { configuration: { access: required, listen: "[0:0:0:0:0:0:0:1]:80" } }],
  ["a Unix socket", { configuration: { access: required, listen: "unix:/run/nound.sock,mode=0666" } }],
  ["the network with a token", { configuration: { access: withTokens, listen: "0.0.0.0:80" }, file: line }],
  ["the network where nothing is required", { configuration: { listen: "0.0.0.0:80" } }],
  ["the network where it is not required", { configuration: { access: { required: false }, listen: "0.0.0.0:80" } }],
];

test.each(accepted)("takes %s", async (_, tried) => {
  await run(tried);
  expect([program.error, program.statuses, program.open.size]).toEqual(["", [], 1]);
});

test("a program that was built so needs no key for it", async () => {
  program.isAccessRequired = true;
  await run({ configuration: { listen: "0.0.0.0:80", access: { required: false } } });
  expect(program.error).toContain(
    "$.listen: this nound was built to require tokens, and the network reaches 0.0.0.0:80",
  );
  expect(program.statuses).toEqual([78]);
});

test.each([
  ["0.0.0.0:80", "everyone who reaches 0.0.0.0:80 may use all nouns, because there is no token"],
  ["192.0.2.7:80", "everyone who reaches 192.0.2.7:80 may use all nouns"],
  ["127.0.0.1:80", undefined],
  ["unix:/run/nound.sock", undefined],
])("--check warns of %s without tokens: %j", async (listen, warning) => {
  await run({ configuration: { listen } }, "--check");
  expect(program.statuses).toEqual([0]);
  if (warning === undefined) expect(program.output).not.toContain("everyone");
  else expect(program.output).toContain(warning);
});

test("--check does not warn of the network with tokens", async () => {
  await run({ configuration: { listen: "0.0.0.0:80", access: { tokens } }, file: line }, "--check");
  expect(program.output).not.toContain("everyone who reaches");
});
