import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ErrorStatus, reasonPhrase } from "../../../ts/core/http/status.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import type { DescribedDevice } from "../../../ts/parts/documents/describe/described-device.ts";
import { openApi } from "../../../ts/parts/documents/describe/open-api.ts";
import { refusals } from "../../../ts/parts/documents/describe/refusals.ts";
import { application, described, device, relayBoard, wholeOf } from "./devices.ts";
import { anyNouns } from "./shapes.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "nound-openapi-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What `redocly lint` says, with its recommended rules and no configuration. */
function lint(description: string) {
  const path = join(folder, "openapi.json");
  writeFileSync(path, description);
  const redocly = fileURLToPath(new URL("../../../node_modules/@redocly/cli/bin/cli.js", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [redocly, "lint", path, "--format=json"], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  const { totals, problems } = JSON.parse(stdout);
  return { status, totals, problems: problems.map(({ message }: { message: string }) => message) };
}

const clean = { status: 0, totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] };
const all = { tokens: true, hosts: true, origins: true };

test("redocly has nothing to say of the relay board", () => {
  expect(lint(wholeOf(openApi(device(relayBoard().map(({ noun }) => noun)))))).toEqual(clean);
});

test("redocly has nothing to say of an application of three nouns that asks for tokens", () => {
  expect(lint(wholeOf(openApi(device(application(), { demands: all }))))).toEqual(clean);
});

test("redocly would have something to say", () => {
  const description = JSON.parse(wholeOf(openApi(device(application()))));
  const { totals } = lint(JSON.stringify({ ...description, components: {} }));
  expect(totals.errors).toBeGreaterThan(0);
});

function read(subject: DescribedDevice) {
  return JSON.parse(wholeOf(openApi(subject)));
}

/**
 * @returns a function that tells whether a value is of one of the description's schemas. Each schema is compiled once.
 */
function checker({ components }: { readonly components: unknown }): (schema: unknown, value: unknown) => boolean {
  // ajv would otherwise find what an object inherits, such as `constructor`, where a key may be missing.
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile({ ...(schema as object), components });
    compiled.set(text, validate);
    return validate(value) === true;
  };
}

test("every state of the relay board is one of its schema", async () => {
  const description = read(device(relayBoard().map(({ noun }) => noun)));
  const check = checker(description);
  for (const { noun, state } of relayBoard()) {
    const { schema } = description.paths[`/${noun.name}`].get.responses[200].content["application/json"];
    expect(check(schema, await state), noun.name).toBe(true);
  }
});

test("every example is of its schema, whatever the shapes", () => {
  fc.assert(
    fc.property(anyNouns, (nouns) => {
      const description = read(device(nouns, { demands: all }));
      const found: { schema: unknown; example: unknown }[] = [];
      JSON.stringify(description, (_, value) => {
        if (typeof value === "object" && value !== null && "example" in value && "schema" in value) found.push(value);
        return value;
      });
      const check = checker(description);
      for (const { schema, example } of found) expect(check(schema, example)).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test("no two operations have one id, and no two nouns one schema, whatever the names", () => {
  fc.assert(
    fc.property(anyNouns, (nouns) => {
      const { paths, components } = read(device(nouns));
      const ids = Object.values<Record<string, { operationId?: string }>>(paths).flatMap((path) =>
        Object.values(path).flatMap(({ operationId }) => operationId ?? []),
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect(Object.keys(components.schemas)).toHaveLength(nouns.length + 1);
      for (const name of Object.keys(components.schemas)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
    }),
  );
});

test("a PUT holds no key that is read-only, and all others that are not optional", () => {
  const { paths } = read(device(application()));
  const { schema } = paths["/hall.thermostat-1"].put.requestBody.content["application/json"];
  expect(Object.keys(schema.properties)).toEqual(["target", "mode", "label"]);
  expect(schema.required).toEqual(["target", "mode"]);
  expect(schema.properties.target).toMatchObject({ "x-unit": "Cel", minimum: 5, maximum: 30 });
});

test("every refusal that there can be is told, each once, as the server names it", () => {
  const { paths, components } = read(device(application(), { demands: all }));
  const told = Object.keys(paths["/note"].put.responses).map(Number);
  expect(told).toEqual([
    200, 400, 401, 403, 404, 408, 411, 412, 413, 414, 415, 417, 421, 422, 429, 431, 500, 501, 503, 505,
  ]);
  expect(Object.keys(components.responses)).toHaveLength(told.length - 1);
  for (const [status, [title]] of Object.entries(refusals))
    expect(title).toBe(reasonPhrase(Number(status) as ErrorStatus));
});

test("only what can be refused is told", () => {
  const { paths, security, components } = read(device(application()));
  const told = Object.keys(paths["/note"].get.responses).map(Number);
  expect(told).toEqual([200, 400, 404, 408, 412, 414, 417, 431, 500, 501, 503, 505]);
  expect(security).toEqual([]);
  expect(components).not.toHaveProperty("securitySchemes");
});

test("a 304 is told for what has an entity tag, and the page for a device that has one", () => {
  const { paths } = read(device(application()));
  const told = (path: string) => "304" in paths[path].get.responses;
  expect(["/", "/openapi.json", "/.well-known/wot", "/metrics", "/note"].filter(told)).toEqual([
    "/",
    "/openapi.json",
    "/.well-known/wot",
  ]);
  const types = (hasPage: boolean) => {
    const { get } = read(device(application(), { hasPage })).paths["/"];
    return [Object.keys(get.responses[200].content).sort(), "304" in get.responses];
  };
  expect(types(true)).toEqual([["application/json", "text/event-stream", "text/html"], true]);
  expect(types(false)).toEqual([["application/json", "text/event-stream"], false]);
});

test("the value of a noun that takes any state is flat: a list or an object in it is none", () => {
  const free = described("free", new ValueNoun({ default: {} }));
  const description = read(device([{ ...free, takesAny: true }]));
  const check = checker(description);
  const { get, put, post } = description.paths["/free"];
  const schemas = [get.responses[200], put.requestBody, post.requestBody].map(
    ({ content }) => content["application/json"].schema,
  );
  for (const schema of schemas) {
    expect(check(schema, { a: "text", b: 1.5, c: true, d: null })).toBe(true);
    for (const value of [{}, [], [1]]) expect(check(schema, { a: value })).toBe(false);
  }
});

test("only what its reader may send is offered", () => {
  const lamp = described("lamp", new SwitchNoun({ key: "lamp" }), ["GET", "DELETE"]);
  const { paths } = read(device([lamp], { documents: [] }));
  expect(Object.keys(paths)).toEqual(["/", "/lamp"]);
  expect(Object.keys(paths["/lamp"])).toEqual(["get", "delete"]);
  expect(Object.keys(paths["/lamp"].get.responses[200].content)).toEqual(["application/json", "text/event-stream"]);
});
