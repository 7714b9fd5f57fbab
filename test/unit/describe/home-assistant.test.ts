/** What Home Assistant is told, judged in its own words and by its own template language. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HomeAssistantOptions } from "../../../ts/core/noun/home-assistant.ts";
import type { Key, Shape } from "../../../ts/core/noun/shape.ts";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import { GpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import type { DescribedNoun } from "../../../ts/parts/documents/describe/described-device.ts";
import {
  type Announced,
  type AnnouncedDevice,
  type AnnouncedNoun,
  announcedBy,
  discovery,
} from "../../../ts/parts/documents/describe/home-assistant/discovery.ts";
import { componentsOf as allComponentsOf, checkDiscovery } from "../../harness/home-assistant/checker.ts";
import { Entity, type Service, unknown } from "../../harness/home-assistant/entities.ts";
import { Templates, templatesMissing } from "../../harness/home-assistant/templates.ts";
import { input, output, simulatedLine } from "../nouns/simulated-line.ts";
import { RuledDevice, TestNoun } from "../rules/device.ts";
import { allMethods, application, described, relayBoard } from "./devices.ts";
import { anyShape } from "./shapes.ts";

const dark = { verb: "PUT", noun: "lamp", body: { on: 0 } } as const;

const topic = "homeassistant/device/hall/config";

/** @returns the components of a message without that of refused commands. */
const componentsOf = (payload: string) => allComponentsOf(payload).filter(({ id }) => id !== "binary_sensor::problem");

/** What Home Assistant would refuse, as the device says. */
const refused: string[] = [];

function hall(nouns: readonly AnnouncedNoun[], rest: Partial<AnnouncedDevice> = {}): AnnouncedDevice {
  return {
    id: "7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e",
    title: "Hall",
    label: "hall",
    version: "0.1.0",
    model: "BeagleBone Black",
    status: "nound/hall",
    topic: (noun) => `nound/hall/${noun.replaceAll(".", ":")}`,
    keyOf: (noun, key) => nouns.find(({ name }) => name === noun)?.shape?.[key],
    refuse: (_, sentence) => refused.push(sentence),
    nouns,
    ...rest,
  };
}

function messageOf(device: AnnouncedDevice, before: Announced = new Map()): string {
  return Array.from(discovery(device, before, new Map())).join("");
}

function nounOf(shape: Shape, rest: Partial<AnnouncedNoun> = {}): AnnouncedNoun {
  return { name: "it", shape, methods: allMethods, ...rest };
}

let templates: Templates;
beforeAll(() => {
  templates = new Templates();
});
afterAll(() => templates.end());

/** @returns the entities of a device, all of which know that it is online. */
async function entitiesOf(payload: string): Promise<Entity[]> {
  expect(checkDiscovery(topic, payload)).toEqual([]);
  const entities = componentsOf(payload).flatMap((component) =>
    component.config === undefined || component.platform === "device_automation"
      ? []
      : [new Entity(component, component.config, templates)],
  );
  for (const entity of entities) await entity.receive("nound/hall", "online", true);
  return entities;
}

async function only(noun: AnnouncedNoun, id: RegExp = /^(?!button)/): Promise<Entity> {
  const [entity, ...others] = (await entitiesOf(messageOf(hall([noun])))).filter((one) => id.test(one.id));
  if (entity === undefined || others.length > 0) throw new Error(`${others.length + 1} entities`);
  return entity;
}

async function tell(entity: Entity, state: State | null): Promise<string | number> {
  await entity.receive("nound/hall/it", JSON.stringify(state), true);
  return entity.isAvailable ? entity.state : "unavailable";
}

/** @returns the topic's last level, and what a noun of this shape makes of the payload. */
async function ask(entity: Entity, noun: AnnouncedNoun, service: Service): Promise<[string, unknown]> {
  const { topic: to, payload } = await entity.call(service);
  const [base, level = ""] = to.split("/it/");
  expect(base).toBe("nound/hall");
  if (level === "delete") return [level, payload];
  const state = JSON.parse(payload) as State;
  const { shape = {}, updateShape } = noun;
  checkState(level === "put" ? shape : (updateShape ?? partialShape(shape)), state);
  return [level, state];
}

describe.skipIf(templatesMissing !== undefined)(`Home Assistant${templatesMissing ?? ""}`, () => {
  test.each<[string, Key, string, unknown]>([
    ["a boolean that is set", { type: "boolean" }, "switch:it/k", {}],
    ["0 and 1 that are set", { type: "choice", values: [1, 0] }, "switch:it/k", {}],
    ["a boolean that is read", { type: "boolean", readOnly: true }, "binary_sensor:it/k", {}],
    [
      "a whole number that is set",
      { type: "integer", minimum: 2, maximum: 9 },
      "number:it/k",
      { min: 2, max: 9, step: 1 },
    ],
    ["a number that is set", { type: "number", minimum: 5, maximum: 30 }, "number:it/k", { step: 0.1 }],
    [
      "a number that is read",
      { type: "number", readOnly: true, unit: "Cel" },
      "sensor:it/k",
      { unit_of_measurement: "°C", device_class: "temperature", state_class: "measurement" },
    ],
    [
      "a counter",
      { type: "integer", readOnly: true, counts: "total", unit: "W.h" },
      "sensor:it/k",
      { unit_of_measurement: "Wh", device_class: "energy", state_class: "total_increasing" },
    ],
    [
      "a total that a PUT sets",
      { type: "number", minimum: 0, maximum: 1e12, counts: "total", unit: "kWh", deviceClass: "energy" },
      "sensor:it/k",
      { unit_of_measurement: "kWh", device_class: "energy", state_class: "total_increasing" },
    ],
    [
      "a number in a small unit",
      { type: "number", readOnly: true, unit: "uV" },
      "sensor:it/k",
      { unit_of_measurement: "\u00b5V", device_class: "voltage" },
    ],
    ["a choice that is set", { type: "choice", values: ["a", "b"] }, "select:it/k", { options: ["a", "b"] }],
    [
      "a choice that is read",
      { type: "choice", values: ["a", "b"], readOnly: true },
      "sensor:it/k",
      { options: ["a", "b"], device_class: "enum" },
    ],
    [
      "a choice with labels",
      { type: "choice", values: [0, 1, 2], labels: { "0": "off", "1": "eco", "2": "full" } },
      "select:it/k",
      { options: ["off", "eco", "full"] },
    ],
    [
      "a contact",
      { type: "boolean", readOnly: true, deviceClass: "door" },
      "binary_sensor:it/k",
      { device_class: "door" },
    ],
    [
      "a number of a device class",
      { type: "number", readOnly: true, unit: "%", deviceClass: "humidity" },
      "sensor:it/k",
      { device_class: "humidity", unit_of_measurement: "%" },
    ],
    ["false and true that are chosen", { type: "choice", values: [true, false] }, "switch:it/k", {}],
    [
      "an amount of energy",
      { type: "number", readOnly: true, unit: "kW.h" },
      "sensor:it/k",
      { device_class: "energy", state_class: "total_increasing" },
    ],
    [
      "an amount of water",
      { type: "number", readOnly: true, unit: "L", deviceClass: "water" },
      "sensor:it/k",
      { device_class: "water", state_class: "total_increasing" },
    ],
    [
      "an amount of money",
      { type: "number", readOnly: true, unit: "EUR", deviceClass: "monetary" },
      "sensor:it/k",
      { device_class: "monetary", state_class: "total" },
    ],
    [
      "a direction",
      { type: "number", readOnly: true, unit: "deg", deviceClass: "wind_direction" },
      "sensor:it/k",
      { device_class: "wind_direction", state_class: "measurement_angle" },
    ],
    [
      "an acidity",
      { type: "number", readOnly: true, unit: "[pH]" },
      "sensor:it/k",
      { device_class: "ph", state_class: "measurement" },
    ],
    [
      "a voltage with a step",
      { type: "number", readOnly: true, unit: "V", step: 0.05 },
      "sensor:it/k",
      { suggested_display_precision: 2 },
    ],
    [
      "a number that is set in steps",
      { type: "number", minimum: 0, maximum: 9, step: 0.5 },
      "number:it/k",
      { step: 0.5 },
    ],
    [
      "a lot of memory",
      { type: "integer", readOnly: true, unit: "By", step: 1_048_576 },
      "sensor:it/k",
      { unit_of_measurement: "MiB", device_class: "data_size", suggested_display_precision: 0 },
    ],
    [
      "a time",
      { type: "string", readOnly: true, deviceClass: "timestamp" },
      "sensor:it/k",
      { device_class: "timestamp" },
    ],
    ["a text that is set", { type: "string", maximumLength: 20 }, "text:it/k", { max: 20 }],
    ["a text that may be long", { type: "string", maximumLength: 2_000 }, "text:it/k", { max: 255 }],
    ["a text that is read", { type: "string", readOnly: true }, "sensor:it/k", {}],
  ])("%s becomes what fits it", async (_, key, id, config) => {
    const entity = await only(nounOf({ k: key }));
    expect(entity.id).toBe(id);
    expect(entity.config).toMatchObject(config as object);
  });

  test.each<[string, Key, Scalar, string | number]>([
    ["a boolean", { type: "boolean" }, true, "on"],
    ["a bit", { type: "choice", values: [0, 1] }, 0, "off"],
    ["a boolean that is read", { type: "boolean", readOnly: true }, false, "off"],
    ["a number", { type: "number", readOnly: true, unit: "Cel" }, -0.5, -0.5],
    ["a choice", { type: "choice", values: ["auto", "off"] }, "auto", "auto"],
    ["a choice with labels", { type: "choice", values: [0, 1, 2], labels: { "0": "a", "1": "b", "2": "c" } }, 2, "c"],
    [
      "a choice with labels that no option can have",
      { type: "choice", values: ["x", "y", "z"], labels: { x: "none", y: "b", z: "c" } },
      "x",
      "x",
    ],
    ["a choice called none", { type: "choice", values: ["None", "off"] }, "None", '"None"'],
    ["a choice called unknown", { type: "choice", values: ["unknown", "off"] }, "unknown", '"unknown"'],
    ["a choice called unavailable", { type: "choice", values: ["Unavailable"] }, "Unavailable", '"Unavailable"'],
    ["a large number", { type: "number" }, 3.5e20, 3.5e20],
    ["a lot of memory", { type: "integer", readOnly: true, unit: "By", step: 1_048_576 }, 67_108_864, 64],
    ["a choice called none that is read", { type: "choice", values: ["none"], readOnly: true }, "none", '"none"'],
    ["a choice of several types", { type: "choice", values: [true, 1, "1", null] }, true, "true"],
    ["a choice of several types", { type: "choice", values: [true, 1, "1", null] }, 1, "1"],
    ["a choice of several types", { type: "choice", values: [true, 1, "1", null] }, "1", '"1"'],
    ["a choice of several types", { type: "choice", values: [true, 1, "1", null] }, null, "null"],
    ["a choice with spaces around", { type: "choice", values: [" a ", ""] }, " a ", '" a "'],
    ["an empty choice", { type: "choice", values: [" a ", ""] }, "", '""'],
    ["a text", { type: "string" }, "{{ 7 * 7 }}", "{{ 7 * 7 }}"],
    ["a text that is too long for a state", { type: "string", readOnly: true }, "x".repeat(300), "x".repeat(255)],
    ["a key like a method", { type: "number", readOnly: true, title: "values" }, 5, 5],
  ])("%s is shown", async (_, key, value, shown) => {
    const name = key.title ?? "k";
    const entity = await only(nounOf({ [name]: key }));
    expect(await tell(entity, { [name]: value })).toBe(shown);
    expect(entity.complaints).toEqual([]);
  });

  test("a value that is missing, and a noun that fails, are unavailable and come back", async () => {
    const entity = await only(nounOf({ celsius: { type: "number", readOnly: true, nullable: true, unit: "Cel" } }));
    expect(await tell(entity, { celsius: 21.5 })).toBe(21.5);
    expect(await tell(entity, { celsius: null })).toBe("unavailable");
    expect(await tell(entity, { celsius: 20 })).toBe(20);
    expect(await tell(entity, null)).toBe("unavailable");
    expect(await tell(entity, {})).toBe("unavailable");
    expect(await tell(entity, { celsius: 0 })).toBe(0);
    await entity.receive("nound/hall", "offline", true);
    expect(entity.isAvailable).toBe(false);
    expect(entity.complaints).toEqual([]);
  });

  test.each<[string, Key, Service, Scalar]>([
    ["number", { type: "number", optional: true }, { do: "set", value: 5 }, 5],
    ["switch", { type: "boolean", optional: true }, { do: "turn_on" }, true],
    ["select", { type: "choice", values: ["a", "b", "c"], optional: true }, { do: "set", value: "b" }, "b"],
    ["text", { type: "string", optional: true }, { do: "set", value: "x" }, "x"],
  ])("an optional %s that is absent is there to be set", async (_, key, service, value) => {
    const noun = nounOf({ k: key });
    const entity = await only(noun);
    expect(await tell(entity, { k: value })).not.toBe("unavailable");
    const absent = await tell(entity, {});
    expect(absent).toBe(key.type === "string" ? "" : unknown);
    expect(await ask(entity, noun, service)).toEqual(["put", { k: value }]);
    expect(await tell(entity, null)).toBe("unavailable");
    expect(entity.complaints).toEqual([]);
  });

  test.each<[string, Key, RegExp]>([
    [
      "a unit of another class",
      { type: "number", readOnly: true, unit: "W", deviceClass: "temperature" },
      /has the units °C, °F, K, not W$/,
    ],
    ["no unit", { type: "number", readOnly: true, deviceClass: "energy" }, /not none$/],
    [
      "a unit of nothing",
      { type: "number", readOnly: true, unit: "%", deviceClass: "ph" },
      /has the units none, not %$/,
    ],
    [
      "a state class of another class",
      {
        type: "number",
        readOnly: true,
        unit: "L",
        deviceClass: "water",
        homeAssistant: { state_class: "measurement" },
      },
      /has the state_class total_increasing, total, not measurement$/,
    ],
    [
      "a class of another kind",
      { type: "boolean", homeAssistant: { device_class: "door" } },
      /a switch has no device_class door$/,
    ],
    [
      "a reading as part of the configuration",
      { type: "number", readOnly: true, homeAssistant: { entity_category: "config" } },
      /a sensor cannot have the entity_category config$/,
    ],
    [
      "an icon without a set",
      { type: "boolean", homeAssistant: { icon: "door" } },
      /icon is an icon such as mdi:door, not "door"$/,
    ],
  ])("%s is refused, and the reason is told", (_, key, reason) => {
    refused.length = 0;
    expect(componentsOf(messageOf(hall([nounOf({ k: key }, { methods: ["GET", "PUT"] })])))).toEqual([]);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(reason);
  });

  const heating: Shape = {
    target: { type: "number", minimum: 5, maximum: 30, unit: "Cel" },
    mode: { type: "choice", values: ["day", "night"] },
    celsius: { type: "number", readOnly: true, unit: "Cel" },
    note: { type: "string" },
  };
  test.each<[string, HomeAssistantOptions, string]>([
    ["a key that does not exist", { platform: "climate", target: "wanted" }, 'there is no key "wanted"'],
    ["a key of no other noun", { platform: "climate", current: "cellar/x" }, 'there is no key "cellar/x"'],
    ["a text", { platform: "climate", target: "note" }, "target is a number"],
    ["a key that is only read", { platform: "climate", target: "celsius" }, "target is a key that can be set"],
    ["words that it does not have", { platform: "climate", mode: "mode" }, "mode is a choice of auto off cool"],
    ["one state of two", { platform: "lock", locked: "mode" }, "locked is a key with two values"],
    ["no key at all", { platform: "lock" }, "no key of the noun is locked"],
    ["one colour of three", { platform: "light", red: "target" }, "red, green and blue: three numbers"],
  ])("a whole thing with %s is refused", (_, homeAssistant, reason) => {
    refused.length = 0;
    messageOf(hall([nounOf(heating, { homeAssistant })]));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(reason);
  });

  test("a thermostat reads the temperature of another noun, and its other keys are entities", async () => {
    const cellar = nounOf({ celsius: { type: "number", readOnly: true, unit: "Cel" } }, { name: "cellar" });
    const thermostat = nounOf(heating, { homeAssistant: { platform: "climate", current: "cellar/celsius" } });
    const components = componentsOf(messageOf(hall([thermostat, cellar])));
    expect(components.map(({ id }) => id).filter((id) => !id.includes(":delete") && id.includes("it"))).toEqual([
      "climate:it:climate",
      "select:it/mode",
      "sensor:it/celsius",
      "text:it/note",
    ]);
    expect(components[0]?.config).toMatchObject({
      current_temperature_topic: "nound/hall/cellar",
      temperature_command_topic: "nound/hall/it/post",
      min_temp: 5,
      max_temp: 30,
      temperature_unit: "C",
    });
  });

  test("a cover has a position, slats and a stop, and is unknown while nobody knows where it is", async () => {
    const share: Key = { type: "integer", minimum: 0, maximum: 100, nullable: true, optional: true };
    const moving: Key = { type: "choice", values: ["opening", "closing", "stopped"], optional: true };
    const failure: Key = { type: "choice", values: ["a", "b", "c"], nullable: true, optional: true };
    const homeAssistant = { platform: "cover", position: "position", tilt: "tilt", state: "moving" } as const;
    const options = { ...homeAssistant, payload_stop: '{"moving":"stopped"}', device_class: "garage" };
    const updateShape = { position: share, tilt: share, moving } satisfies Shape;
    const shape = { ...updateShape, failure: { ...failure, diagnostic: true } } satisfies Shape;
    const noun = nounOf(shape, { updateShape, homeAssistant: options });
    const components = componentsOf(messageOf(hall([noun])));
    const { config = {} } = components.find(({ id }) => id === "cover:it:cover") ?? {};
    expect(config).toMatchObject({
      ...{ device_class: "garage", payload_open: '{"position":100}', payload_close: '{"position":0}' },
      ...{ payload_stop: '{"moving":"stopped"}', tilt_min: 0, tilt_max: 100, tilt_status_topic: "nound/hall/it" },
      ...{ tilt_command_topic: "nound/hall/it/post", set_position_topic: "nound/hall/it/post" },
    });
    const said = (state: State) => templates.render(String(config["value_template"]), JSON.stringify(state));
    expect(await said({ position: 40, moving: "opening" })).toBe("opening");
    expect(await said({ position: null, moving: "closing" })).toBe("closing");
    expect(await said({ position: 40, moving: "stopped" })).toBe("open");
    expect(await said({ position: 0, moving: "stopped" })).toBe("closed");
    expect(await said({ position: null, moving: "stopped" })).toBe("None");
    expect(await templates.render(String(config["tilt_status_template"]), '{"tilt":30}')).toBe("30");
    expect(components.map(({ id }) => id)).toContain("sensor:it/failure");
  });

  test("an option that is null is left out", async () => {
    const key: Key = { type: "number", readOnly: true, unit: "Cel", homeAssistant: { device_class: null, icon: null } };
    const { config } = await only(nounOf({ k: key }));
    expect([config["device_class"], config["icon"]]).toEqual([undefined, undefined]);
  });

  test("a counter with a class is a meter, which people see", async () => {
    const edges: Key = {
      type: "integer",
      readOnly: true,
      diagnostic: true,
      counts: "total",
      unit: "L",
      deviceClass: "water",
    };
    const { config } = await only(nounOf({ edges }, { methods: ["GET"] }));
    expect([config["entity_category"], config["enabled_by_default"], config["state_class"]]).toEqual([
      undefined,
      undefined,
      "total_increasing",
    ]);
  });

  test("a noun's one settable key is put, and one of several is posted alone", async () => {
    const one = nounOf({
      target: { type: "number", minimum: 5, maximum: 30 },
      celsius: { type: "number", readOnly: true },
    });
    const target = await only(one, /^number/);
    expect(await ask(target, one, { do: "set", value: 20.5 })).toEqual(["put", { target: 20.5 }]);
    const two = nounOf({ on: { type: "boolean" }, mode: { type: "choice", values: ["none", "auto"] } });
    const on = await only(two, /^switch/);
    expect(await ask(on, two, { do: "turn_on" })).toEqual(["post", { on: true }]);
    const mode = await only(two, /^select/);
    expect(await ask(mode, two, { do: "set", value: '"none"' })).toEqual(["post", { mode: "none" }]);
    expect(await ask(mode, two, { do: "set", value: "auto" })).toEqual(["post", { mode: "auto" }]);
  });

  test("an LED is a light with a brightness, and one without levels a light without", async () => {
    const homeAssistant = { platform: "light" } as const;
    const led = nounOf({
      brightness: { type: "integer", minimum: 0, maximum: 255, homeAssistant },
      trigger: { type: "choice", values: ["none", "heartbeat"] },
    });
    const light = await only(led, /^light/);
    expect(await ask(light, led, { do: "turn_on" })).toEqual(["post", { brightness: 255 }]);
    expect(await tell(light, { brightness: 51, trigger: "none" })).toBe("on");
    expect(light.brightness).toBe(51);
    expect(await ask(light, led, { do: "set", value: 128 })).toEqual(["post", { brightness: 128 }]);
    expect(await ask(light, led, { do: "turn_on" })).toEqual(["post", { brightness: 51 }]);
    expect(await ask(light, led, { do: "turn_off" })).toEqual(["post", { brightness: 0 }]);
    expect(await tell(light, { brightness: 0, trigger: "none" })).toBe("off");
    expect(light.complaints).toEqual([]);
    const small = nounOf({ brightness: { type: "integer", minimum: 0, maximum: 1, homeAssistant } });
    const lamp = await only(small, /^light/);
    expect(await ask(lamp, small, { do: "turn_on" })).toEqual(["put", { brightness: 1 }]);
    expect(await tell(lamp, { brightness: 1 })).toBe("on");
  });

  test("a device class that an entity cannot have is left out", async () => {
    const door = { deviceClass: "door" } as const;
    for (const key of [{ type: "boolean" }, { type: "choice", values: ["a", "b", "c"], readOnly: true }] as const) {
      const { config } = await only(nounOf({ k: { ...key, ...door } }));
      expect(config["device_class"]).not.toBe("door");
    }
  });

  test("what an author says to Home Assistant counts more than the device class", async () => {
    const homeAssistant = { device_class: "window" };
    const contact = nounOf({ k: { type: "boolean", readOnly: true, deviceClass: "door" } }, { homeAssistant });
    expect((await only(contact)).config["device_class"]).toBe("window");
  });

  test("an output with a pulse is a button", async () => {
    const clock = new SimulatedClock();
    const { line } = simulatedLine(clock, output);
    const door = described("it", new GpioOutputNoun({ line, clock }, { key: "open", pulse: 500 }));
    const button = await only(door, /^button:it\/open$/);
    expect(await ask(button, door, { do: "press" })).toEqual(["post", {}]);
  });

  test("a rule that runs only when somebody asks is a scene, and only its counters are beside it", async () => {
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    const device = new RuledDevice({ lamp: new TestNoun({ on: 0 }) }, { film: { then: [dark] } });
    const film = described("it", device.ruleNamed("film"));
    const entities = await entitiesOf(messageOf(hall([film])));
    expect(entities.map(({ id }) => id)).toEqual([
      "scene:it/enabled",
      ...["sensor:it/runs", "sensor:it/delayed", "sensor:it/failed", "button:it:delete"],
    ]);
    const scene = entities[0] as Entity;
    expect(scene.config["default_entity_id"]).toBe("scene.hall_it");
    expect(await ask(scene, film, { do: "turn_on" })).toEqual(["post", {}]);
  });

  test("a schedule is a binary sensor, a switch and two times, as texts before Home Assistant has times", async () => {
    const { rules } = new RuledDevice({}, {});
    const evening = described("it", rules.addSchedule("it", { from: 18 * 60, to: { sun: "dusk", offset: 0 } }));
    const ids = async (noun: AnnouncedNoun) =>
      (await entitiesOf(messageOf(hall([noun])))).map(({ id }) => id).filter((id) => !id.startsWith("button"));
    const [active, enabled] = ["binary_sensor:it/active", "switch:it/enabled"];
    expect(await ids(evening)).toEqual([active, enabled, "text:it/from", "text:it/to"]);
    const timed = { ...evening, homeAssistant: { platform: "time" } } as const;
    expect(await ids(timed)).toEqual([active, enabled, "time:it/from", "time:it/to"]);
    const from = await only(timed, /time:it\/from/);
    expect(await ask(from, timed, { do: "set", value: "06:30:00" })).toEqual(["post", { from: "06:30" }]);
    await from.receive("nound/hall/it", '{"active":null,"enabled":true,"from":"18:05","to":"dusk"}', true);
    expect([from.state, from.complaints]).toEqual(["18:05", []]);
    await from.receive("nound/hall/it", '{"active":null,"enabled":true,"from":"sunset+00:20","to":"dusk"}', true);
    expect([from.state, from.complaints]).toEqual([unknown, []]);
  });

  test("presses are events, and the counters of edges are there for people who look for them", async () => {
    const clock = new SimulatedClock();
    const { line } = simulatedLine(clock, { ...input, edges: "both" });
    const noun = new GpioInputNoun({ line, clock }, { key: "bell", edges: "both", presses: true });
    const bell = described("it", noun, ["GET", "DELETE"]);
    const entities = await entitiesOf(messageOf(hall([bell])));
    expect(entities.map(({ id, config }) => [id, config["enabled_by_default"] ?? true])).toEqual([
      ["binary_sensor:it/bell", true],
      ["sensor:it/edges", false],
      ["sensor:it/missed", false],
      ["event:it:event", true],
      ["button:it:delete", false],
    ]);
    const event = entities[3] as Entity;
    expect(event.config["event_types"]).toEqual(["short", "long"]);
    await event.receive("nound/hall/it/event", '{"event_type":"short"}', false);
    expect(event.events).toEqual(["short"]);
    expect(await (entities[4] as Entity).call({ do: "press" })).toEqual({ topic: "nound/hall/it/delete", payload: "" });
  });

  test.each([
    [0, ["button_short_press", "button_long_press"]],
    [300, ["button_short_press", "button_long_press", "button_double_press"]],
  ])("with doublePress %i, these presses are device triggers: %j", (doublePress, types) => {
    const clock = new SimulatedClock();
    const { line } = simulatedLine(clock, { ...input, edges: "both" });
    const noun = new GpioInputNoun({ line, clock }, { key: "bell", presses: true, doublePress });
    const message = messageOf(hall([described("it", noun, ["GET"])]));
    const triggers = componentsOf(message).filter(({ platform }) => platform === "device_automation");
    expect(triggers.map(({ config }) => config?.["type"])).toEqual(types);
    expect(triggers[0]?.config).toMatchObject({
      automation_type: "trigger",
      subtype: "it",
      topic: "nound/hall/it/event",
      payload: "short",
    });
    expect(componentsOf(messageOf(hall([]), announcedBy(message))).every(({ config }) => config === undefined)).toBe(
      true,
    );
  });

  test("an event is always available, because its return would be a press for an automation", () => {
    const shape: Shape = { short: { type: "integer", readOnly: true, counts: "events" }, on: { type: "boolean" } };
    const configs = componentsOf(messageOf(hall([nounOf(shape)]))).flatMap(({ platform, config }) =>
      platform === "event" || platform === "switch" ? [[platform, config?.["availability"] !== undefined]] : [],
    );
    expect(Object.fromEntries(configs)).toEqual({ switch: true, event: false });
  });

  test("what is diagnostic, and whether a rule acts, is no part of an area that is switched off", async () => {
    const shape: Shape = {
      a: { type: "number", readOnly: true, diagnostic: true },
      b: { type: "integer", readOnly: true, diagnostic: true, counts: "total" },
      c: { type: "number", readOnly: true },
    };
    const entities = await entitiesOf(messageOf(hall([nounOf(shape, { methods: ["GET"] })])));
    const of = ({ config }: Entity) => [config["entity_category"], config["enabled_by_default"]];
    expect(entities.map(of)).toEqual([
      ["diagnostic", undefined],
      ["diagnostic", false],
      [undefined, undefined],
    ]);
  });

  test("a reader who may only read gets nothing to set, and one who may not read gets nothing to see", async () => {
    const shape: Shape = { on: { type: "boolean" } };
    const ids = (noun: AnnouncedNoun) => componentsOf(messageOf(hall([noun]))).map(({ id }) => id);
    expect(ids(nounOf(shape, { methods: ["GET"] }))).toEqual(["binary_sensor:it/on"]);
    expect(ids(nounOf(shape, { methods: ["PUT", "POST"] }))).toEqual([]);
    expect(ids(nounOf(shape, { methods: ["GET", "POST"] }))).toEqual(["switch:it/on"]);
  });

  test("an author and a configuration say otherwise, or leave something out", async () => {
    const shape: Shape = { open: { type: "boolean", readOnly: true }, age: { type: "integer", timeDependent: true } };
    const door = nounOf(shape, { homeAssistant: { device_class: "door", icon: "mdi:door" } });
    expect((await only(door)).config).toMatchObject({ device_class: "door", icon: "mdi:door" });
    expect(componentsOf(messageOf(hall([{ ...door, homeAssistant: false }])))).toEqual([]);
    const hidden: Shape = { open: { type: "boolean" }, secret: { type: "string", homeAssistant: false } };
    expect((await only(nounOf(hidden))).id).toBe("switch:it/open");
  });

  test.each([
    ["Hall", "Hall lamp", "lamp"],
    ["Hall", "hall: lamp", "lamp"],
    ["Hall", "Hall Hall-lamp", "lamp"],
    ["Hall", "Hallway lamp", "Hallway lamp"],
    ["Hall", "HALL", null],
    ["", "Lamp", "Lamp"],
  ])("on the device %j, %j is called %j", async (device, title, name) => {
    const noun = nounOf({ on: { type: "boolean" } }, { title });
    const [component] = componentsOf(messageOf(hall([noun], { title: device })));
    expect(component?.config?.["name"]).toBe(name);
  });

  test("keys are called by their noun where it has several", () => {
    const shape: Shape = {
      celsius: { type: "number", readOnly: true },
      percent: { type: "number", title: "Humidity" },
    };
    const components = componentsOf(messageOf(hall([nounOf(shape, { title: "Cellar" })])));
    expect(components.map(({ config }) => [config?.["name"], config?.["default_entity_id"]])).toEqual([
      ["Cellar celsius", "sensor.hall_it_celsius"],
      ["Cellar Humidity", "number.hall_it_percent"],
      ["Cellar reset", undefined],
    ]);
  });

  test("titles and keys of any text arrive as text", async () => {
    const texts = [
      `"quotes" and 'quotes' and \\`,
      "{{ 7 * 7 }} {% if 1 %}x{% endif %} {# no #} }} %}",
      "line\nbreak\ttab\0nul\u001b[1m\u0085 \u2028.",
      "🏡 é 漢 \u{1F3E1}",
      "x{{".repeat(1_365),
    ];
    for (const text of texts) {
      const shape: Shape = {
        [text]: { type: "string", title: text },
        other: { type: "choice", values: [text.slice(0, 80), "none"] },
      };
      const noun = nounOf(shape, { title: text });
      const payload = messageOf(hall([noun], { title: `${text}!` }));
      const [first, second] = await entitiesOf(payload);
      if (first === undefined || second === undefined) throw new Error("too few");
      expect((first.config["device"] as { name: string }).name).toBe(`${text}!`);
      expect(first.config["name"]).toBe(`${text} ${text}`);
      const state = { [text]: text.slice(0, 80).trim(), other: text.slice(0, 80) };
      expect(await tell(first, state)).toBe(state[text]);
      const shown = await tell(second, state);
      expect((second.config["options"] as string[])[0]).toBe(shown);
      expect(await ask(first, noun, { do: "set", value: text.slice(0, 80) })).toEqual([
        "post",
        { [text]: text.slice(0, 80) },
      ]);
      expect(await ask(second, noun, { do: "set", value: shown })).toEqual(["post", { other: text.slice(0, 80) }]);
      expect([...first.complaints, ...second.complaints]).toEqual([]);
    }
  });

  test("every noun of the examples is accepted, and three devices with the same nouns share no id", async () => {
    const nouns: DescribedNoun[] = [...relayBoard().map(({ noun }) => noun), ...application()];
    const ids = new Set<unknown>();
    const fleet = ["one", "two", "three"];
    for (const name of fleet) {
      const device = hall(nouns, { id: name, label: name, title: name, status: `nound/${name}` });
      const entities = await entitiesOf(messageOf(device));
      for (const { config } of entities) ids.add(config["unique_id"]);
    }
    const [message = ""] = fleet.map((name) => messageOf(hall(nouns, { id: name, label: name })));
    expect(ids.size).toBe(fleet.length * componentsOf(message).length);
  });

  test("whatever the shape and the state, it is accepted, shown, and set", { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(
      anyShape.chain((shape) => fc.tuple(fc.constant(shape), stateOf(shape), stateOf(shape))),
      async ([shape, state, desired]) => {
        const noun = nounOf(shape);
        for (const entity of await entitiesOf(messageOf(hall([noun])))) {
          const name = keyOf(entity.id);
          const key = shape[name] as Key;
          if (entity.id.endsWith(":delete")) continue;
          const shown = await tell(entity, state);
          expect(entity.complaints).toEqual([]);
          const value = state[name];
          const isMissing =
            value === undefined || (value === null && !(key.type === "choice" && key.values.includes(null)));
          expect(shown === "unavailable").toBe(isMissing);
          if (!isMissing && !(key.type === "string" && ["None", "{}"].includes(String(value).trim()))) {
            expect(shown).not.toBe(unknown);
          }
          await expectSet(entity, noun, desired[name]);
        }
      },
    );
    const blank = { n: { type: "number", unit: "\t" } } as const;
    await fc.assert(property, { numRuns: 60, examples: [[[blank, { n: 0 }, { n: 0 }]]] });
  });

  async function expectSet(entity: Entity, noun: AnnouncedNoun, value: Scalar | undefined): Promise<void> {
    const { platform, config } = entity;
    const name = keyOf(entity.id);
    if (value === undefined || value === null) return;
    if (platform === "switch") {
      const [, state] = await ask(entity, noun, { do: value === true || value === 1 ? "turn_on" : "turn_off" });
      expect(state).toEqual({ [name]: value });
    } else if (platform === "number" || platform === "text") {
      const [, state] = await ask(entity, noun, { do: "set", value: value as string | number });
      expect(state).toEqual({ [name]: value });
    } else if (platform === "select") {
      const said = noun.shape?.[name] as { readonly values: readonly Scalar[] };
      const option = (config["options"] as string[])[[...new Set(said.values)].indexOf(value)] as string;
      const [, state] = await ask(entity, noun, { do: "set", value: option });
      expect(state).toEqual({ [name]: value });
    }
  }

  test("the last refused command is a problem of the device, if it takes commands", () => {
    const shape: Shape = { on: { type: "boolean" } };
    const problems = (methods: AnnouncedNoun["methods"]) =>
      allComponentsOf(messageOf(hall([nounOf(shape, { methods })]))).filter(({ id }) => id.endsWith(":problem"));
    expect(problems(["GET", "DELETE"])).toEqual([]);
    expect(problems(["GET", "PUT"])[0]?.config).toMatchObject({
      device_class: "problem",
      entity_category: "diagnostic",
      state_topic: "nound/hall/+/problem",
      json_attributes_topic: "nound/hall/+/problem",
    });
  });

  test("a component that is no more is removed, once", () => {
    const lamp = nounOf({ on: { type: "boolean" } }, { name: "lamp" });
    const fan = nounOf({ on: { type: "boolean" } }, { name: "fan" });
    const before = messageOf(hall([lamp, fan]));
    const after = messageOf(hall([lamp]), announcedBy(before));
    expect(checkDiscovery(topic, after)).toEqual([]);
    const removed = componentsOf(after).filter(({ config }) => config === undefined);
    expect(removed).toEqual([
      { id: "switch:fan/on", platform: "switch", config: undefined },
      { id: "button:fan:delete", platform: "button", config: undefined },
    ]);
    expect(messageOf(hall([lamp]), announcedBy(after))).toBe(messageOf(hall([lamp])));
    expect(messageOf(hall([lamp, fan]), announcedBy(before))).toBe(before);
  });

  test.each(["", "null", "5", "[]", '{"cmps":5}', '{"cmps":{"a":null}}', '{"cmps":{"a":{"p":"<b>","n":1}}}', "{"])(
    "a message that is not ours, %j, announces nothing",
    (message) => {
      expect(announcedBy(message).size).toBe(0);
    },
  );

  test("ten nouns are announced in 10 KB, and a hundred in 128 KB", () => {
    const nouns = (count: number): AnnouncedNoun[] => {
      const kinds: AnnouncedNoun[] = relayBoard().map(({ noun }) => noun);
      return Array.from({ length: count }, (_, index) => {
        const noun = kinds[index % kinds.length] as AnnouncedNoun;
        return { ...noun, name: `${noun.name}${Math.floor(index / kinds.length)}` };
      });
    };
    expect(Buffer.byteLength(messageOf(hall(nouns(10))))).toBeLessThanOrEqual(10 * 1_024);
    expect(Buffer.byteLength(messageOf(hall(nouns(100))))).toBeLessThanOrEqual(128 * 1_024);
  });
});

/** @returns the key in a component's id. */
function keyOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

function anyValue(key: Key): fc.Arbitrary<Scalar> {
  switch (key.type) {
    case "integer":
      return fc.integer({ min: key.minimum ?? -1e6, max: key.maximum ?? 1e6 });
    case "number":
      // As JSON writes it: no negative zero.
      return fc
        .double({ min: key.minimum ?? -1e6, max: key.maximum ?? 1e6, noNaN: true })
        .map((value) => value + 0)
        .filter((value) => value >= (key.minimum ?? value));
    case "string":
      return fc
        .string({ unit: "binary", maxLength: key.maximumLength ?? 20 })
        .filter((text) => text.length <= (key.maximumLength ?? 20));
    case "boolean":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...key.values);
  }
}

/** @returns states of a shape; null for a key that may be null at times. */
function stateOf(shape: Shape): fc.Arbitrary<{ readonly [key: string]: Scalar }> {
  const values = Object.entries(shape).map(([name, key]) =>
    (key.nullable === true ? fc.option(anyValue(key)) : anyValue(key)).map((value) => [name, value] as const),
  );
  return fc.tuple(...values).map((entries) => Object.fromEntries(entries));
}
