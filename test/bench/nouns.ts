/** The nouns that the servers have: as nound is configured, and as the others are told. */

/** One noun. */
export interface BenchNoun {
  readonly name: string;
  /** As in nound's configuration. */
  readonly configuration: { readonly kind: string; readonly [option: string]: unknown };
  /** The state it has at the start: what nginx answers each time, and the form of Node's answer. */
  readonly state: { readonly [key: string]: number | string | boolean | null };
}

function switchNoun(name: string): BenchNoun {
  return { name, configuration: { kind: "switch", key: "led" }, state: { led: 0 } };
}

/** @returns so many switches, by the names `led`, `led1`, `led2`, ... */
export function switches(count: number): readonly BenchNoun[] {
  return Array.from({ length: count }, (_, index) => switchNoun(index === 0 ? "led" : `led${index}`));
}

/**
 * @param guard that of the heater; left out for a device without guards.
 * @returns a light, a pump that is on at the start, and a heater.
 */
export function heating(guard?: object): readonly BenchNoun[] {
  const pump = { kind: "switch", key: "led", default: 1 };
  const heater = { kind: "switch", key: "led", ...(guard && { guard }) };
  return [
    switchNoun("led"),
    { name: "pump", configuration: pump, state: { led: 1 } },
    { name: "heater", configuration: heater, state: { led: 0 } },
  ];
}

/** A noun for long texts. */
export const note: BenchNoun = {
  name: "note",
  configuration: { kind: "value", default: { text: "" } },
  state: { text: "" },
};

/** The noun of every kind there is, on hardware that is simulated. */
export const everyKind: readonly BenchNoun[] = [
  switchNoun("led"),
  { name: "level", configuration: { kind: "value", default: { level: 20.5 } }, state: { level: 20.5 } },
  {
    name: "pump",
    configuration: { kind: "gpio-output", chip: "gpiochip0", offset: 1, key: "pump" },
    state: { pump: 0 },
  },
  {
    name: "button",
    configuration: { kind: "gpio-input", chip: "gpiochip0", offset: 2, key: "button" },
    state: { button: 0 },
  },
  {
    name: "meter",
    configuration: { kind: "gpio-input", chip: "gpiochip0", offset: 3, key: "meter", edges: "both" },
    state: { meter: 0, edges: 0, missed: 0, sinceEdge: null },
  },
  {
    name: "lamp",
    configuration: { kind: "led", device: "lamp" },
    state: { brightness: 0, trigger: "none" },
  },
  {
    name: "fan",
    configuration: { kind: "pwm", chip: "pwmchip0", channel: 0, frequency: 25_000 },
    state: { percent: 0, enabled: false },
  },
  {
    name: "battery",
    configuration: { kind: "sensor", device: "iio:device0", channel: "voltage0" },
    state: { volts: 1.65 },
  },
];

function input(name: string, offset: number, meter?: object): BenchNoun {
  const configuration = { kind: "gpio-input", chip: "gpiochip0", offset, key: "pulse", edges: "rising", ...meter };
  return { name, configuration, state: { pulse: 0 } };
}

/** A light, an input with a meter, and one without, on hardware that is simulated. */
export const meters: readonly BenchNoun[] = [
  switchNoun("led"),
  input("metered", 0, { total: { key: "litres" }, rate: { key: "flow" } }),
  input("unmetered", 1),
];
