/**
 * `npx nound convert FILE`: a configuration of MQTT IO becomes one of nound. The folder that `NOUND_MQTT_IO` names may
 * have public ones, which are tried as well.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { configurationOf } from "../../../cli/convert/mqtt-io.mjs";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";

const folder = mkdtempSync(join(tmpdir(), "nound-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Converted {
  readonly mqtt?: { readonly [option: string]: Json };
  readonly nouns: { readonly [name: string]: { readonly [option: string]: Json } };
}

function convert(file: string) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["cli/main.mjs", "convert", file], {
    encoding: "utf8",
  });
  return { made: (stdout === "" ? { nouns: {} } : JSON.parse(stdout)) as Converted, said: stderr, status };
}

const garage = `mqtt:
  host: broker.example
  user: pi
  password: of-the-pi
  topic_prefix: home/garage/
  ha_discovery: { enabled: yes }
gpio_modules:
  - { name: rpi, module: raspberrypi }
  - { name: expander, module: mcp23017, chip_addr: 0x21 }
  - { name: face, module: piface2 }
sensor_modules:
  - { name: air, module: bme280, chip_addr: 0x77 }
  - { name: wire, module: ds18b, type: DS18B20, address: 000803702e49 }
  - { name: far, module: hcsr04, pin_echo: 4 }
digital_inputs:
  - { name: Door bell, module: rpi, pin: 17, pullup: yes, inverted: yes, ha_discovery: { device_class: door } }
  - { name: other, module: face, pin: 1 }
digital_outputs:
  - { name: lamp, module: expander, pin: 3, inverted: true, initial: low }
  - { name: lamp, module: rpi, pin: 22, timed_set_ms: 500 }
sensor_inputs:
  - { name: t, module: air, type: temperature }
  - { name: p, module: air, type: pressure }
  - { name: cellar, module: wire }
  - { name: near, module: far }
`;

test("lines, sensors and the broker are taken over, and what is not is named with the reason", () => {
  const file = join(folder, "garage.yml");
  writeFileSync(file, garage);
  const { made, said, status } = convert(file);
  expect(status).toBe(0);
  expect(made.mqtt).toMatchObject({ server: "broker.example:1883", user: "pi", prefix: "home/garage" });
  expect(JSON.stringify(made)).not.toContain("of-the-pi");
  expect(made.nouns).toEqual({
    doorbell: {
      ...{ kind: "gpio-input", line: "GPIO17", activeLow: true, key: "on", edges: "both" },
      ...{ bias: "pull-up", deviceClass: "door" },
    },
    // Low is on for a line that is inverted.
    lamp: { kind: "gpio-output", chip: "mcp23017", offset: 3, activeLow: true, key: "on", default: 1 },
    "lamp-2": { kind: "gpio-output", line: "GPIO22", key: "on", pulse: 500 },
    air: { kind: "sensor", device: "bme280", keys: { t: { channel: "temp" }, p: { channel: "pressure" } } },
    cellar: { kind: "sensor", device: "28-000803702e49", key: "value" },
  });
  expect(readConfiguration(made as unknown as Json).nouns.size).toBe(5);
  expect(said).toContain("left out: the input other: nound has no module piface2");
  expect(said).toContain("left out: the sensor far: nound has no module hcsr04");
  expect(said).toContain("dtoverlay=mcp23017,noints,addr=0x21");
  expect(said).toContain("dtoverlay=i2c-sensor,bme280,addr=0x77");
});

test("of two equal keys the last one counts, as in MQTT IO, and the others are named", () => {
  const file = join(folder, "twice.yml");
  const inputs = (pin: number) => `digital_inputs: [{ name: bell, module: rpi, pin: ${pin} }]\n`;
  writeFileSync(file, `gpio_modules: [{ name: rpi, module: raspberrypi }]\n${inputs(4)}${inputs(17)}`);
  const { made, said } = convert(file);
  expect(made.nouns).toMatchObject({ bell: { line: "GPIO17" } });
  expect(said).toMatch(/left out: digital_inputs of line 2: .* again, and MQTT IO takes the last/);
});

test("a port that is no number, and a prefix of Home Assistant's own, are not lost silently", () => {
  const broker = (mqtt: object) => configurationOf({ mqtt });
  const { configuration, left } = broker({ host: "a", port: "port_of_the_broker" });
  expect(configuration).toMatchObject({ mqtt: { server: "a:1883" } });
  expect(left).toEqual(['the broker\'s port "port_of_the_broker": it is no number from 1 to 65535']);
  expect(broker({ host: "a", port: "8883" }).left).toEqual([]);
  const discovery = { enabled: true, prefix: "ha/discovery" };
  expect(broker({ ha_discovery: discovery }).configuration).toMatchObject({ mqtt: { homeAssistant: "ha/discovery" } });
  expect(broker({ ha_discovery: { ...discovery, prefix: "homeassistant" } }).configuration).toMatchObject({
    mqtt: { homeAssistant: true },
  });
  expect(broker({ ha_discovery: { ...discovery, prefix: "ä/+" } }).left).toEqual([
    "the prefix ä/+ of Home Assistant: it has more than A-Z a-z 0-9 _ - /",
  ]);
});

test("a file that is no configuration is refused with a sentence", () => {
  const file = join(folder, "none.yml");
  writeFileSync(file, "mqtt: [\n");
  expect(convert(file)).toMatchObject({ status: 1, said: expect.stringMatching(/none\.yml cannot be read: .*line 2/) });
  writeFileSync(file, "mqtt: { host: a }\n");
  expect(convert(file)).toMatchObject({ status: 1, said: expect.stringMatching(/has nothing that nound can serve/) });
});

const texts = fc.oneof(fc.constantFrom("rpi", "w1", "lamp", "Über der Tür", "a/b", "x".repeat(90), ""), fc.string());
const values = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom("high", "low", 4, 17));
const entries = fc.array(
  fc.record({ name: texts, module: texts, pin: values, initial: values, timed_set_ms: values }, { requiredKeys: [] }),
  { maxLength: 4 },
);
const modules = fc.array(
  fc.record({
    name: fc.constantFrom("rpi", "w1"),
    module: fc.constantFrom("raspberrypi", "gpiod", "pcf8574", "ds18b", "dht22", "bme280", "ads1x15", "stdio"),
    ...{ pin: values, address: values, type: values, chip_addr: values, chip: values },
  }),
  { maxLength: 3 },
);

test("whatever a file says, nound takes what is made of it", () => {
  fc.assert(
    fc.property(
      fc.record(
        {
          mqtt: fc.record(
            {
              host: fc.oneof(texts, fc.constantFrom("...", "a:1", "::", "1.2.3", "fe80::1%eth0", "10.0.0.1", "a.")),
              ...{ port: values, topic_prefix: texts, user: values, password: values, client_id: values },
              ha_discovery: fc.record({ enabled: fc.boolean(), prefix: fc.oneof(texts, fc.constant("a.b")) }),
            },
            { requiredKeys: [] },
          ),
          ...{ gpio_modules: modules, sensor_modules: modules, stream_modules: entries },
          ...{ digital_inputs: entries, digital_outputs: entries, sensor_inputs: entries },
        },
        { requiredKeys: [] },
      ),
      (file) => {
        const { configuration, left } = configurationOf(file);
        const count = Object.keys(configuration.nouns).length;
        if (count > 0) expect(readConfiguration(configuration as unknown as Json).nouns.size).toBe(count);
        for (const reason of left) expect(reason).not.toMatch(/undefined|\[object/);
      },
    ),
    { numRuns: Number(process.env["NOUND_ORDERS"] ?? 300) },
  );
});

const given = process.env["NOUND_MQTT_IO"];
test.skipIf(given === undefined).each(given === undefined ? [] : readdirSync(given))("%s is taken", (name) => {
  const { made, said, status } = convert(join(given ?? "", name));
  if (status !== 0) return expect(said).toContain("has nothing that nound can serve");
  expect(readConfiguration(made as unknown as Json).nouns.size).toBe(Object.keys(made.nouns).length);
});
