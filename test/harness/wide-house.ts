/** A house of thirty nouns with two of every kind of tile and long German titles: what a page must have room for. */
import { house } from "./house.ts";

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
