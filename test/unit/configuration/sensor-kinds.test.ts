/** The kinds of nouns that measure: what a configuration may say of them, and what they make of it. */
import { beforeEach, expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { withNeeds } from "../../../ts/platform/reach.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";

beforeEach(beginProgram);

const hwmon = { kind: "sensor", device: "lm75", channel: "temp1" };
const thermal = { kind: "sensor", device: "cpu-thermal" };
const adc = { kind: "sensor", device: "iio:device0", channel: "voltage0" };
const w1 = { kind: "sensor", device: "28-0316a2796ee1" };
const battery = { kind: "sensor", device: "BAT0" };
const system = { kind: "sensor", device: "system" };
const panel = "/sys/class/backlight/panel/brightness";
const sysfs = { kind: "sysfs", path: panel };
const writable = { ...sysfs, key: "percent", scale: 0.5, minimum: 0, maximum: 100, writable: true, default: 50 };

function build(noun: Json): Noun {
  const name = parseNounName("it");
  const { nouns } = readConfiguration({ nouns: { it: noun } });
  const openStore = () => world().storage.openStore("/tmp");
  const made = nouns.get(name)?.build({ name, openStore, report: () => {} });
  if (made === undefined) throw new Error("no noun was read");
  return made;
}

const path = "the path of an attribute such as /sys/class/backlight/panel/brightness: below /sys,";

test.each<[Json, string]>([
  [{ kind: "sensor", channel: "temp1" }, "$.nouns.it.device: expected a sensor's name such as bme280, cpu-thermal, "],
  [{ ...hwmon, device: "" }, "$.nouns.it.device: expected a sensor's name such as bme280, "],
  [{ ...hwmon, device: "../../../etc" }, "$.nouns.it.device: expected a sensor's name such as bme280, "],
  [{ ...hwmon, device: "/sys/../etc" }, "$.nouns.it.device: expected a sensor's name such as bme280, "],
  [{ ...hwmon, channel: "" }, "$.nouns.it.channel: expected a channel such as temp1, voltage0 or humidityrelative, "],
  [{ ...adc, channel: "a/b" }, "$.nouns.it.channel: expected a channel such as temp1, voltage0 or humidityrelative, "],
  [{ ...adc, key: "raw", raw: true }, '$.nouns.it.key: expected another key, because "raw" is the converter\'s number'],
  [{ ...w1, raw: true }, '$.nouns.it.raw: expected nothing without "channel"'],
  [
    { ...battery, key: "volts" },
    '$.nouns.it.device: expected one without several values. The sensor BAT0 has several values: write "key", ',
  ],
  [
    { ...adc, keys: { volts: { channel: "voltage1" } } },
    '$.nouns.it.channel: expected nothing beside the channels of "keys"',
  ],
  [
    { kind: "sensor", device: "bme280", scale: 2, keys: { celsius: { channel: "temp" } } },
    '$.nouns.it.scale: expected nothing beside the channels of "keys"',
  ],
  [
    { kind: "sensor", device: "bme280", keys: { celsius: { channel: "temp" }, percent: { title: "Humidity" } } },
    "$.nouns.it.keys.percent.channel: expected one beside those of the other keys, found nothing",
  ],
  [
    { ...adc, keys: { volts: { scale: 2 } } },
    '$.nouns.it.keys.volts: expected one without "scale" and "offset", or a "channel"',
  ],
  [{ ...system, channel: "temp" }, '$.nouns.it.channel: expected nothing together with "device": "system"'],
  [{ kind: "sysfs" }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "/etc/passwd" }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "/sys/../etc/passwd" }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "/sys/class/.." }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "/sys//class" }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "/sys/" }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: `/sys/${"a".repeat(4_096)}` }, `$.nouns.it.path: expected ${path}`],
  [{ ...sysfs, path: "a/b" }, `$.nouns.it.path: expected ${path}`],
  [
    { ...sysfs, path: "in_temp_input" },
    '$.nouns.it.path: expected one without "device" below /sys, found "in_temp_input"',
  ],
  [{ ...sysfs, device: "a/b" }, "$.nouns.it.device: expected a sensor's name such as bme280, "],
  [
    { ...sysfs, device: "bme280" },
    `$.nouns.it.path: expected one together with "device": a name alone, found ${JSON.stringify(panel)}`,
  ],
  [{ ...sysfs, scale: 0 }, "$.nouns.it.scale: expected a number other than 0, found 0"],
  [{ ...sysfs, minimum: 2, maximum: 1 }, "$.nouns.it.maximum: expected at least the minimum, 2, found 1"],
  [{ ...sysfs, values: [] }, "$.nouns.it.values: expected a list that is not empty, found an empty list"],
  [{ ...sysfs, values: ["on"], as: "string" }, '$.nouns.it.as: expected nothing together with "values"'],
  [
    { ...sysfs, values: ["on"], offset: 1 },
    '$.nouns.it.offset: expected nothing together with "values", because only a number has it',
  ],
  [
    { ...sysfs, as: "string", unit: "V" },
    '$.nouns.it.unit: expected nothing together with "as", because only a number has it',
  ],
  [{ ...sysfs, readable: false }, '$.nouns.it.readable: expected nothing without "writable": true'],
  [{ ...sysfs, default: 1 }, '$.nouns.it.default: expected nothing without "writable", because nothing is set'],
  [
    { ...sysfs, writable: true },
    '$.nouns.it.default: expected a value together with "writable", because DELETE sets it',
  ],
  [
    { ...writable, default: 101 },
    '$.nouns.it.default: expected a state of the noun. The value of "percent" must be a number from 0 to 100',
  ],
  [
    { ...writable, default: null },
    '$.nouns.it.default: expected a state of the noun. The value of "percent" must be a number from 0 to 100',
  ],
  [
    { ...sysfs, values: ["on", "off"], writable: true, default: "out" },
    '$.nouns.it.default: expected a state of the noun. The value of "value" must be "on" or "off"',
  ],
])("%j is refused before the start, naming the place", (noun, refusal) => {
  let message = "";
  try {
    readConfiguration({ nouns: { it: noun } });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.slice(0, refusal.length)).toBe(refusal);
});

test.each<Json>([
  hwmon,
  { ...hwmon, channel: "fan CPU" },
  {
    kind: "sensor",
    device: "bme280",
    keys: { celsius: { channel: "temp" }, humidity: { channel: "humidityrelative" } },
  },
  { kind: "sensor", device: "/sys/bus/i2c/devices/1-0076", channel: "voltage0-voltage1", raw: true, scale: 3 },
  { ...w1, key: "flow", keys: { flow: { title: "Flow" } } },
  thermal,
  adc,
  w1,
  { kind: "sensor", device: "/sys/bus/w1/devices" },
  battery,
  { ...sysfs },
  { kind: "sysfs", device: "bme280", path: "in_temp_input" },
  { ...writable },
])("%j fails while there is nothing of it, and the start goes on", async (noun) => {
  const built = build(noun);
  await expect((async () => await built.getState())()).rejects.toMatchObject({ status: 500 });
});

test("an attribute may be absent at the start: the noun fails until it is there", async () => {
  const noun = build(sysfs);
  await expect(noun.getState()).rejects.toThrow("absent");
  world().files.set(panel, "20\n");
  expect(await noun.getState()).toEqual({ value: 20 });
});

test("an attribute is read and set as the options say", async () => {
  world().files.set(panel, "20\n");
  const noun = build({ ...writable, unit: "%", title: "Panel" });
  expect(noun.shape).toEqual({ percent: { type: "number", minimum: 0, maximum: 100, unit: "%" } });
  expect(await noun.getState()).toEqual({ percent: 10 });
  expect(await noun.setState({ percent: 40 })).toEqual({ percent: 40 });
  expect(world().files.get(panel)).toBe("80\n");
  expect(await noun.deleteState()).toEqual({ percent: 50 });
});

test("what the nouns open later stays within reach after restrict, and no more than that; nor what is hidden", () => {
  for (const path of [panel, "/proc/uptime", "/proc/loadavg"]) world().files.set(path, "20\n");
  for (const noun of [hwmon, system, writable]) build(noun);
  const devices = ["/sys/class", "/sys/bus", "/sys/devices"];
  const { readable, writable: set } = withNeeds({ readable: ["/etc/mine"] });
  expect(new Set(readable)).toEqual(new Set([...devices, "/proc/uptime", "/proc/loadavg", "/etc/mine"]));
  expect(set).toContain(panel);
});
