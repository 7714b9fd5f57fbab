/** The documents of the built binary: what they say is judged by the schema and the linters of others. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { startConfigured, startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { request } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { endedByThisTest, forAllTests, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const board = JSON.parse(readFileSync(`${root}examples/relay-board/nound.json`, "utf8"));

async function ask(address: string, bytes: string): Promise<Response> {
  const connection = await RawConnection.open(address);
  connection.send(bytes);
  return await connection.response(bytes.slice(0, bytes.indexOf(" ")));
}

describe("of the relay board", () => {
  const nound = forAllTests(async () => {
    const listen = await freeAddress();
    return await startConfigured({ ...board, title: "R\u00e4um \u{1f4a1}", listen }, listen, ["--simulate"]);
  });
  const get = (path: string, fields = "", method = "GET") => ask(nound().address, request(method, path, fields));

  test("the Thing Description passes the official schema", async () => {
    const path = createRequire(import.meta.url).resolve(
      "wot-thing-description-types/schema/td-json-schema-validation.json",
    );
    const ajv = new Ajv({ strict: false });
    const { default: addFormats } = formats;
    addFormats(ajv);
    const isDescription = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
    const { body, fields } = await get("/.well-known/wot");
    const description = JSON.parse(body.toString("utf8"));
    expect([isDescription(description), isDescription.errors]).toEqual([true, null]);
    expect(description).toMatchObject({ title: "R\u00e4um \u{1f4a1}", base: "http://localhost/" });
    expect(Object.keys(description.properties)).toEqual(expect.arrayContaining(Object.keys(board.nouns)));
    expect(fields.get("content-type")).toBe("application/td+json");
  });

  test("redocly has nothing to say of the OpenAPI description", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-openapi-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // Of localhost as a server, the linter says that it is none for others.
    const { body } = await ask(nound().address, `GET /openapi.json HTTP/1.1\r\nHost: ${nound().address}\r\n\r\n`);
    writeFileSync(join(folder, "openapi.json"), body);
    const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`;
    const { status, stdout } = spawnSync(process.execPath, [redocly, "lint", "openapi.json", "--format=json"], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
    expect([status, JSON.parse(stdout).totals]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
  });

  test("the metrics have the release of the kernel, which the confined server cannot ask for", async () => {
    expect((await get("/metrics")).body.toString()).toContain(`kernel="${release()}"`);
  });

  test.skipIf(spawnSync("promtool", ["--version"]).status !== 0)(
    "promtool has nothing to say of the metrics",
    async () => {
      const { body, fields } = await get("/metrics");
      expect(fields.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: body, encoding: "utf8" });
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    },
  );

  test.each(["/.well-known/wot", "/openapi.json"])("%s is sent once, and again when it has changed", async (path) => {
    const whole = await get(path);
    const tag = whole.fields.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(whole.fields.get("cache-control")).toBe("private, no-cache");
    expect(whole.fields.get("x-content-type-options")).toBe("nosniff");
    const again = await get(path, `If-None-Match: ${tag}\r\n`);
    expect(again.bytes).toBe(`HTTP/1.1 304 Not Modified\r\nCache-Control: private, no-cache\r\nETag: ${tag}\r\n\r\n`);
    const head = await get(path, "", "HEAD");
    expect(head.fields).toEqual(whole.fields);
    expect((await get(path, 'If-None-Match: "another"\r\n')).status).toBe(200);
  });
});

describe("of a thousand nouns, with the default limits", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `relay-${index}`);
  const nound = forAllTests(() => startNound({ nouns: Object.fromEntries(names.map((name) => [name, nouns.led])) }));

  test.each([
    ["/openapi.json", (document: string) => Object.keys(JSON.parse(document).components.schemas)],
    ["/.well-known/wot", (document: string) => Object.keys(JSON.parse(document).properties)],
    ["/metrics", (document: string) => Array.from(document.matchAll(/_up\{noun="(.*?)"\} 1/g), ([, name]) => name)],
  ])("%s has all of them, again and again", async (path, namesIn) => {
    const connection = await RawConnection.open(nound().address);
    for (let count = 0; count < 3; count++) {
      connection.send(request("GET", path));
      const { status, fields, body } = await connection.response("GET");
      expect([status, fields.get("x-content-type-options")]).toEqual([200, "nosniff"]);
      expect(namesIn(body.toString())).toEqual(expect.arrayContaining(names));
    }
  });
});

test("behind a proxy the description has the proxy's address", async () => {
  const listen = await freeAddress();
  const url = "https://hall.example/nound";
  const nound = forThisTest(await startConfigured({ url, nouns: { led: nouns.led }, listen }, listen));
  const { body } = await ask(nound.address, request("GET", "/.well-known/wot"));
  expect(JSON.parse(body.toString()).base).toBe("https://hall.example/nound/");
});

test("a token reads of its own nouns alone, and of what it may do with them", async () => {
  const { token, line } = await makeToken("panel");
  const tokens = tokenFile(line.replace("GET,PUT,POST,DELETE *", "GET,PUT led"));
  const nound = forThisTest(await startNound({ access: { tokens }, nouns }));
  const authorization = `Authorization: Bearer ${token}\r\n`;
  const read = async (path: string) => (await ask(nound.address, request("GET", path, authorization))).body.toString();
  const { properties, actions } = JSON.parse(await read("/.well-known/wot"));
  expect([Object.keys(properties), Object.keys(actions)]).toEqual([["led"], []]);
  const { paths } = JSON.parse(await read("/openapi.json"));
  expect(Object.keys(paths["/led"])).toEqual(["get", "put"]);
  expect(paths).not.toHaveProperty("/note");
  expect(await read("/metrics")).not.toContain('noun="still"');
  for (const path of ["/.well-known/wot", "/openapi.json", "/metrics"]) {
    expect((await ask(nound.address, request("GET", path))).status).toBe(401);
  }
});

test("the list of changes has the last failures, for a token that may read the noun", async () => {
  const [whole, limited] = [await makeToken("whole"), await makeToken("limited")];
  const tokens = tokenFile(`${whole.line}\n${limited.line.replace("GET,PUT,POST,DELETE *", "GET pump")}`);
  const pump = { kind: "switch", key: "on", values: [0, 1] };
  const cellar = { kind: "sensor", device: "28-0316a2796ee1" };
  const listen = await freeAddress();
  const configuration = { listen, log: "errors", access: { tokens }, nouns: { pump, cellar } };
  const { address } = endedByThisTest(await startConfigured(configuration, listen, ["--simulate"]));
  const as = ({ token }: { token: string }) => `Authorization: Bearer ${token}\r\n`;
  const read = (path: string, token: { token: string }) => ask(address, request("GET", path, as(token)));
  const body = JSON.stringify({ celsius: null });
  const fields = `${as(whole)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  expect((await read("/changes", whole)).body.toString()).toBe("");
  expect((await ask(address, request("PUT", "/simulated.cellar", fields) + body)).status).toBe(200);
  expect((await read("/cellar", whole)).status).toBe(500);
  const lines = (await read("/changes", whole)).body.toString().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line)).filter(({ failure }) => failure !== undefined)).toMatchObject([
    { noun: "cellar", failure: expect.stringMatching(/^the 1-Wire bus has no thermometer/) },
  ]);
  expect((await read("/changes", limited)).body.toString()).toBe("");
  expect((await read("/log", whole)).status).toBe(404);
});

describe("a noun named metrics", () => {
  const configuration = { nouns: { metrics: nouns.led } };

  test("works when it is off", async () => {
    const listen = await freeAddress();
    const off = { ...configuration, documents: ["page"], listen };
    const nound = forThisTest(await startConfigured(off, listen));
    const { body } = await ask(nound.address, request("GET", "/metrics"));
    expect(body.toString()).toBe('{"led":0}');
  });
});
