/** A house of sixteen nouns, one of every kind at least, in four groups: what a person sees on the page. */
const heating = { group: "Heating" } as const;
const board = { group: "Board", order: 1 } as const;

export const house = {
  title: "Garden house",
  nouns: {
    lamp: { kind: "gpio-output", chip: "gpiochip0", offset: 5, key: "lamp" },
    door: {
      kind: "gpio-output",
      chip: "gpiochip0",
      offset: 13,
      key: "open",
      pulse: 5_000,
      title: "Door opener",
      labels: { open: { "0": "Quiet", "1": "Buzzing" } },
    },
    window: {
      kind: "gpio-input",
      chip: "gpiochip0",
      offset: 20,
      key: "window",
      edges: "both",
      deviceClass: "window",
    },
    mode: { kind: "switch", key: "mode", values: ["manual", "auto"] },
    target: {
      kind: "value",
      default: { target: 20.5, mode: "eco" },
      shape: {
        target: { type: "number", minimum: 5, maximum: 30, unit: "Cel" },
        mode: { type: "choice", values: ["off", "eco", "full"], labels: { off: "Off", eco: "Saving", full: "Full" } },
      },
      ...heating,
    },
    pump: { kind: "gpio-output", chip: "gpiochip0", offset: 6, key: "pump", lease: 30_000, ...heating },
    boiler: { kind: "sensor", device: "28-0316a2796ee1", ...heating },
    cellar: { kind: "sensor", device: "lm75", channel: "temp1", ...heating },
    frost: {
      kind: "rule",
      title: "Frost guard",
      when: { cellar: { celsius: { below: 4, until: 6 } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      then: { "PUT pump": { pump: 1 } },
      ...heating,
    },
    battery: { kind: "sensor", device: "iio:device0", channel: "voltage0", group: "Power" },
    backup: { kind: "sensor", device: "BAT0", group: "Power" },
    status: { kind: "led", device: "green:status", ...board },
    servo: {
      kind: "pwm",
      chip: "pwmchip0",
      channel: 1,
      pulse: true,
      default: { microseconds: 1_500, enabled: false },
      ...board,
    },
    cpu: { kind: "sensor", device: "cpu-thermal", title: "Processor", ...board },
    panel: {
      kind: "sysfs",
      path: "/sys/class/backlight/panel/brightness",
      key: "percent",
      unit: "%",
      minimum: 0,
      maximum: 100,
      writable: true,
      default: 80,
      ...board,
    },
    system: { kind: "sensor", device: "system", ...board },
  },
} as const;
