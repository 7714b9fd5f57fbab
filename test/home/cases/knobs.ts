/** What people change later: a scene, a schedule with its times, and a thermostat, by services there and back. */
import type { HomeCase } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

const nouns = (evening: object, wake: object) => ({
  lamp: { kind: "gpio-output", line: "GPIO17", key: "on" },
  // biome-ignore lint/suspicious/noThenProperty: the word of a rule
  film: { kind: "rule", title: "Film", then: { "PUT lamp": { on: 1 } } },
  // It is evening all day, so that the level is known.
  evening: { kind: "schedule", from: "00:00", to: "00:00", ...evening },
  wake: { kind: "value", shape: { time: { type: "time" } }, default: { time: "07:00" }, ...wake },
  room: { kind: "sensor", device: "28-0316a2796ee1" },
  wish: {
    kind: "value",
    shape: { celsius: { type: "number", minimum: 5, maximum: 30, unit: "Cel", step: 0.5 } },
    default: { celsius: 20 },
    homeAssistant: { platform: "climate", current: "room/celsius" },
  },
});

/** Calls the services of all, and waits until the device has what they set, and Home Assistant shows it. */
async function play({ home }: House, device: Device, type: "text" | "time"): Promise<void> {
  const scene = await device.entity("film/enabled", "scene");
  // It ignores commands for what is unavailable.
  await until(`${scene} is available`, () => ![undefined, "unavailable"].includes(home.state(scene)));
  await home.call("scene.turn_on", scene);
  await device.has("lamp", { on: 1 });
  const active = await device.entity("evening/active", "binary_sensor");
  const enabled = await device.entity("evening/enabled", "switch");
  await home.shows(active, "on");
  await home.call("switch.turn_off", enabled);
  await device.has("evening", { enabled: false });
  await home.shows(active, "off");
  const set = async (place: string, noun: string, key: string, to: string) => {
    const entity = await device.entity(place, type);
    await until(`${entity} is available`, () => ![undefined, "unavailable"].includes(home.state(entity)));
    const seconds = type === "time" ? ":00" : "";
    await home.call(`${type}.set_value`, entity, type === "time" ? { time: to + seconds } : { value: to });
    await device.has(noun, { [key]: to });
    await home.shows(entity, to + seconds);
  };
  await set("evening/from", "evening", "from", "17:45");
  await set("evening/to", "evening", "to", "22:15");
  await set("wake/time", "wake", "time", "06:30");
  await device.ask("wake", { time: "06:45" });
  await home.shows(await device.entity("wake/time", type), type === "time" ? "06:45:00" : "06:45");
  const climate = await device.entity("wish:climate", "climate");
  await home.call("climate.set_temperature", climate, { temperature: 22.5 });
  await device.has("wish", { celsius: 22.5 });
}

export const knobs: readonly HomeCase[] = [
  {
    name: "knobs: a scene, a schedule and a thermostat",
    run: async (house) => {
      await play(house, await house.device({ nouns: nouns({}, {}) }), "text");
      return "a scene, a level, a switch, three texts, a thermostat";
    },
  },
  {
    name: "knobs: times of Home Assistant 2026.4",
    isForNewest: true,
    run: async (house) => {
      const homeAssistant = { homeAssistant: { platform: "time" } };
      const device = await house.device({ nouns: nouns(homeAssistant, homeAssistant) });
      await play(house, device, "time");
      return "three times";
    },
  },
];
