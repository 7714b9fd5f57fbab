/** Nouns that are whole things: each service of theirs there, and each state back. */
import { type HomeCase, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

const value = (state: object, shape: object, homeAssistant: object) => ({
  kind: "value",
  default: state,
  shape,
  homeAssistant,
});
const percent = { type: "integer", minimum: 0, maximum: 100, unit: "%" };
const colour = (name: string) => ({ type: "integer", minimum: 0, maximum: 100, colour: name });

const nouns = {
  // These two find the roles of their keys by themselves.
  fan: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 25_000, homeAssistant: { platform: "fan" } },
  strip: { kind: "pwm", chip: "pwmchip0", channel: 1, frequency: 25_000, homeAssistant: { platform: "light" } },
  lamp: { kind: "switch", key: "on", homeAssistant: { platform: "light", icon: "mdi:lamp" } },
  mood: value(
    { red: 0, green: 0, blue: 0 },
    { red: colour("red"), green: colour("green"), blue: colour("blue") },
    { platform: "light" },
  ),
  cellar: { kind: "sensor", device: "28-0316a2796ee1" },
  heating: value(
    { wanted: 20.5, mode: "off", holiday: false },
    {
      wanted: { type: "number", minimum: 5, maximum: 30, unit: "Cel", step: 0.5 },
      mode: { type: "choice", values: ["off", "heat", "auto"] },
      holiday: { type: "boolean" },
    },
    { platform: "climate", current: "cellar/celsius" },
  ),
  boiler: value(
    { wanted: 50, on: 0 },
    {
      wanted: { type: "number", minimum: 30, maximum: 70, unit: "Cel" },
      on: { type: "choice", values: [0, 1] },
    },
    { platform: "climate" },
  ),
  blind: value({ position: 0 }, { position: percent }, { platform: "cover", device_class: "blind" }),
  gate: {
    kind: "switch",
    key: "open",
    values: [false, true],
    homeAssistant: { platform: "cover", device_class: "gate" },
  },
  tap: value({ opening: 0 }, { opening: percent }, { platform: "valve" }),
  main: { kind: "switch", key: "open", homeAssistant: { platform: "valve", device_class: "water" } },
  door: { kind: "switch", key: "locked", homeAssistant: { platform: "lock" } },
};

type Step = readonly [service: string, data: object, noun: object, state: string, attributes?: object];

const steps: { readonly [place: string]: readonly Step[] } = {
  "fan:fan": [
    ["fan.set_percentage", { percentage: 40 }, { percent: 40 }, "off", { percentage: 40 }],
    ["fan.turn_on", {}, { enabled: true }, "on", { percentage: 40 }],
    ["fan.turn_off", {}, { enabled: false }, "off"],
  ],
  "strip:light": [
    ["light.turn_on", { brightness: 128 }, { percent: 50, enabled: true }, "on", { brightness: 128 }],
    ["light.turn_off", {}, { percent: 50, enabled: false }, "off"],
  ],
  // The light of one key is the entity of that key.
  "lamp/on": [
    ["light.turn_on", {}, { on: 1 }, "on"],
    ["light.turn_off", {}, { on: 0 }, "off"],
  ],
  "mood:light": [
    [
      "light.turn_on",
      { rgb_color: [255, 128, 0] },
      { red: 100, green: 50, blue: 0 },
      "on",
      { rgb_color: [255, 128, 0] },
    ],
    ["light.turn_off", {}, { red: 0, green: 0, blue: 0 }, "off"],
  ],
  "heating:climate": [
    ["climate.set_temperature", { temperature: 22.5 }, { wanted: 22.5 }, "off", { temperature: 22.5 }],
    ["climate.set_hvac_mode", { hvac_mode: "heat" }, { mode: "heat" }, "heat", { current_temperature: 20 }],
    ["climate.set_hvac_mode", { hvac_mode: "auto" }, { mode: "auto" }, "auto", { min_temp: 5, target_temp_step: 0.5 }],
  ],
  "boiler:climate": [
    ["climate.set_hvac_mode", { hvac_mode: "heat" }, { on: 1 }, "heat", { hvac_modes: ["off", "heat"] }],
    ["climate.turn_off", {}, { on: 0 }, "off"],
  ],
  "blind:cover": [
    ["cover.open_cover", {}, { position: 100 }, "open", { current_position: 100 }],
    ["cover.set_cover_position", { position: 30 }, { position: 30 }, "open", { current_position: 30 }],
    ["cover.close_cover", {}, { position: 0 }, "closed", { device_class: "blind" }],
  ],
  "gate:cover": [
    ["cover.open_cover", {}, { open: true }, "open"],
    ["cover.close_cover", {}, { open: false }, "closed"],
  ],
  "tap:valve": [
    ["valve.set_valve_position", { position: 60 }, { opening: 60 }, "open", { current_position: 60 }],
    ["valve.close_valve", {}, { opening: 0 }, "closed"],
  ],
  "main:valve": [
    ["valve.open_valve", {}, { open: 1 }, "open"],
    ["valve.close_valve", {}, { open: 0 }, "closed"],
  ],
  "door:lock": [
    ["lock.lock", {}, { locked: 1 }, "locked"],
    ["lock.unlock", {}, { locked: 0 }, "unlocked"],
  ],
};

async function perform({ home }: House, device: Device, place: string, step: Step): Promise<void> {
  const [service, data, state, shown, attributes = {}] = step;
  const [noun = ""] = place.split(/[:/]/);
  const [platform] = service.split(".");
  const id = await device.entity(place, platform);
  await until(`${id} is available`, () => ![undefined, "unavailable"].includes(home.state(id)));
  await home.call(service, id, data);
  await device.has(noun, state as { readonly [key: string]: unknown });
  await home.shows(id, shown);
  for (const [name, wanted] of Object.entries(attributes)) {
    await until(
      `${name} of ${id} is ${JSON.stringify(wanted)}`,
      () => JSON.stringify(home.attribute(id, name)) === JSON.stringify(wanted),
      () => JSON.stringify(home.attribute(id, name)),
    );
  }
}

export const things: readonly HomeCase[] = [
  {
    name: "whole things there and back",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns });
      const all = Object.entries(steps).flatMap(([place, some]) => some.map((step) => [place, step] as const));
      for (const [place, step] of all) await perform(house, device, place, step);
      // A key without a role has its own entity, and one with a role has none.
      const ids = (await home.entities(device.id)).map(({ unique_id: id }) => id.slice(device.id.length + 1));
      const own = ids.filter((id) => /^(?:heating|fan)[/:](?!delete)/.test(id)).sort();
      mustEqual("the entities", own, ["fan:fan", "heating/holiday", "heating:climate"]);
      const climate = await device.entity("heating:climate");
      await device.ask("simulated.cellar", { celsius: null });
      await until("the temperature is unknown", () => home.attribute(climate, "current_temperature") === null);
      await device.ask("simulated.cellar", { celsius: 18.5 });
      await until("the temperature is back", () => home.attribute(climate, "current_temperature") === 18.5);
      return `${all.length} services of ${Object.keys(steps).length} things`;
    },
  },
];
