import { expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { defaultLimits } from "../../../ts/core/server/options.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { defaultProcessLimits } from "../../../ts/platform/process-limits.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { type Json, parseJson } from "../../../ts/settings/json.ts";
import type { NounContext } from "../../../ts/settings/noun-kind.ts";

const context: NounContext = {
  name: parseNounName("it"),
  openStore: () => new SimulatedStore(),
  report: () => {},
};
const kinds =
  '"switch", "value", "gpio-output", "gpio-input", "cover", "input", "led", "pwm", "sensor", "sysfs", ' +
  '"modbus", "mirror", "rule", "schedule", "webhook"';
const led = { kind: "switch", key: "led" };

function withNoun(noun: Json): Json {
  return { nouns: { it: noun } };
}

function build(noun: Json): Noun {
  const [plan] = readConfiguration(withNoun(noun)).nouns.values();
  if (plan === undefined) throw new Error("no noun was read");
  return plan.build(context);
}

test("nouns alone are a configuration; the rest has defaults", () => {
  const { nouns, ...rest } = readConfiguration({ nouns: { led } });
  expect([...nouns.keys()]).toEqual(["led"]);
  expect(rest).toEqual({
    listen: ["127.0.0.1:8080"],
    limits: { process: {}, server: {} },
    access: {},
    mqtt: undefined,
    log: "none",
    device: {},
    stateDirectory: undefined,
  });
});

test("everything that is given is read", () => {
  const { nouns, ...rest } = readConfiguration({
    $schema: "./nound.schema.json",
    $comment: "the hall",
    listen: ["[::1]:80", "unix:/run/nound.sock"],
    limits: { $comment: "small", maxConnections: 8, memoryBytes: 8_388_608, nounTimeout: 1000 },
    access: {
      $comment: "us",
      tokens: "/etc/nound/tokens",
      hosts: "hall.example",
      origins: ["https://a", "http://b:1"],
    },
    log: "errors",
    stateDirectory: "/var/lib/nound",
    title: "Hall",
    id: "7A1C0F4E-0f3b-4c59-9d3e-5a0f3b1c2d4e",
    url: "https://hall.example/nound",
    documents: ["description", "page", "changes", "history 131072"],
    nouns: { $comment: "two", LED: led, "b.~_-9": { $comment: "any", kind: "value" } },
  });
  expect([...nouns.keys()]).toEqual(["led", "b.~_-9"]);
  expect(rest).toEqual({
    listen: ["[::1]:80", "unix:/run/nound.sock"],
    limits: { process: { memoryBytes: 8_388_608 }, server: { maxConnections: 8, nounTimeout: 1000 } },
    access: {
      tokens: "/etc/nound/tokens",
      hosts: ["hall.example"],
      origins: ["https://a", "http://b:1"],
    },
    mqtt: undefined,
    log: "errors",
    device: {
      title: "Hall",
      id: "7A1C0F4E-0f3b-4c59-9d3e-5a0f3b1c2d4e",
      address: "https://hall.example/nound",
      documents: { description: true, openapi: false, metrics: false, page: true },
      history: 131_072,
    },
    stateDirectory: "/var/lib/nound",
  });
});

test.each<[string, Json]>([
  ["$.title", ""],
  ["$.id", "7a1c0f4e"],
  ["$.id", "urn:uuid:7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e"],
  ["$.url", "hall.example"],
  ["$.url", "ftp://hall.example"],
  ["$.url", "http://hall.example/?a"],
  ["$.url", "http://hall.example/#a"],
  ["$.documents", true],
])("refuses %s %j", (path, value) => {
  const [, key = ""] = path.split(".");
  expect(() => readConfiguration({ nouns: { led }, [key]: value })).toThrow(`${path}: expected `);
});

test.each(["metrics", "METRICS", "openapi.json"])("a noun cannot be named %s while that is a document", (name) => {
  const document = name === "openapi.json" ? "openapi" : "metrics";
  expect(() => readConfiguration({ nouns: { [name]: led } })).toThrow(
    `expected another name, because /${name.toLowerCase()} is a document; "documents": ["description",`,
  );
  const documents = ["description", "openapi", "metrics"].filter((one) => one !== document);
  const { nouns } = readConfiguration({ nouns: { [name]: led }, documents });
  expect([...nouns.keys()]).toEqual([name.toLowerCase()]);
});

test.each([
  ...["page 1", "changes 0", "changes 65", "history 0", "history 1048577", "changes -1", "log", ""],
  ...["history restore", "changes 64 restore", "history 65536 restored", "history 65536 restore restore"],
])("%j is no document", (document) => {
  expect(() => readConfiguration({ nouns: { led }, documents: ["page", document] })).toThrow(
    '$.documents[1]: expected one of "description", "openapi", "metrics", "page", "changes", "history"; ',
  );
});

test.each<[readonly string[], object]>([
  [[], { changes: 0, history: 0 }],
  [["changes", "history"], {}],
  [["changes 64", "history 65536"], { changes: 64, history: 65_536 }],
  [["history 65536 restore"], { changes: 0, history: 65_536, keepsHistory: true }],
])("of a device that serves %j, these are the options: %j", (documents, options) => {
  const switches = { description: false, openapi: false, metrics: false, page: false };
  const { device } = readConfiguration({ nouns: { led }, documents, stateDirectory: "/var/lib/nound" });
  expect(device).toEqual({ documents: switches, ...options });
});

test("a history that goes on over a restart needs a folder", () => {
  expect(() => readConfiguration({ nouns: { led }, documents: ["history 65536 restore"] })).toThrow(
    "$.stateDirectory: expected the path of a folder, because $.documents needs it, found nothing",
  );
});

test("a noun can be named log, whatever is logged", () => {
  expect([...readConfiguration({ log: "errors", nouns: { log: led } }).nouns.keys()]).toEqual(["log"]);
});

test("a noun cannot be named changes while that is a document", () => {
  expect(() => readConfiguration({ nouns: { Changes: led } })).toThrow(
    'because /changes is a document; "documents": ["description","openapi","metrics","page","history"] leaves it out',
  );
  expect([...readConfiguration({ nouns: { Changes: led }, documents: ["page"] }).nouns.keys()]).toEqual(["changes"]);
});

test("one address needs no list", () => {
  expect(readConfiguration({ listen: "0.0.0.0:80", nouns: { led } }).listen).toEqual(["0.0.0.0:80"]);
});

const limits = {
  maxConnections: 128,
  tlsConnections: 32,
  maxStreams: 32,
  bodyBytes: 4_096,
  nounTimeout: 5_000,
  memoryBytes: 33_554_432,
};

test("six limits can be set, to their defaults among others, and are the process's or the server's", () => {
  const { memoryBytes, ...server } = limits;
  expect(readConfiguration({ limits, nouns: { led } }).limits).toEqual({ process: { memoryBytes }, server });
  expect({ ...defaultLimits, ...defaultProcessLimits }).toMatchObject(limits);
});

test.each(Object.keys(limits))("the limit %s has bounds at both ends and takes whole numbers only", (name) => {
  for (const value of [0, -1, 1.5, 1e9, "64", null, true]) {
    expect(() => readConfiguration({ limits: { [name]: value }, nouns: { led } }), String(value)).toThrow(
      `$.limits.${name}: expected a whole number from `,
    );
  }
});

test.each<[Json, string]>([
  [null, "$: expected an object, found null"],
  [{ nouns: {} }, "$.nouns: expected at least one noun, found none"],
  [
    { nouns: { led }, Listen: "127.0.0.1:80" },
    '$.Listen: unknown key; the keys known here are "$schema", "listen", "limits", "access", "mqtt", "tls", "https", ' +
      '"user", "group", "log", "stateDirectory", "location", "title", "area", "id", "url", ' +
      '"modbusServer", "documents", "nouns"; did you mean "listen"?',
  ],
  [{ nouns: { led }, debug: true }, '$.debug: expected what took the place of "debug": "log": "requests"'],
  [
    { nouns: { led }, listen: ["[::1]:80", "localhost:80"] },
    '$.listen[1]: expected an address such as 127.0.0.1:8080, https://0.0.0.0:8443 or unix:/run/nound.sock, found "localhost:80"',
  ],
  ...["", ".", ".."].map((name): [Json, string] => [
    { nouns: { [name]: led } },
    `$.nouns["${name}"]: expected a name of 1 to 64 characters of a-z 0-9 . _ ~ -, except . and .., found "${name}"`,
  ]),
  [
    { nouns: { led }, listen: ["[::1]", "127.0.0.1"] },
    '$.listen[0]: expected an address with a port, such as [::1]:8080, found "[::1]"\n' +
      '$.listen[1]: expected an address with a port, such as 127.0.0.1:8080, found "127.0.0.1"',
  ],
  [
    { nouns: { a: { kind: "switch", values: [] }, b: led, ".": led }, log: 1, colour: 2 },
    '$.colour: unknown key; the keys known here are "$schema", "listen", "limits", "access", "mqtt", "tls", "https", ' +
      '"user", "group", "log", "stateDirectory", "location", "title", "area", "id", "url", ' +
      '"modbusServer", "documents", "nouns"\n' +
      '$.log: expected one of "none", "errors", "requests", found 1\n' +
      "$.nouns.a.key: expected a string that is not empty, found nothing\n" +
      "$.nouns.a.values: expected a list that is not empty, found an empty list\n" +
      '$.nouns["."]: expected a name of 1 to 64 characters of a-z 0-9 . _ ~ -, except . and .., found "."',
  ],
  [
    { nouns: { led, LED: led, ".": led } },
    "$.nouns.LED: expected a unique name, found that of $.nouns.led; upper and lower case are the same\n" +
      '$.nouns["."]: expected a name of 1 to 64 characters of a-z 0-9 . _ ~ -, except . and .., found "."',
  ],
  [
    { nouns: { led: { kind: "swich" } } },
    `$.nouns.led.kind: expected one of ${kinds}, found "swich"; did you mean "switch"?`,
  ],
  [
    { nouns: { pump: { kind: "gpio-output", line: 23, key: "on" } } },
    '$.nouns.pump.line: expected the line\'s name in quotes, such as "GPIO23", found 23; a line without a name is ' +
      'written "chip": "gpiochip0", "offset": 23',
  ],
])("refuses %j, naming the path", (value, message) => {
  expect(() => readConfiguration(value)).toThrow(expect.objectContaining({ name: "ConfigurationError", message }));
});

test.each<[Json, string]>([
  ...[[1, 1], [1], [1, 2, 3]].map((values): [Json, string] => [
    { kind: "switch", key: "k", values },
    '$.nouns.it.values: expected two different values, first that of off, such as ["closed", "open"]',
  ]),
  [
    { kind: "switch", key: "k", values: ["a", "b"], default: null },
    '$.nouns.it.default: expected one of "a", "b", found null',
  ],
  [
    { kind: "switch", key: "k", settle: 500 },
    '$.nouns.it.settle: expected nothing without "guard", whose conditions it is about',
  ],
  [
    { kind: "value", default: Object.fromEntries(Array.from({ length: 65 }, (_, key) => [`k${key}`, 1])) },
    "$.nouns.it.default: expected at most 64 keys, found 65",
  ],
  [
    { kind: "switch", key: "k", deviceClass: "dor" },
    '$.nouns.it.deviceClass: expected a device class of Home Assistant, such as door, found "dor"; ' +
      'did you mean "door"?',
  ],
  [
    { kind: "value", shape: { a: { type: "number", minimum: 2, maximum: 1 } } },
    "$.nouns.it.shape.a.maximum: expected at least the minimum, 2, found 1",
  ],
  [
    { kind: "switch", key: "k", keys: { k: { homeAssistant: { unique_id: "x" } } } },
    "$.nouns.it.keys.k.homeAssistant.unique_id: expected an option of Home Assistant that is not nound's, such as " +
      "device_class",
  ],
  [
    { kind: "value", shape: { a: { type: "boolean", optional: false } } },
    "$.nouns.it.shape.a.optional: expected nothing any more, because it is so without the word; leave it out",
  ],
])("refuses the noun %j, naming the path", (noun, message) => {
  expect(() => readConfiguration(withNoun(noun))).toThrow(
    expect.objectContaining({ name: "ConfigurationError", message }),
  );
});

const here = "127.0.0.1:8080";

test.each<[Json, string]>([
  [
    { listen: [here, "[::1]:80", "127.0.0.1:08080"] },
    "$.listen[2]: expected an address that differs from that of $.listen[0]",
  ],
  [
    { listen: ["unix:/a.sock", "unix:/a.sock,mode=0660"] },
    "$.listen[1]: expected an address that differs from that of $.listen[0]",
  ],
  [
    { listen: "unix:/a.sock,mod=0660" },
    "$.listen: expected a path of at most 107 bytes, and after it no options but mode=0660 and group=NAME, found " +
      '"unix:/a.sock,mod=0660"',
  ],
  [
    { listen: "unix:a.sock" },
    '$.listen: expected the absolute path of a socket, such as unix:/run/nound.sock, found "unix:a.sock"',
  ],
  [
    { listen: { $comment: "a socket" } },
    "$.listen: expected an address such as 127.0.0.1:8080, https://0.0.0.0:8443 or unix:/run/nound.sock, " +
      "found an object",
  ],
  [{ user: 65_534 }, '$.user: expected the name of a user, or its number in quotes, such as "65534", found 65534'],
  [
    { nouns: { "b x": { kind: "gpio-input", line: "A", key: "k", bias: "pull" }, c: { kind: "switch" } }, user: "" },
    '$.user: expected a string that is not empty, found ""\n' +
      '$.nouns["b x"].bias: expected one of "as-is", "disabled", "pull-up", "pull-down", found "pull"; did you mean ' +
      '"pull-up"?\n' +
      "$.nouns.c.key: expected a string that is not empty, found nothing\n" +
      '$.nouns["b x"]: expected a name of 1 to 64 characters of a-z 0-9 . _ ~ -, except . and .., found "b x"',
  ],
  [
    { nouns: { a: { kind: "gpio-output", key: "a", boot: "restore", pulse: 5, interval: 0 }, b: led }, group: "x" },
    "$.nouns.a.interval: expected a whole number from 1 to 86400000, found 0\n" +
      '$.user: expected a user together with "group", found nothing',
  ],
  [
    { nouns: { a: { kind: "gpio-output", key: "a", boot: "default", pulse: 5, lease: 5, interval: 1 } } },
    '$.nouns.a.chip: expected "chip" and "offset", or "line" with the line\'s name, found nothing\n' +
      '$.nouns.a.lease: expected nothing together with "pulse", which ends by itself\n' +
      '$.nouns.a.interval: expected nothing without "boot": "restore", because nothing is written',
  ],
])("names every mistake of %j", (given, message) => {
  expect(() => readConfiguration({ nouns: { led }, ...(given as object) })).toThrow(
    expect.objectContaining({ name: "ConfigurationError", message }),
  );
});

test("two addresses whose ports the kernel chooses may be equal", () => {
  const listen = ["127.0.0.1:0", "127.0.0.1:0", "unix:/a", "unix:/b,mode=0660"];
  expect(readConfiguration({ listen, nouns: { led } }).listen).toEqual(listen);
});

test("refuses a default that is not of the shape, naming the key", () => {
  const shape = { level: { type: "integer", minimum: 0 } };
  expect(() => readConfiguration(withNoun({ kind: "value", shape }))).toThrow("$.nouns.it.default.level: ");
  expect(() => readConfiguration(withNoun({ kind: "value", shape, default: { level: -1 } }))).toThrow(
    "$.nouns.it.default.level: ",
  );
});

test("a switch is built with its options", async () => {
  const noun = build({ kind: "switch", key: "door", values: ["closed", "open"], default: "open" });
  expect(await noun.getState()).toEqual({ door: "open" });
  expect(await noun.updateState({})).toEqual({ door: "closed" });
});

test("a value is built with its options", async () => {
  const shape = {
    level: { type: "integer", minimum: 0, maximum: 9 },
    ratio: { type: "number", required: false },
    name: { type: "string", maximum: 8, required: true, description: "What it is called." },
    on: { type: "boolean" },
    mode: { type: "choice", values: ["auto", 1, null] },
  };
  const state = { level: 1, name: "a", on: true, mode: null };
  const noun = build({ kind: "value", default: state, shape: { $comment: "five keys", ...shape } });
  expect(await noun.getState()).toEqual(state);
  expect(noun.shape).toEqual({
    ...shape,
    ratio: { type: "number", optional: true },
    name: { type: "string", maximumLength: 8, description: "What it is called." },
  });
});

test("a user may be named, and a group with it, but no group alone", () => {
  const nouns = { led: { kind: "switch", key: "led" } };
  expect(readConfiguration({ nouns }).account).toBeUndefined();
  expect(readConfiguration({ user: "nound", nouns }).account).toEqual({ user: "nound", group: undefined });
  expect(readConfiguration({ user: "nound", group: "gpio", nouns }).account).toEqual({ user: "nound", group: "gpio" });
  expect(() => readConfiguration({ group: "gpio", nouns })).toThrow("$.user: expected a user together with");
});

test("nouns keep the order in which they are written, those with numbers for names too", () => {
  const text = '{"nouns":{"b":{"kind":"value"},"10":{"kind":"value"},"2":{"kind":"value"},"a":{"kind":"value"}}}';
  expect([...readConfiguration(parseJson(text)).nouns.keys()]).toEqual(["b", "10", "2", "a"]);
});
