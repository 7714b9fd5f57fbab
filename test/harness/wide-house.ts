/** A house of thirty nouns with two of every kind of tile and long German titles: what a page must have room for. */
import { mkdirSync } from "node:fs";
import { house } from "./house.ts";
import { type NoundProcess, temporaryPath } from "./nound-process.ts";
import { startSimulated } from "./page-nouns.ts";

/** Of screens that pictures are made for: width and height in CSS pixels. */
export const screens = [
  [390, 844],
  [768, 1_024],
  [1_280, 800],
  [1_920, 1_080],
] as const;

/** Where the pictures are. */
export const pictures = "build/pictures";

const level = { type: "integer", minimum: 0, maximum: 255 } as const;
const output = { kind: "gpio-output", chip: "gpiochip0", key: "on" } as const;
const ground = { group: "Erdgeschoss" } as const;

export const wideHouse = {
  title: "Ferienhaus am Waldrand",
  nouns: {
    ...house.nouns,
    hall: { ...output, offset: 21, title: "Flurlicht", lease: "asked", ...ground },
    socket: { ...output, offset: 22, title: "Außensteckdose Terrasse", ...ground },
    gate: { ...output, offset: 23, title: "Gate", ask: true },
    night: { ...output, offset: 24, title: "Guarded lamp", guard: { pump: { pump: 1 } }, ...ground },
    table: {
      kind: "pwm",
      chip: "pwmchip0",
      channel: 4,
      frequency: 1_000,
      default: { percent: 0, enabled: false },
      title: "Esstischbeleuchtung",
      icon: "lamp",
      ...ground,
    },
    ribbon: {
      kind: "value",
      title: "Ribbon",
      default: { r: 0, g: 0, b: 0 },
      shape: { r: { ...level, kind: "red" }, g: { ...level, kind: "green" }, b: { ...level, kind: "blue" } },
      ...ground,
    },
    shutter: {
      kind: "cover",
      title: "Shutter",
      open: { chip: "gpiochip0", offset: 25 },
      close: { chip: "gpiochip0", offset: 26 },
      openTime: 1_500,
      closeTime: 1_500,
      pause: 100,
      boot: "default",
      ...ground,
    },
    bell: {
      kind: "gpio-input",
      chip: "gpiochip0",
      offset: 27,
      key: "button",
      presses: "long 1000 double 3000",
      title: "Doorbell",
    },
    grid: {
      kind: "gpio-input",
      chip: "gpiochip0",
      offset: 28,
      edges: "rising",
      key: "pulse",
      total: { key: "kilowattHours", scale: 0.001, unit: "kWh" },
      title: "Grid",
      group: "Power",
    },
    attic: { kind: "sensor", device: "28-0316a2796ee2", title: "Attic" },
    evening: { kind: "schedule", from: "18:00", to: "23:00", days: "sat,sun", title: "Evening" },
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    dawn: { kind: "rule", title: "Morning light", at: "00:00", then: { "PUT hall": { on: 1 } } },
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    movie: { kind: "rule", title: "Movie night", then: { "PUT table": { percent: 20, enabled: true } } },
  },
} as const;

/** Starts the house with hardware that is simulated. @param others keys of its configuration in place of these. */
export function startWideHouse(others: object = {}): Promise<NoundProcess> {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  return startSimulated({ ...wideHouse, ...others, stateDirectory });
}

/** Sets the house so that its tiles have much to show: lamps that are on, a large total, a sensor that fails. */
export async function showMuch(address: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  for (const [noun, state] of Object.entries({
    lamp: { lamp: 1 },
    hall: { on: 1, remaining: 1_800 },
    target: { target: 21, mode: "eco" },
    ribbon: { r: 255, g: 167, b: 87 },
    grid: { kilowattHours: 12_345.678 },
    "simulated.attic": { celsius: null },
    "simulated.boiler": { celsius: 48.5 },
  }))
    await fetch(`http://${address}/${noun}`, { method: "PUT", headers, body: JSON.stringify(state) });
}
