/** The kinds that earlier versions had: what `--check` says of them, and what `npx nound migrate` writes. */
import { expect, test } from "vitest";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { migrated } from "../../../ts/program/configuration/former-words.ts";
import type { JsonObject } from "../../../ts/settings/json.ts";

const sensor = (options: object) => ({ kind: "sensor", ...options });

const former: readonly (readonly [JsonObject, JsonObject])[] = [
  [{ kind: "w1", id: "28-0316a2796ee1", title: "Cellar" }, sensor({ device: "28-0316a2796ee1", title: "Cellar" })],
  [{ kind: "w1", key: "celsius" }, sensor({ device: "/sys/bus/w1/devices" })],
  [{ kind: "w1", key: "flow", poll: 5_000 }, sensor({ device: "/sys/bus/w1/devices", key: "flow", poll: 5_000 })],
  [{ kind: "thermal", type: "cpu-thermal" }, sensor({ device: "cpu-thermal", channel: "temp" })],
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
  const { result, changed } = migrated({
    listen: "127.0.0.1:8080",
    nouns: { it: before, led: { kind: "switch", key: "on" } },
  });
  expect(result).toEqual({ listen: "127.0.0.1:8080", nouns: { it: after, led: { kind: "switch", key: "on" } } });
  expect(changed).toEqual(["it"]);
  expect(() => readConfiguration(result)).not.toThrow();
  expect(() => readConfiguration({ nouns: { it: before } })).toThrow(
    `$.nouns.it.kind: expected the kind that took the place of "${before["kind"]}": ${JSON.stringify(after)}`,
  );
});

test("a configuration without former words stays as it is", () => {
  const configuration = { nouns: { led: { kind: "switch", key: "on" } } };
  expect(migrated(configuration)).toEqual({ result: configuration, changed: [] });
});
