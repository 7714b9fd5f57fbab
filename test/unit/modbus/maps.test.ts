/**
 * `npx nound modbus FILE`: a map of a unit becomes nouns that a configuration takes, and that read such a unit. The
 * folder that `NOUND_MODBUS_MAPS` names may have public maps, which are tried as well.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";
import { modbusUnit } from "../../../ts/testing.ts";

const folder = mkdtempSync(join(tmpdir(), "nound-maps-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(beginProgram);

type Nouns = {
  readonly [name: string]: { readonly keys: { readonly [key: string]: { readonly [option: string]: Json } } };
};

function convert(file: string, ...args: string[]): { nouns: Nouns; left: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["cli/main.mjs", "modbus", file, ...args], {
    encoding: "utf8",
  });
  return { nouns: (stdout === "" ? {} : JSON.parse(stdout)) as Nouns, left: stderr, status };
}

function written(name: string, map: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof map === "string" ? map : JSON.stringify(map));
  return path;
}

function build(name: string, noun: Json): Noun {
  const read = readConfiguration({ nouns: { [name]: noun } });
  const context = { name: parseNounName(name), report: () => {} };
  const made = read.nouns.get(context.name)?.build({ ...context, openStore: () => world().storage.openStore("/tmp") });
  if (made === undefined) throw new Error("no noun was made");
  return made;
}

/** @returns what a reading gives. The device's time passes meanwhile, whenever its questions are asked. */
async function whileTimePasses<T>(reading: T | Promise<T>): Promise<T> {
  let isRead = false;
  const read = Promise.resolve(reading).finally(() => {
    isRead = true;
  });
  for (let turn = 0; turn < 1_000 && !isRead; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    world().clock.advance(10);
  }
  expect(isRead, "it is read").toBe(true);
  return await read;
}

const template = `{
  // A made-up meter.
  "device_type": "TM-7",
  "device": {
    "name": "TM-7",
    "id": "tm7",
    "max_read_registers": 20,
    "response_timeout_ms": 900,
    "parameters": [{ "id": "mode", "default": 1 }],
    "channels": [
      { "name": "Spannung L1", "type": "voltage", "reg_type": "input", "address": "0x02", "format": "float",
        "word_order": "little_endian", "round_to": 0.1 },
      { "name": "Temperature", "type": "temperature", "reg_type": "input", "address": 4, "format": "s16",
        "scale": 0.1, "error_value": "0x7FFF" },
      { "name": "relay", "type": "switch", "reg_type": "coil", "address": 9, "enum": [0, 1],
        "enum_titles": ["open", "closed"] },
      { "name": "Alarm", "type": "switch", "reg_type": "holding", "address": "70:3:1", "readonly": true },
      { "name": "State", "type": "value", "reg_type": "holding", "address": "70:4:4", "enum": [0, 5],
        "enum_titles": ["idle", "run"] },
      { "name": "Limit", "type": "range", "reg_type": "holding", "address": 80, "format": "u16", "min": 10, "max": 90 },
      { "name": "Serial", "type": "text", "reg_type": "holding", "address": 90, "format": "string8",
        "string_data_size": 3 },
      { "name": "Other", "type": "value", "reg_type": "input", "address": 7,
        "condition": "mode==0||isDefined(nothing)" },
      { "name": "Quiet", "type": "value", "reg_type": "input", "address": 8, "enabled": false },
      { "name": "Clock", "type": "value", "reg_type": "input", "address": 8, "format": "bcd32" },
      { "name": "late", "type": "value", "reg_type": "input", "address": 8, "format": "u32" }
    ],
    "translations": { "en": { "relay": "Relay 1" } }
  }
}`;

test("a template of Wiren Board becomes a noun that reads the unit, with units and titles", async () => {
  const { nouns, left, status } = convert(written("tm7.json", template), "192.0.2.9:502", "17");
  expect(status).toBe(0);
  expect(left).toContain('left out: Clock: nound has no type for "bcd32"');
  expect(left).toContain("left out: 2 channels that the template has switched off");
  expect(Object.keys(nouns)).toEqual(["tm7"]);
  expect(nouns["tm7"]).toMatchObject({ kind: "modbus", server: "192.0.2.9:502", unit: 17, most: 20, timeout: 900 });
  const noun = build("tm7", nouns["tm7"] as Json);
  expect(noun.shape).toMatchObject({
    spannungL1: { type: "number", unit: "V", title: "Spannung L1" },
    relay1: { type: "boolean", title: "Relay 1", labels: { false: "open", true: "closed" } },
    limit: { minimum: 10, maximum: 90 },
  });
  const unit = modbusUnit("192.0.2.9:502", 17);
  unit.input.set(2, 0x0000).set(3, 0x4366).set(4, 0x7fff).set(8, 0).set(9, 7);
  unit.coil.set(9, 1);
  unit.holding.set(70, 0b0101_1000).set(80, 33).set(90, 0x4142);
  expect(await whileTimePasses(noun.getState())).toMatchObject({
    spannungL1: 230,
    temperature: null,
    relay1: true,
    alarm: true,
    state: 5,
    limit: 33,
    serial: "AB",
    lateValue: 7,
  });
  noun.close?.();
});

const map = {
  mbmap: 2,
  device: { manufacturer: "Acme", model: "Sun 3" },
  addressBase: 1,
  wordOrder: "big",
  registers: [
    {
      name: "W",
      label: "Power",
      table: "holding",
      address: 101,
      type: "int16",
      unit: "W",
      scaleFactor: "W_SF",
      sentinels: ["0x8000"],
    },
    { name: "W_SF", table: "holding", address: 102, type: "int16", sentinels: [32768] },
    {
      name: "Mode",
      table: "holding",
      address: 103,
      type: "uint16",
      access: "rw",
      min: 0,
      max: 2,
      enum: { 0: "off", 1: "on", 2: "auto" },
    },
    { name: "Model", table: "input", address: 11, type: "string", length: 4 },
    { name: "Flags", table: "input", address: 20, type: "bitfield16", bits: { 0: "fault", 3: { name: "grid" } } },
    { name: "Energy", table: "input", address: 30, type: "u32", wordOrder: "little", scale: 0.01, unit: "kWh" },
    { name: "Reset", table: "coil", address: 5, access: "wo" },
  ],
};

test("a map in the format MBMap 2 becomes a noun that reads the unit, with units, titles and scales", async () => {
  const { nouns, left } = convert(written("sun.mbmap.json", map));
  expect(left).toContain("left out: Reset: it can only be written");
  const noun = build("acmesun3", nouns["acmesun3"] as Json);
  expect(noun.shape).toMatchObject({ w: { unit: "W", title: "Power" }, mode: { labels: { "2": "auto" }, maximum: 2 } });
  const unit = modbusUnit("/dev/ttyS1", 1);
  unit.holding.set(100, 1_234).set(101, 0xffff).set(102, 2);
  unit.input.set(10, 0x5375).set(11, 0x6e00).set(19, 8).set(29, 0x0001).set(30, 0x0001);
  expect(await whileTimePasses(noun.getState())).toMatchObject({
    w: 123.4,
    wSF: -1,
    mode: 2,
    model: "Sun",
    flagsFault: false,
    flagsGrid: true,
    energy: 655.37,
  });
  noun.close?.();
});

test.each([
  ["a template of another protocol", { device: { protocol: "dlms", channels: [] } }, 'the protocol "dlms"'],
  ["another object", { nouns: {} }, "neither a template of Wiren Board nor a map in the format MBMap 2"],
  ["a map without a value", { registers: [] }, "has no value that nound can read"],
  ["a text that is no JSON", "{%- if x %}", "cannot be read"],
])("%s is refused by a sentence", (_, content, sentence) => {
  const { status, left } = convert(written("wrong.json", content));
  expect(status).toBe(1);
  expect(left).toContain(sentence);
});

const maps = process.env["NOUND_MODBUS_MAPS"];

test.skipIf(maps === undefined)(
  "public maps become nouns that a configuration takes and that read a unit",
  async () => {
    let count = 0;
    for (const file of readdirSync(maps ?? "")) {
      const { nouns, status, left } = convert(join(maps ?? "", file), "192.0.2.9:502");
      if (status !== 0) {
        expect([file, left]).toEqual([
          file,
          expect.stringMatching(/for the protocol|no value that nound can read|cannot be/),
        ]);
        continue;
      }
      count += 1;
      for (const [name, it] of Object.entries(nouns)) {
        modbusUnit("192.0.2.9:502", 1);
        const noun = build(name, it as Json);
        const state = await whileTimePasses(noun.getState());
        // A unit of zeros: each value is there, or is one that means that there is none.
        for (const [key, options] of Object.entries(it.keys)) {
          if (options["none"] === undefined && options["scaleBy"] === undefined)
            expect([file, key, state[key]]).not.toContain(null);
          const unit = options["unit"] === undefined ? {} : { unit: options["unit"] };
          expect(noun.shape?.[key]).toMatchObject({ title: options["title"], ...unit });
        }
        noun.close?.();
      }
    }
    console.log(`${count} maps`);
    expect(count).toBeGreaterThanOrEqual(10);
  },
);
