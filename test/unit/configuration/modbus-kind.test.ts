/** The kind `modbus`: what a configuration may say of it, and what it makes of it. */
import { beforeEach, expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";

beforeEach(beginProgram);

const it = { kind: "modbus", device: "/dev/ttyS1", keys: { volts: { at: "input 0" } } };
const withKey = (key: Json) => ({ ...it, keys: { it: key } });

function build(noun: Json): Noun {
  const name = parseNounName("grid");
  const { nouns } = readConfiguration({ nouns: { grid: noun } });
  const openStore = () => world().storage.openStore("/tmp");
  const made = nouns.get(name)?.build({ name, openStore, report: () => {} });
  if (made === undefined) throw new Error("no noun was read");
  return made;
}

test.each<[Json, string]>([
  [{ kind: "modbus", keys: it.keys }, '.device: expected a serial device such as "/dev/ttyS1" without "server", found'],
  [{ ...it, server: "192.0.2.9:502" }, '.server: expected nothing together with "device"'],
  [{ ...it, unit: 248 }, '.unit: expected one together with "device" from 1 to 247, found 248'],
  [{ kind: "modbus", server: "a:502", baud: 9_600, keys: it.keys }, '.baud: expected nothing without "device"'],
  [{ kind: "modbus", server: "a", keys: it.keys }, '.server: expected a server such as 192.0.2.9:502, found "a"'],
  [{ kind: "modbus", server: "a:70000", keys: it.keys }, ".server: expected a server such as 192.0.2.9:502"],
  [{ ...it, keys: {} }, ".keys: expected a value together with a unit, found no key"],
  [{ ...it, keys: { late: { at: "input 0" } } }, ".keys.late: expected another key, because a count uses this"],
  [withKey({ at: "coil 0", as: "int16" }), '.keys.it.as: expected nothing together with "coil", which is a bit'],
  [withKey({ at: "input 0", bit: 3 }), '.keys.it.bit: expected nothing without "as": "bits"'],
  [withKey({ at: "input 0", as: "bits", bit: 3, unit: "V" }), '.keys.it.unit: expected nothing together with "bit"'],
  [withKey({ at: "input 0", as: "bits", scale: 2 }), '.keys.it.scale: expected nothing together with "as": "bits"'],
  [withKey({ at: "input 0", writable: true }), '.keys.it.writable: expected nothing together with "input"'],
  [withKey({ at: "holding 0", minimum: 1 }), '.keys.it.minimum: expected nothing without "writable": true'],
  [withKey({ at: "holding 0", writable: true, default: 70_000 }), ".keys.it.default: expected a state of the noun."],
  [withKey({ at: "holding 0", writable: true, default: null }), ".keys.it.default: expected a value other than null"],
  [withKey({ at: "holding 0", writable: true, minimum: 2, maximum: 1 }), ".keys.it.maximum: expected at least the"],
  [withKey({ at: "input 0", as: "string" }), ".keys.it.length: expected the number of bytes"],
  [withKey({ at: "input 0", length: 4 }), '.keys.it.length: expected nothing without "as": "string"'],
  [
    withKey({ at: "input 0", as: "string", length: 4, unit: "V" }),
    '.keys.it.unit: expected nothing together with "as": "string"',
  ],
  [withKey({ at: "input 0", as: "bits", bit: [7, 4] }), ".keys.it.bit: expected the lowest bit first, found"],
  [withKey({ at: "input 0", as: "bits", bit: [4] }), ".keys.it.bit: expected a bit from 0 to 15, or the lowest"],
  [withKey({ at: "input 0", as: "bits", bit: 3, none: 1 }), '.keys.it.none: expected nothing together with "bit"'],
  [withKey({ at: "input 0", none: "x" }), '.keys.it.none: expected a number for "as": "uint16", found "x"'],
  [withKey({ at: "input 0", none: 65_536 }), ".keys.it.none: expected the number in the registers"],
  [withKey({ at: "input 0", none: [0, -0.5] }), ".keys.it.none: expected the number in the registers"],
  [withKey({ at: "coil 0", none: 1 }), '.keys.it.none: expected nothing together with "coil"'],
  [withKey({ at: "input 0", scaleBy: "power" }), ".keys.it.scaleBy: expected another key with a number"],
  [withKey({ at: "input 0", scaleBy: "it" }), ".keys.it.scaleBy: expected another key with a number"],
  [withKey({ at: "input 0", confirm: "read" }), '.keys.it.confirm: expected nothing without "writable": true'],
  [{ ...it, framing: "tcp" }, '.framing: expected "rtu" together with "device", a serial line'],
  [{ ...it, timeout: 5_000 }, ".timeout: expected less than the 5000 ms of limits.nounTimeout"],
  [withKey({ at: "holding 65536" }), ".keys.it.at: expected the table, one of coil"],
])("a unit that cannot be is refused: %j", (noun, sentence) => {
  expect(() => readConfiguration({ nouns: { it: noun } })).toThrow(`$.nouns.it${sentence}`);
});

test("the keys have their types, and what people read", () => {
  const keys = {
    volts: { at: "input 0", as: "float32", unit: "V", title: "Grid" },
    relay: { at: "coil 3", writable: true, labels: { false: "open", true: "closed" } },
    limit: { at: "holding 40", as: "int16", scale: 0.1, writable: true, minimum: 0, maximum: 100 },
  };
  const noun = build({ ...it, poll: 9_000, keys });
  const { shape, settable, poll } = noun;
  expect({ settable, poll }).toEqual({ settable: true, poll: 9_000 });
  expect(shape).toMatchObject({
    volts: { type: "number", nullable: true, readOnly: true, unit: "V", title: "Grid" },
    relay: { type: "boolean", nullable: true, labels: { true: "closed" } },
    limit: { type: "number", minimum: 0, maximum: 100 },
    timeouts: { counts: "total", diagnostic: true },
  });
  expect(shape?.["volts"]).not.toHaveProperty("read");
  noun.close?.();
});

test("a timeout may be as long as an operation", () => {
  const nouns = { it: { kind: "modbus", server: "a:502", timeout: 30_000, keys: it.keys } };
  expect(() => readConfiguration({ limits: { nounTimeout: 30_001 }, nouns })).not.toThrow();
});

test("nouns on one line share it, and cannot differ in its settings", async () => {
  const one = build({ ...it, baud: "19200 8E1 rs485" });
  const other = build({ ...it, baud: "19200 8E1 rs485", unit: 2 });
  expect(() => build({ ...it, baud: 9_600 })).toThrow("/dev/ttyS1 has other settings already");
  const state = one.getState();
  world().clock.advance(10);
  expect(world().serial.line("/dev/ttyS1").settings).toMatchObject({ baudRate: 19_200, parity: "even", rs485: true });
  world().clock.advance(600);
  expect(await state).toMatchObject({ volts: null, timeouts: 1 });
  one.close?.();
  expect(world().serial.line("/dev/ttyS1").settings).toBeDefined();
  other.close?.();
  expect(world().serial.line("/dev/ttyS1").settings).toBeUndefined();
});
