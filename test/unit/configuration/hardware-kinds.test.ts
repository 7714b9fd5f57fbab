/** The kinds of nouns that move hardware: what a configuration may say of them, and how they open their hardware. */
import { beforeEach, describe, expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { gpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import type { LineAddress, LineSettings } from "../../../ts/native/gpio.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json, JsonObject } from "../../../ts/settings/json.ts";

const output = { kind: "gpio-output", chip: "gpiochip0", offset: 17, key: "pump" };
const input = { kind: "gpio-input", line: "BUTTON", key: "button" };
const led = { kind: "led", device: "green" };
const pwm = { kind: "pwm", chip: "pwmchip0", channel: 0 };
const key = { kind: "input", device: "gpio-keys", channel: "KEY_POWER" };
const adc = { kind: "sensor", device: "iio:device0", channel: "voltage0" };

let store: SimulatedStore;
let opened: { backend: string; address: LineAddress; settings: LineSettings }[];
let reported: unknown[];

beforeEach(() => {
  beginProgram();
  store = new SimulatedStore();
  opened = [];
  reported = [];
  const { gpio } = world();
  const open = gpio.openLine.bind(gpio);
  gpio.openLine = (backend, address, settings) => {
    opened.push({ backend, address, settings });
    return open(backend, address, settings);
  };
});

function read(nouns: { readonly [name: string]: Json }, rest: JsonObject = {}) {
  return readConfiguration({ ...rest, nouns });
}

function build(noun: Json, rest: JsonObject = { stateDirectory: "/var/lib/nound" }): Noun {
  const name = parseNounName("pump");
  const { nouns } = read({ [name]: noun }, rest);
  const plan = nouns.get(name);
  if (plan === undefined) throw new Error("no noun was read");
  const report = (error: unknown) => reported.push(error);
  return plan.build({ name, openStore: () => store, report });
}

function refusal(noun: Json): string {
  try {
    read({ it: noun }, { stateDirectory: "/var/lib/nound" });
  } catch (error) {
    return error instanceof Error && error.name === "ConfigurationError" ? error.message : String(error);
  }
  return "none";
}

test.each<[Json, string]>([
  [
    { ...key, channel: "KEY_POWR" },
    '$.nouns.it.channel: expected a code of the kernel, such as "KEY_POWER", found "KEY_POWR"; did you mean',
  ],
  [
    { ...key, channel: "ABS_X" },
    '$.nouns.it.channel: expected a code such as "REL_X", found "ABS_X": a rotary encoder turns without an end by ' +
      "relative_axis=1 of its overlay",
  ],
  [
    { kind: "input", channel: "KEY_POWER" },
    '$.nouns.it.device: expected the name of the input device, such as "gpio-keys", found nothing',
  ],
  [
    { ...key, from: "hotplug" },
    '$.nouns.it.device: expected nothing together with "from": "hotplug", which knows no devices',
  ],
  [
    { ...key, channel: "REL_WHEEL", presses: true },
    "$.nouns.it.presses: expected false for an axis, which has a position, found true",
  ],
  [
    { ...key, presses: true, key: "short" },
    '$.nouns.it.key: expected another key, because the counter of presses uses "short"',
  ],
  [
    { kind: "gpio-output", key: "a" },
    '$.nouns.it.chip: expected "chip" and "offset", or "line" with the line\'s name, found nothing',
  ],
  [
    { kind: "gpio-output", key: "a", offset: 1 },
    '$.nouns.it.chip: expected "chip" and "offset", or "line" with the line\'s name, found nothing',
  ],
  [
    { kind: "gpio-output", key: "a", chip: "gpiochip0" },
    "$.nouns.it.offset: expected the line's offset on the chip, found nothing",
  ],
  [
    { ...output, line: "GPIO17" },
    '$.nouns.it.chip: expected nothing together with "line", which already names the line',
  ],
  [{ ...input, offset: 3 }, '$.nouns.it.offset: expected nothing together with "line", which already names the line'],
  [{ ...output, pulse: 1, lease: 1 }, '$.nouns.it.lease: expected nothing together with "pulse", which ends by itself'],
  [
    { ...output, pulse: 1, boot: "restore" },
    '$.nouns.it.pulse: expected nothing together with "boot": "restore", which would repeat a pulse after each restart',
  ],
  [
    { ...output, interval: 5, boot: "as-is" },
    '$.nouns.it.interval: expected nothing without "boot": "restore", because nothing is written',
  ],
  [
    { ...input, key: "missed", edges: "both" },
    '$.nouns.it.key: expected another key, because the counter of edges uses "missed"',
  ],
  [
    { ...input, presses: true, edges: "rising" },
    '$.nouns.it.edges: expected "both" or "none" together with "presses", found "rising"',
  ],
  [
    { ...input, presses: true, key: "double" },
    '$.nouns.it.key: expected another key, because the counter of presses uses "double"',
  ],
  ...["long", "long 0", "long 60001", "double 300 long 800", "short 9", "", 1].map((presses): [Json, string] => [
    { ...input, presses },
    "$.nouns.it.presses: expected true, false, or the ms of presses, at most 60000, such as",
  ]),
  ...["", ".", "..", ".green", "a/b", "gr\0en", "x".repeat(65), 1].map((device): [Json, string] => [
    { kind: "led", device },
    "$.nouns.it.device: expected a device's name such as green:status, of letters, digits and : . _ - @ ,, found ",
  ]),
  [{ ...led, default: {} }, "$.nouns.it.default.brightness: expected a state of the noun. "],
  [{ ...led, default: { brightness: -1 } }, "$.nouns.it.default.brightness: expected a state of the noun. "],
  [{ ...led, default: { brightness: 1, trigger: 2 } }, "$.nouns.it.default.trigger: expected a state of the noun. "],
  [{ ...pwm, chip: "pwm/0" }, "$.nouns.it.chip: expected a chip such as pwmchip0, or the path "],
  [{ ...pwm, pulse: true, default: { percent: 1, enabled: true } }, "$.nouns.it.default.percent: expected a state of "],
  [
    { ...pwm, frequency: 1_000_000, default: { percent: 101, enabled: true } },
    '$.nouns.it.default.percent: expected a state of the noun. The value of "percent" must be a ' +
      "number from 0 to 100.",
  ],
  [
    { ...pwm, frequency: 1_000_000, default: { percent: 1 } },
    "$.nouns.it.default.enabled: expected a state of the noun. ",
  ],
])("refuses the noun %j, naming the path", (noun, message) => {
  expect(refusal(noun).slice(0, message.length)).toBe(message);
});

test.each([
  output,
  input,
  led,
  pwm,
  adc,
  { ...input, key: "missed" },
  { ...input, key: "long" },
  { ...pwm, frequency: 1_000_000 },
])("takes the noun %j and touches no hardware", (noun) => {
  expect(refusal(noun)).toBe("none");
  expect(opened).toEqual([]);
});

test.each<[string, Json, Json, string]>([
  ["line", output, { kind: "gpio-input", chip: "/dev/gpiochip0", offset: 17, key: "k" }, "the line 17 of gpiochip0"],
  ["line by name", input, { kind: "gpio-output", line: "BUTTON", key: "k" }, 'the line "BUTTON"'],
  ["LED", led, { ...led, exit: "as-is" }, "the LED green"],
  ["PWM channel", pwm, { ...pwm, frequency: 1_000_000 }, "the channel 0 of pwmchip0"],
])("refuses two nouns with one %s, naming the first", (_, one, other, what) => {
  expect(() => read({ a: one, b: other })).toThrow(
    `$.nouns.b: expected hardware that no other noun uses, found ${what}, which $.nouns.a uses`,
  );
});

test("different lines, channels and devices go together, and one converter's channel may be read by two", () => {
  expect(() =>
    read({
      a: output,
      b: { ...output, offset: 18 },
      c: { ...output, chip: "gpiochip1" },
      d: pwm,
      e: { ...pwm, channel: 1 },
      f: adc,
      g: adc,
      h: led,
    }),
  ).not.toThrow();
});

test('"restore" needs a folder to restore from', () => {
  expect(() => read({ a: { ...output, boot: "restore" } })).toThrow(
    "$.stateDirectory: expected the path of a folder, because $.nouns.a.boot needs it, found nothing",
  );
});

describe("an output", () => {
  test("is requested with its options, held in the noun's name", () => {
    build({ ...output, activeLow: true, bias: "pull-up", drive: "open-drain", default: 1 });
    expect(opened).toEqual([
      {
        backend: "gpiod",
        address: { chip: "gpiochip0", offset: 17 },
        settings: {
          consumer: "nound:pump",
          direction: "output",
          value: 1,
          keepValue: false,
          activeLow: true,
          bias: "pull-up",
          drive: "open-drain",
          edges: "none",
          debounce: 0,
          exit: 1,
        },
      },
    ]);
  });

  test('with boot "as-is" keeps the level of its line, and leaves it at its end', async () => {
    const first = build({ ...output, boot: "as-is" });
    await first.setState({ pump: 1 });
    expect(opened).toMatchObject([{ settings: { keepValue: true, value: 0 } }]);
    (first as unknown as { close(): void }).close();
    expect(await build({ ...output, boot: "as-is" }).getState()).toEqual({ pump: 1 });
  });

  test.each([
    ["0", 0],
    ["1", 1],
    ["on", 1],
    [undefined, 1],
  ])('with boot "restore" and "%s" kept it comes up with %i', async (kept, level) => {
    if (kept !== undefined) store.texts.set("output-pump", kept);
    const noun = build({ ...output, boot: "restore", default: 1 });
    expect(opened).toMatchObject([{ settings: { value: level, keepValue: false } }]);
    expect(await noun.getState()).toEqual({ pump: level });
  });

  test("that restores keeps each level, once an interval, and reports a folder that fails", async () => {
    const noun = build({ ...output, boot: "restore", interval: 50 });
    await noun.setState({ pump: 1 });
    await noun.setState({ pump: 0 });
    expect(store.texts.get("output-pump")).toBe("1");
    world().clock.advance(50);
    expect(store.texts.get("output-pump")).toBe("0");
    world().clock.advance(50);
    store.failure = new Error("full");
    expect(await noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    expect(reported).toEqual([store.failure]);
  });

  test.each([
    ["default", undefined, 0],
    ["as-is", undefined, 1],
    ["restore", undefined, 1],
    ["default", "as-is", 1],
    ["restore", "default", 0],
  ])('with boot "%s" and exit %s leaves a line that was set to 1 at %i', async (boot, exit, voltage) => {
    const noun = build({ ...output, boot, ...(exit === undefined ? {} : { exit }) });
    await noun.setState({ pump: 1 });
    (noun as unknown as { close(): void }).close();
    expect(world().gpio.pin({ chip: "gpiochip0", offset: 17 }).voltage).toBe(voltage);
  });
});

test("an input is requested with its options, and counts edges when it has some", async () => {
  const noun = build({ ...input, edges: "falling", debounce: 5 });
  expect(opened).toMatchObject([
    {
      backend: "gpiod",
      address: { name: "BUTTON" },
      settings: { direction: "input", edges: "falling", debounce: 5_000 },
    },
  ]);
  expect(await noun.getState()).toEqual({ button: 0, edges: 0, missed: 0, sinceEdge: null });
  expect(await build({ ...input, line: "B" }).getState()).toEqual({ button: 0 });
});

test("an input that counts presses is requested with both edges, and has its times", async () => {
  const noun = build({ ...input, presses: "long 50 double 20" });
  expect(opened).toMatchObject([{ settings: { direction: "input", edges: "both" } }]);
  const { clock, gpio } = world();
  const pin = gpio.pin({ name: "BUTTON" });
  for (const duration of [50, 49]) {
    pin.drive(1);
    clock.advance(duration);
    pin.drive(0);
  }
  clock.advance(19);
  expect(await noun.getState()).toEqual({ button: 0, short: 0, long: 1, double: 0 });
  clock.advance(1);
  expect(await noun.getState()).toEqual({ button: 0, short: 1, long: 1, double: 0 });
});

const energy = { key: "kilowattHours", scale: 0.001, unit: "kWh", deviceClass: "energy" };
const power = { key: "watts", unit: "W", scale: 3_600_000 };

test("an input with a total and a rate has both, and keeps the total under the noun's name", async () => {
  const noun = build({ ...input, edges: "rising", total: energy, rate: power });
  expect(noun.shape).toMatchObject({ kilowattHours: { deviceClass: "energy", counts: "total" }, watts: { unit: "W" } });
  world().gpio.pin({ name: "BUTTON" }).drive(1);
  expect(await noun.getState()).toMatchObject({ kilowattHours: 0.001, watts: null });
  expect(store.texts.get("total-pump")).toBe("0.001");
  // The next noun of the name goes on.
  expect(await build({ ...key, total: { key: "visitors" } }).getState()).toMatchObject({ visitors: 0.001 });
});

test.each<[Json, string]>([
  [
    { ...input, total: energy },
    '$.nouns.it.total: expected nothing without "edges" or "presses": true, because nothing is counted',
  ],
  [
    { ...input, edges: "both", total: { key: "edges" } },
    '$.nouns.it.total.key: expected another key, because the noun has "edges" already',
  ],
  [{ ...input, edges: "both", total: energy, rate: { key: energy.key } }, "$.nouns.it.rate.key: expected another key,"],
  [
    { ...key, channel: "REL_X", total: energy },
    "$.nouns.it.total: expected nothing together with an axis, which has a position",
  ],
])("a meter of nothing is refused: %j", (noun, sentence) => {
  expect(refusal(noun)).toContain(sentence);
});

test("a total needs a folder of states", () => {
  expect(() => build({ ...input, edges: "both", total: energy }, {})).toThrow(
    "$.stateDirectory: expected the path of a folder, because $.nouns.pump.total needs it, found nothing",
  );
});

test("an application's meter needs something that counts, and a total needs a store", () => {
  expect(() => gpioInputNoun({ line: "B", key: "b", rate: power })).toThrow(
    '"total" and "rate" count edges or presses',
  );
  expect(() => gpioInputNoun({ line: "B", key: "b", edges: "both", total: energy })).toThrow('"total" needs a store');
});

test("an application's input with presses has edges in both directions", () => {
  expect(() => gpioInputNoun({ line: "B", key: "b", presses: true, edges: "falling" })).toThrow(
    '"presses" needs edges in both directions: give "edges": "both", or none.',
  );
});

test("LEDs and PWM channels are built on their devices", async () => {
  expect(await build({ ...led, default: { brightness: 9 } }).getState()).toEqual({ brightness: 9, trigger: "none" });
  expect(await build({ ...pwm, frequency: 1_000_000 }).getState()).toEqual({ percent: 0, enabled: false });
  expect(world().sysfs.openDevice("leds", "green").read("brightness")).toBe("9");
});

test("a noun of any kind says of itself what the configuration does", () => {
  const said = { title: "It", description: "What it is." };
  for (const kind of [output, input, led, { ...pwm, frequency: 25_000 }]) {
    expect(build({ ...kind, ...said })).toMatchObject(said);
  }
  const { shape } = build({
    ...pwm,
    channel: 1,
    frequency: 25_000,
    keys: { percent: { title: "Speed", unit: "rpm" } },
  });
  expect(shape?.["percent"]).toMatchObject({ type: "number", minimum: 0, title: "Speed", unit: "rpm" });
  expect(() => build({ ...output, offset: 18, keys: { pmup: { title: "Pump" } } })).toThrow(
    'There is no key "pmup" to describe',
  );
});

test("the shape of every kind has all keys of its state, each with its type, range or choices", () => {
  const percent = { ...pwm, frequency: 25_000 };
  const start = { ...pwm, pulse: true, default: { microseconds: 1_000, enabled: false } };
  for (const kind of [output, input, { ...input, line: "DOOR", edges: "both" }, led, start, percent]) {
    const noun = build(kind);
    const state = noun.getState();
    expect(Object.keys(noun.shape ?? {})).toEqual(Object.keys(state));
    for (const key of Object.values(noun.shape ?? {})) {
      const isBounded = key.type === "choice" || key.type === "boolean" || "minimum" in key || key.readOnly === true;
      expect(isBounded, JSON.stringify([kind, key])).toBe(true);
    }
  }
});
