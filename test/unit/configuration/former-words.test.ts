/** The words that earlier versions had: what `--check` says of them, and what `npx nound migrate` writes. */
import { expect, test } from "vitest";
import { defaultProcessLimits } from "../../../ts/platform/process-limits.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { migrated } from "../../../ts/program/configuration/former-words.ts";
import type { JsonObject } from "../../../ts/settings/json.ts";

const sensor = (options: object) => ({ kind: "sensor", ...options });

const former: readonly (readonly [JsonObject, JsonObject])[] = [
  [{ kind: "w1", id: "28-0316a2796ee1", title: "Cellar" }, sensor({ device: "28-0316a2796ee1", title: "Cellar" })],
  [{ kind: "w1", key: "celsius" }, sensor({ device: "/sys/bus/w1/devices" })],
  [{ kind: "w1", key: "flow", poll: 5_000 }, sensor({ device: "/sys/bus/w1/devices", key: "flow", poll: 5_000 })],
  [{ kind: "thermal", type: "cpu-thermal" }, sensor({ device: "cpu-thermal", channel: "temp" })],
  [{ kind: "system", zone: "cpu", temperature: true, poll: 5_000 }, sensor({ device: "system", poll: 5_000 })],
  [{ kind: "power-supply" }, sensor({ device: "/sys/class/power_supply" })],
  [{ kind: "power-supply", device: "BAT0" }, sensor({ device: "BAT0" })],
  [{ kind: "hwmon", chip: "lm75", channel: "temp1" }, sensor({ device: "lm75", channel: "temp1" })],
  [
    { kind: "hwmon", chip: "lm75", channel: "temp1", device: "/sys/bus/i2c/devices/3-0049" },
    sensor({ device: "/sys/bus/i2c/devices/3-0049", channel: "temp1" }),
  ],
  [
    { kind: "hwmon", chip: "nct6775", channel: "CPU", quantity: "fan" },
    sensor({ device: "nct6775", channel: "fan CPU" }),
  ],
  [{ kind: "hwmon", chip: "nct6775", channel: "CPU" }, sensor({ device: "nct6775", channel: "CPU" })],
  [
    { kind: "adc", device: "bme280", channel: "temp", key: "celsius", scale: 0.001, unit: "Cel" },
    sensor({ device: "bme280", channel: "temp", raw: true }),
  ],
  [
    { kind: "adc", device: "ads1115", channel: "voltage0", key: "millivolts" },
    sensor({ device: "ads1115", channel: "voltage0", key: "millivolts", scale: 1_000, unit: "mV", raw: true }),
  ],
  [
    { kind: "adc", device: "ads1115", channel: "voltage0", scale: 0.2424, offset: 1, unit: "L" },
    sensor({ device: "ads1115", channel: "voltage0", key: "value", scale: 242.4, unit: "L", offset: 1, raw: true }),
  ],
  [
    { kind: "adc", device: "bme280", channel: "pressure", key: "kilopascals" },
    sensor({ device: "bme280", channel: "pressure", key: "kilopascals", scale: 0.1, unit: "kPa", raw: true }),
  ],
];

test.each(former)("%j becomes a sensor, which --check takes, and the message has its text", (before, after) => {
  const { result, former: words } = migrated({
    listen: "127.0.0.1:8080",
    nouns: { it: before, led: { kind: "switch", key: "on" } },
  });
  expect(result).toEqual({ listen: "127.0.0.1:8080", nouns: { it: after, led: { kind: "switch", key: "on" } } });
  expect(words.map(({ path }) => path)).toEqual(["$.nouns.it.kind"]);
  expect(() => readConfiguration(result)).not.toThrow();
  expect(() => readConfiguration({ nouns: { it: before } })).toThrow(
    `$.nouns.it.kind: expected the kind that took the place of "${before["kind"]}": ${JSON.stringify(after)}`,
  );
});

const noun = (it: JsonObject) => ({ nouns: { it } });
const relay = { kind: "gpio-output", line: "RELAY", key: "on" };
const awning = {
  kind: "cover",
  open: { line: "A" },
  close: { line: "B" },
  openTime: 9_000,
  closeTime: 9_000,
  boot: "default",
};
const button = { kind: "gpio-input", line: "BUTTON", key: "pressed" };
const attribute = { kind: "sysfs", path: "/sys/class/backlight/panel/brightness" };
const meter = { kind: "modbus", device: "/dev/ttyS1", keys: { volts: { at: "input 0" } } };
const fan = { kind: "pwm", chip: "pwmchip0", channel: 0 };
const tookThePlace = (key: string, text: string) => `expected what took the place of "${key}": ${text}`;
const foundOut = "expected nothing any more, because nound finds out how a line is reached; leave it out";

/** Each former word, as it was and as it is; and the sentence, without its path. */
const words: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
  ["$.gpioBackend", { gpioBackend: "gpiod" }, {}, foundOut],
  ["$.nouns.it.backend", noun({ ...relay, backend: "sysfs" }), noun(relay), foundOut],
  ["$.nouns.it.open.backend", noun({ ...awning, open: { line: "A", backend: "auto" } }), noun(awning), foundOut],
  [
    "$.mqtt.keepAlive",
    { mqtt: { server: "mqtts://a.example", keepAlive: 60 } },
    { mqtt: { server: "mqtts://a.example", keepAlive: 60_000 } },
    tookThePlace("keepAlive", '"keepAlive": 60000'),
  ],
  [
    "$.nouns.it.debounce",
    noun({ ...button, debounce: 5_000 }),
    noun({ ...button, debounce: 5 }),
    tookThePlace("debounce", '"debounce": 5'),
  ],
  [
    "$.nouns.it.period",
    noun({ ...fan, period: 40_000, default: { percent: 30, enabled: true } }),
    noun({ ...fan, frequency: 25_000, default: { percent: 30, enabled: true } }),
    tookThePlace("period", '"frequency": 25000'),
  ],
  [
    "$.nouns.it.default",
    noun({ ...fan, default: { period: 20_000_000, duty: 1_500_000, enabled: false } }),
    noun({ ...fan, frequency: 50, pulse: true, default: { microseconds: 1_500, enabled: false } }),
    tookThePlace("default", '"frequency": 50, "pulse": true, "default": {"microseconds": 1500, "enabled": false}'),
  ],
  [
    "$.mqtt.broker",
    { mqtt: { broker: ["a:1883", "b:1883"] } },
    { mqtt: { server: ["a:1883", "b:1883"] } },
    tookThePlace("broker", '"server": ["a:1883", "b:1883"]'),
  ],
  [
    "$.mqtt.groups",
    { mqtt: { server: "a:1883", groups: ["lamps"] } },
    { mqtt: { server: "a:1883", group: ["lamps"] } },
    tookThePlace("groups", '"group": ["lamps"]'),
  ],
  [
    "$.location",
    { location: { latitude: 52.5, longitude: 13.4 } },
    { location: "52.5,13.4" },
    tookThePlace("location", '"location": "52.5,13.4"'),
  ],
  [
    "$.listen",
    { listen: ["127.0.0.1:8080", { unix: "/run/a.sock", mode: "0660", group: "www-data" }] },
    { listen: ["127.0.0.1:8080", "unix:/run/a.sock,mode=0660,group=www-data"] },
    tookThePlace("listen", '"listen": ["127.0.0.1:8080", "unix:/run/a.sock,mode=0660,group=www-data"]'),
  ],
  [
    "$.nouns.it.on",
    noun({ kind: "switch", key: "door", on: 2 }),
    noun({ kind: "switch", key: "door", values: [0, 2] }),
    tookThePlace("on", '"values": [0,2]'),
  ],
  [
    "$.nouns.it.pairs",
    noun({ kind: "value", pairs: 8 }),
    noun({ kind: "value" }),
    "expected nothing any more, because a state has at most 64 keys; leave it out",
  ],
  [
    "$.nouns.it.overrun",
    noun({ ...awning, overrun: 5 }),
    noun(awning),
    "expected nothing any more, because it is always 10; leave it out",
  ],
  [
    "$.nouns.it.total.each",
    { stateDirectory: "/a", ...noun({ ...button, edges: "rising", total: { key: "litres", each: 10 } }) },
    { stateDirectory: "/a", ...noun({ ...button, edges: "rising", total: { key: "litres", scale: 10 } }) },
    tookThePlace("each", '"scale": 10'),
  ],
  [
    "$.nouns.it.rate.factor",
    noun({ ...button, edges: "rising", rate: { key: "watts", factor: 3_600_000 } }),
    noun({ ...button, edges: "rising", rate: { key: "watts", scale: 3_600_000 } }),
    tookThePlace("factor", '"scale": 3600000'),
  ],
  [
    "$.nouns.it.of",
    noun({ kind: "mirror", of: "http://porch.local/bell" }),
    noun({ kind: "mirror", url: "http://porch.local/bell" }),
    tookThePlace("of", '"url": "http://porch.local/bell"'),
  ],
  [
    "$.nouns.it.text",
    noun({ ...attribute, text: true }),
    noun({ ...attribute, as: "string" }),
    tookThePlace("text", '"as": "string"'),
  ],
  [
    "$.nouns.it.mayBeAbsent",
    noun({ ...attribute, mayBeAbsent: true }),
    noun(attribute),
    "expected nothing any more, because each attribute may be absent, as a sensor may; leave it out",
  ],
  [
    "$.nouns.it.method",
    noun({ kind: "webhook", method: "PUT", url: "http://a/b" }),
    noun({ kind: "webhook", url: "PUT http://a/b" }),
    tookThePlace("method", '"url": "PUT http://a/b"'),
  ],
  [
    "$.nouns.it.parity",
    noun({ ...meter, baud: 19_200, parity: "even" }),
    noun({ ...meter, baud: "19200 8E1" }),
    tookThePlace("parity", '"baud": "19200 8E1"'),
  ],
  [
    "$.nouns.it.rs485",
    noun({ ...meter, rs485: true }),
    noun({ ...meter, baud: "9600 8N1 rs485" }),
    tookThePlace("rs485", '"baud": "9600 8N1 rs485"'),
  ],
  [
    "$.nouns.it.homeAssistant.component",
    noun({ ...fan, homeAssistant: { component: "fan" } }),
    noun({ ...fan, homeAssistant: { platform: "fan" } }),
    tookThePlace("component", '"platform": "fan"'),
  ],
  [
    "$.documents",
    { documents: { metrics: false, log: false } },
    { documents: ["description", "openapi", "page", "changes", "history"] },
    tookThePlace("documents", '"documents": ["description", "openapi", "page", "changes", "history"]'),
  ],
  [
    "$.changes",
    { changes: 0 },
    { documents: ["description", "openapi", "metrics", "page", "history"] },
    tookThePlace("changes", '"documents": ["description", "openapi", "metrics", "page", "history"]'),
  ],
  [
    "$.history",
    { documents: ["page"], history: 131_072 },
    { documents: ["page", "history 131072"] },
    tookThePlace("history", '"documents": ["page", "history 131072"]'),
  ],
  ["$.address", { address: "https://a" }, { url: "https://a" }, tookThePlace("address", '"url": "https://a"')],
  [
    "$.tls.name",
    { tls: { name: "a.example" } },
    { tls: { server: "a.example" } },
    tookThePlace("name", '"server": "a.example"'),
  ],
  [
    "$.mqtt.tls.name",
    { mqtt: { server: "mqtts://a", tls: { name: "b" } } },
    { mqtt: { server: "mqtts://a", tls: { server: "b" } } },
    tookThePlace("name", '"server": "b"'),
  ],
  [
    "$.nouns.it.tls.name",
    noun({ kind: "mirror", url: "https://porch.local/bell", tls: { name: "a" } }),
    noun({ kind: "mirror", url: "https://porch.local/bell", tls: { server: "a" } }),
    tookThePlace("name", '"server": "a"'),
  ],
  [
    "$.mqtt.spread",
    { mqtt: { server: "a:1883", spread: 9_000 } },
    { mqtt: { server: "a:1883", startDelay: 9_000 } },
    tookThePlace("spread", '"startDelay": 9000'),
  ],
  [
    "$.nouns.it.code",
    noun({ kind: "input", device: "keys", code: "KEY_POWER" }),
    noun({ kind: "input", device: "keys", channel: "KEY_POWER" }),
    tookThePlace("code", '"channel": "KEY_POWER"'),
  ],
  [
    "$.nouns.it.longPress",
    noun({ ...button, presses: true, longPress: 800 }),
    noun({ ...button, presses: "long 800" }),
    tookThePlace("longPress", '"presses": "long 800"'),
  ],
  [
    "$.nouns.it.doublePress",
    noun({ ...button, presses: true, doublePress: 300 }),
    noun({ ...button, presses: "double 300" }),
    tookThePlace("doublePress", '"presses": "double 300"'),
  ],
  [
    "$.nouns.it.doublePress",
    noun({ ...button, presses: true, doublePress: 0 }),
    noun({ ...button, presses: true }),
    tookThePlace("doublePress", '"presses": true'),
  ],
  [
    "$.nouns.it.gap",
    noun({ ...meter, gap: 8 }),
    noun({ ...meter, most: "gap 8" }),
    tookThePlace("gap", '"most": "gap 8"'),
  ],
  [
    "$.nouns.it.gap",
    noun({ ...meter, most: 20, gap: 8 }),
    noun({ ...meter, most: "20 gap 8" }),
    tookThePlace("gap", '"most": "20 gap 8"'),
  ],
  [
    "$.nouns.it.keys.volts.read",
    noun({ ...meter, keys: { volts: { read: "holding", at: 40 } } }),
    noun({ ...meter, keys: { volts: { at: "holding 40" } } }),
    tookThePlace("read", '"at": "holding 40"'),
  ],
  [
    "$.nouns.it.keys.volts.diagnostic",
    noun({ ...meter, keys: { volts: { at: "input 0", diagnostic: true } } }),
    noun({ ...meter, keys: { volts: { at: "input 0", kind: "diagnostic" } } }),
    tookThePlace("diagnostic", '"kind": "diagnostic"'),
  ],
  ...(
    [
      ["maximumLength", { type: "string", maximumLength: 9 }, { type: "string", maximum: 9 }, '"maximum": 9'],
      ["optional", { type: "string", optional: true }, { type: "string", required: false }, '"required": false'],
      ["colour", { type: "number", colour: "red" }, { type: "number", kind: "red" }, '"kind": "red"'],
    ] as const
  ).map(([key, before, after, text]): [string, JsonObject, JsonObject, string] => [
    `$.nouns.it.shape.a.${key}`,
    noun({ kind: "value", shape: { a: before }, default: { a: before.type === "number" ? 1 : "" } }),
    noun({ kind: "value", shape: { a: after }, default: { a: before.type === "number" ? 1 : "" } }),
    tookThePlace(key, text),
  ]),
  ["$.debug", { debug: true }, { log: "requests" }, 'expected what took the place of "debug": "log": "requests"'],
  [
    "$.limits.connections",
    { limits: { connections: 4 } },
    { limits: { maxConnections: 4 } },
    'expected what took the place of "connections": "maxConnections": 4',
  ],
  [
    "$.limits.operationTime",
    { limits: { operationTime: 400 } },
    { limits: { nounTimeout: 400 } },
    'expected what took the place of "operationTime": "nounTimeout": 400',
  ],
  ...(
    [
      ["targetBytes", "it is always 256"],
      ["headerBytes", "it is always 4096"],
      ["headerFields", "it is always 32"],
      ["statePairs", "it is always 64"],
      ["stateBytes", "it is always four times bodyBytes"],
      ["headersTimeout", "it is always 10000"],
      ["bodyTimeout", "it is always 10000"],
      ["keepAliveTimeout", "it is always 60000"],
      ["sendTimeout", "it is always 10000"],
      ["maxQueued", "it is always 64"],
      ["maxEventsPerSecond", "it is always 50"],
      ["streamInterval", "it is always 15000"],
      ["nounBusyTime", "it is always 1000"],
      ["shutdownTimeout", "it is always 5000"],
      ["headTime", "it is always 10000"],
      ["bodyTime", "it is always 10000"],
      ["idleTime", "it is always 60000"],
      ["answerTime", "it is always 10000"],
      ["busyTime", "it is always 1000"],
      ["closeTime", "it is always 5000"],
      ["pipeline", "a connection performs one request at a time"],
      ["maxPipelined", "a connection performs one request at a time"],
    ] as const
  ).map(([name, why]): [string, JsonObject, JsonObject, string] => [
    `$.limits.${name}`,
    { limits: { [name]: 100 } },
    { limits: {} },
    `expected nothing any more, because ${why}; leave it out`,
  ]),
];

const nouns = { led: { kind: "switch", key: "on" } };

/** What is refused: a word that nothing follows, one of before 0.2, and one whose value has another unit now. */
const isRefused = (path: string, sentence: string) =>
  sentence.startsWith("expected nothing") || /debug|limits|keepAlive|debounce|period|default$/.test(path);
const refused = words.filter(([path, , , sentence]) => isRefused(path, sentence));
const read = words.filter(([path, , , sentence]) => !isRefused(path, sentence));

test.each(refused)("%s has a successor, which --check takes and names", (path, before, after, sentence) => {
  const { result, former } = migrated({ nouns, ...before });
  expect(result).toEqual({ nouns, ...after });
  expect(former).toEqual([{ path, sentence, isRead: false }]);
  expect(() => readConfiguration(result)).not.toThrow();
  expect(() => readConfiguration({ nouns, ...before })).toThrow(`${path}: ${sentence}`);
});

/** A configuration as data: a plan has functions, which are equal to none. */
const plain = (configuration: object) => JSON.stringify(configuration);

test.each(read)("%s is read as its successor, which --check names", (path, before, after, sentence) => {
  const { result, former } = migrated({ nouns, ...before });
  expect(result).toEqual({ nouns, ...after });
  expect(former).toEqual([{ path, sentence, isRead: true }]);
  const { former: told, ...configuration } = readConfiguration({ nouns, ...before });
  expect(told).toEqual([`${path}: ${sentence}`]);
  expect(plain(configuration)).toBe(plain(readConfiguration({ nouns, ...after })));
});

test("a word that is read is told among the mistakes where something else is wrong", () => {
  const mistaken = { ...noun({ ...meter, gap: 8 }), title: 7 };
  expect(() => readConfiguration(mistaken)).toThrow(/^\$\.nouns\.it\.gap: .*\n\$\.title: [^\n]*$/);
});

test("former words stand before other mistakes, each once", () => {
  const mistaken = { limits: { pipeline: 4 }, debug: true, nouns: { led: { kind: "swich" } } };
  expect(() => readConfiguration(mistaken)).toThrow(
    /^\$\.debug: .*\n\$\.limits\.pipeline: .*\n\$\.nouns\.led\.kind: expected one of [^\n]*$/,
  );
});

test("the default of the process is that of the sentence", () => {
  expect(defaultProcessLimits.nounBusyTime).toBe(1_000);
});

test("a configuration without former words stays as it is", () => {
  const configuration = { nouns: { led: { kind: "switch", key: "on" } } };
  expect(migrated(configuration)).toEqual({ result: configuration, former: [] });
});

test("a debounce of a few µs is told from ms by the other former words of the configuration", () => {
  const short = { ...button, debounce: 500 };
  expect(migrated({ nouns: { it: short } })).toEqual({ result: { nouns: { it: short } }, former: [] });
  const { result, former } = migrated({ debug: true, nouns: { it: short } });
  expect(result).toEqual({ log: "requests", nouns: { it: { ...button, debounce: 0.5 } } });
  expect(former.map(({ path }) => path)).toEqual(["$.debug", "$.nouns.it.debounce"]);
  expect(() => readConfiguration({ debug: true, nouns: { it: short } })).toThrow(
    `$.nouns.it.debounce: ${tookThePlace("debounce", '"debounce": 0.5')}`,
  );
});
