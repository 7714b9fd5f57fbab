/**
 * The sensors: what they read of the kernel's files, what they say of them, and that the simulation is their reverse.
 */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { hwmonQuantities, hwmonSensor } from "../../../ts/hardware/nouns/hwmon-sensor.ts";
import { powerSupplySensor } from "../../../ts/hardware/nouns/power-supply-sensor.ts";
import { type Sensor, SensorNoun } from "../../../ts/hardware/nouns/sensor.ts";
import { simulateSensor } from "../../../ts/hardware/nouns/simulated-sensor.ts";
import { sysfsSensor, WritableAttributeNoun } from "../../../ts/hardware/nouns/sysfs-attribute.ts";
import { systemSensor } from "../../../ts/hardware/nouns/system-sensor.ts";
import { thermalSensor } from "../../../ts/hardware/nouns/thermal-sensor.ts";
import { w1Sensor } from "../../../ts/hardware/nouns/w1-sensor.ts";
import { SimulatedFiles } from "../../../ts/native/simulated/files.ts";

/** A sensor on files, and what it reports. */
function onFiles(sensor: Sensor, texts: { readonly [path: string]: string }) {
  const files = new SimulatedFiles(new Map(Object.entries(texts)));
  const reported: string[] = [];
  const noun = new SensorNoun(sensor, files, { report: (error) => reported.push((error as Error).message) });
  return { files, reported, noun, read: () => noun.getState() };
}

const thousandth = fc.integer({ min: -55_000, max: 125_000 }).map((value) => value / 1_000);

const settable: readonly (readonly [string, () => Sensor, fc.Arbitrary<State>])[] = [
  ...hwmonQuantities.map(
    (quantity) =>
      [
        `hwmon ${quantity}`,
        () => hwmonSensor({ chip: "lm75", channel: `${quantity}1`, key: "value" }),
        fc.record({ value: fc.option(fc.integer({ min: -100, max: 10_000 })) }),
      ] as const,
  ),
  [
    "hwmon by label and device",
    () => hwmonSensor({ chip: "nct6775", channel: "CPU Fan", quantity: "fan", device: "/sys/devices/x" }),
    fc.record({ rpm: fc.option(fc.nat(9_000)) }),
  ],
  ["thermal", () => thermalSensor({ type: "cpu thermal" }), fc.record({ celsius: fc.option(thousandth) })],
  ["w1", () => w1Sensor({}, advancing()), fc.record({ celsius: fc.option(thousandth) })],
  [
    "power supply",
    () => powerSupplySensor({}),
    fc.record({
      percent: fc.option(fc.integer({ min: 0, max: 100 })),
      volts: fc.option(fc.integer({ min: 0, max: 20_000_000 }).map((value) => value / 1e6)),
      status: fc.option(fc.constantFrom("Unknown", "Charging", "Discharging", "Not charging", "Full")),
    }),
  ],
  [
    "sysfs",
    () => sysfsSensor({ path: "/sys/a/b", scale: 0.25, offset: -40 }),
    fc.record({ value: fc.option(fc.integer({ min: -40_000, max: 40_000 }).map((value) => value / 4 - 40)) }),
  ],
  [
    "sysfs, a word",
    () => sysfsSensor({ path: "/sys/a/b", values: ["on", "off"] }),
    fc.record({ value: fc.option(fc.constantFrom("on", "off")) }),
  ],
  [
    "system",
    systemSensor,
    fc.record({
      uptime: fc.option(fc.nat(1e9).map((value) => value / 100)),
      load1: fc.option(fc.nat(10_000).map((value) => value / 100)),
      load5: fc.option(fc.nat(10_000).map((value) => value / 100)),
      load15: fc.option(fc.nat(10_000).map((value) => value / 100)),
      memoryAvailable: fc.option(fc.nat(1e9).map((value) => value * 1_024)),
      memoryTotal: fc.option(fc.nat(1e9).map((value) => value * 1_024)),
      temperature: fc.option(thousandth),
    }),
  ],
];

test("the machine's noun tells how the program is, which nothing sets", async () => {
  let lastError = "";
  const boot = "8a6f2f0c-8f2b-4c6e-9d5c-0a1b2c3d4e5f";
  const sensor = systemSensor({}, { version: "0.2.0+a52e1cc", boot, lastError: () => lastError });
  const texts = new Map<string, string>();
  const source = simulateSensor(sensor, texts);
  const noun = new SensorNoun(sensor, new SimulatedFiles(texts));
  const { started, ...state } = (await noun.getState()) as { readonly started: string };
  expect(state).toEqual({ ...sensor.initial, version: "0.2.0+a52e1cc", boot, lastError });
  expect(started).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Object.keys(source.shape ?? {})).toEqual(Object.keys(sensor.initial));
  lastError = "led: Error: stuck";
  expect(await noun.getState()).toMatchObject({ lastError });
  for (const key of ["version", "boot", "lastError"]) {
    expect(sensor.shape[key]).toMatchObject({ type: "string", readOnly: true, nullable: true, diagnostic: true });
  }
});

test("the start of the machine is a time by its clock, which a small drift does not move", async () => {
  const { read, files } = onFiles(systemSensor(), { "/proc/uptime": "3600.00 1.00\n" });
  vi.useFakeTimers({ now: Date.parse("2026-11-25T12:00:00Z") });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(await read()).toMatchObject({ started: "2026-11-25T11:00:00Z" });
  vi.setSystemTime("2026-11-25T12:00:03Z");
  expect(await read()).toMatchObject({ started: "2026-11-25T11:00:00Z" });
  vi.setSystemTime("2026-11-25T12:10:00Z");
  expect(await read()).toMatchObject({ started: "2026-11-25T11:10:00Z" });
  vi.setSystemTime("1970-01-01T00:10:00Z");
  expect(await read()).toMatchObject({ started: null });
  files.texts.set("/proc/loadavg", "0.25 0.5 0.75 1/2 3\n");
  files.texts.delete("/proc/uptime");
  expect(await read()).toMatchObject({ uptime: null, started: null, load1: 0.25 });
});

test("a machine with Wi-Fi has its signal", async () => {
  const sensor = systemSensor({}, undefined, true);
  const text = "Inter-| sta-|\n face | tus |\n wlan0: 0000   54.  -56.  -256        0\n";
  expect(await onFiles(sensor, { "/proc/net/wireless": text }).read()).toMatchObject({ wifi: -56 });
  expect(await onFiles(sensor, { "/proc/net/wireless": "Inter-| sta-|\n" }).read()).toMatchObject({ wifi: null });
  expect(sensor.reach).toContain("/proc/net/wireless");
  expect(systemSensor().reach).not.toContain("/proc/net/wireless");
});

test("a machine whose kernel names no boot has none", async () => {
  const sensor = systemSensor({}, { version: "0.2.0", boot: "", lastError: () => "" });
  expect(await onFiles(sensor, {}).read()).toMatchObject({ version: "0.2.0", boot: null });
});

test("the time since the start of the machine is no news", () => {
  expect(systemSensor().shape["uptime"]).toMatchObject({ timeDependent: true });
});

/** A clock on which no reading is recent. */
function advancing(): () => number {
  let time = 0;
  return () => {
    time += 10_000;
    return time;
  };
}

test.each(settable)("%s: the sensor reads what the simulation is set to", async (_, make, states) => {
  const sensor = make();
  const texts = new Map<string, string>();
  const source = simulateSensor(sensor, texts);
  const noun = new SensorNoun(sensor, new SimulatedFiles(texts));
  /** What is set: the machine's start follows from it and the clock. */
  const read = async (): Promise<State> => {
    const { started: _, ...state } = await noun.getState();
    return state;
  };
  expect(await read()).toEqual(sensor.initial);
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      await source.setState(state);
      const isAbsent = Object.values(state).every((value) => value === null);
      if (isAbsent) await expect(read()).rejects.toThrow("absent");
      else expect(await read()).toEqual(state);
    }),
  );
  expect(await source.deleteState()).toEqual(sensor.initial);
  expect(await read()).toEqual(sensor.initial);
});

test.each(settable)("%s: each key is read-only, and nullable beside others", (_, make) => {
  const keys = Object.values(make().shape);
  for (const key of keys) {
    expect(key.readOnly).toBe(true);
    expect(key.nullable).toBe(keys.length > 1 ? true : undefined);
  }
});

describe("hwmon", () => {
  const chips = {
    "/sys/class/hwmon/hwmon0/name": "acpitz\n",
    "/sys/class/hwmon/hwmon0/temp1_input": "27800\n",
    "/sys/class/hwmon/hwmon3/name": "lm75\n",
    "/sys/class/hwmon/hwmon3/temp1_input": "-5500\n",
    "/sys/class/hwmon/hwmon3/temp2_label": "Board\n",
    "/sys/class/hwmon/hwmon3/temp2_input": "31000\n",
    "/sys/class/hwmon/hwmon3/in1_label": "Board\n",
    "/sys/class/hwmon/hwmon3/in1_input": "11990\n",
  };

  test("a chip is found by its name, a channel by its number or its label", async () => {
    expect(await onFiles(hwmonSensor({ chip: "lm75", channel: "temp1" }), chips).read()).toEqual({ celsius: -5.5 });
    expect(await onFiles(hwmonSensor({ chip: "lm75", channel: "Board" }), chips).read()).toEqual({ celsius: 31 });
    const volts = hwmonSensor({ chip: "lm75", channel: "Board", quantity: "in", key: "supply" });
    expect(await onFiles(volts, chips).read()).toEqual({ supply: 11.99 });
  });

  test("a chip that goes and comes back under another number is followed, and no other chip taken for it", async () => {
    const { files, reported, read } = onFiles(hwmonSensor({ chip: "lm75", channel: "temp1" }), chips);
    await read();
    files.texts.set("/sys/class/hwmon/hwmon3/name", "tmp102\n");
    await expect(read()).rejects.toThrow("absent");
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(['there is no chip "lm75" in /sys/class/hwmon; available: acpitz, tmp102']);
    files.texts.set("/sys/class/hwmon/hwmon9/name", "lm75\n");
    files.texts.set("/sys/class/hwmon/hwmon9/temp1_input", "1000\n");
    expect(await read()).toEqual({ celsius: 1 });
    files.texts.delete("/sys/class/hwmon/hwmon9/temp1_input");
    await expect(read()).rejects.toThrow("absent");
    expect(reported[1]).toBe("cannot read /sys/class/hwmon/hwmon9/temp1_input: there is no such file");
  });

  test("two chips with the same name are distinguished by their device", async () => {
    const twice = {
      ...chips,
      "/sys/class/hwmon/hwmon4/name": "lm75\n",
      "/sys/bus/i2c/devices/3-0049/hwmon/hwmon4/name": "lm75\n",
    };
    const { reported, read } = onFiles(hwmonSensor({ chip: "lm75", channel: "temp1" }), twice);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(['2 chips have the name "lm75"; set the device, such as /sys/bus/i2c/devices/1-0048']);
    const device = "/sys/bus/i2c/devices/3-0049";
    const input = { [`${device}/hwmon/hwmon4/temp1_input`]: "7000\n" };
    const one = onFiles(hwmonSensor({ chip: "lm75", channel: "temp1", device }), { ...twice, ...input });
    expect(await one.read()).toEqual({ celsius: 7 });
  });

  test("a label that no channel has is reported with those there are", async () => {
    const { reported, read } = onFiles(hwmonSensor({ chip: "lm75", channel: "CPU" }), chips);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(['/sys/class/hwmon/hwmon3 has no temp with the label "CPU"; its labels are: Board']);
  });
});

describe("thermal", () => {
  const zones = {
    "/sys/class/thermal/thermal_zone0/type": "acpitz\n",
    "/sys/class/thermal/thermal_zone0/temp": "27800\n",
    "/sys/class/thermal/thermal_zone1/type": "x86_pkg_temp\n",
    "/sys/class/thermal/thermal_zone1/temp": "51000\n",
    "/sys/class/thermal/cooling_device0/type": "Processor\n",
  };

  test("a zone is found by its type", async () => {
    expect(await onFiles(thermalSensor({ type: "x86_pkg_temp" }), zones).read()).toEqual({ celsius: 51 });
  });

  test("a type that no zone has is reported with those there are", async () => {
    const { reported, read } = onFiles(thermalSensor({ type: "Processor" }), zones);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual([
      'there is no thermal zone "Processor" in /sys/class/thermal; available: acpitz, x86_pkg_temp',
    ]);
  });

  test("the machine's temperature is the processor's, where there is a zone of it", async () => {
    expect(await onFiles(systemSensor(), zones).read()).toMatchObject({ temperature: 51, uptime: null });
  });

  test("a machine that is to have no temperature has none in its shape and its state", async () => {
    const sensor = systemSensor({ temperature: false });
    expect(Object.keys(sensor.shape)).not.toContain("temperature");
    expect(await onFiles(sensor, { "/proc/uptime": "1.00 1.00\n" }).read()).not.toHaveProperty("temperature");
  });
});

describe("w1", () => {
  const path = "/sys/bus/w1/devices/28-0316a2796ee1/w1_slave";
  const text = (crc: string, thousandths: number) =>
    `50 05 4b 46 7f ff 0c 10 1c : crc=1c ${crc}\n50 05 t=${thousandths}\n`;

  test("the only thermometer is read, whatever else is on the bus", async () => {
    const bus = { [path]: text("YES", 85_000), "/sys/bus/w1/devices/w1_bus_master1/w1_master_name": "x" };
    expect(await onFiles(w1Sensor({}, advancing()), bus).read()).toEqual({ celsius: 85 });
  });

  test("of several, the id says which; without one that is reported", async () => {
    const other = path.replace("6ee1", "6ee2");
    const bus = { [path]: text("YES", -10_125), [other]: text("YES", 20_000) };
    expect(await onFiles(w1Sensor({ id: "28-0316a2796ee1" }, advancing()), bus).read()).toEqual({ celsius: -10.125 });
    const { reported, read } = onFiles(w1Sensor({}, advancing()), bus);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual([
      "there are several thermometers; set the id to one of: 28-0316a2796ee1, 28-0316a2796ee2",
    ]);
  });

  test("a thermometer that is not on the bus is reported as that", async () => {
    const bus = { "/sys/bus/w1/devices/w1_bus_master1/w1_master_name": "x" };
    const { reported, read } = onFiles(w1Sensor({ id: "28-0316a2796ee1" }, advancing()), bus);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(["the 1-Wire bus has no thermometer 28-0316a2796ee1"]);
  });

  test("a wrong checksum is no temperature", async () => {
    const { reported, read } = onFiles(w1Sensor({}, advancing()), { [path]: text("NO", 20_000) });
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual([`${path}: what the sensor sent has a wrong checksum`]);
  });

  test("a reading is used for a second, so that clients share a conversion; a failure is not", async () => {
    let time = 0;
    const { files, read } = onFiles(
      w1Sensor({}, () => time),
      { [path]: text("YES", 20_000) },
    );
    expect(await read()).toEqual({ celsius: 20 });
    files.texts.delete(path);
    time = 999;
    expect(await read()).toEqual({ celsius: 20 });
    time = 1_000;
    await expect(read()).rejects.toThrow("absent");
    files.texts.set(path, text("YES", 21_000));
    expect(await read()).toEqual({ celsius: 21 });
  });
});

describe("power supply", () => {
  test("the only battery is found beside chargers, and each key is null by itself", async () => {
    const supplies = {
      "/sys/class/power_supply/AC/type": "Mains\n",
      "/sys/class/power_supply/BAT1/type": "Battery\n",
      "/sys/class/power_supply/BAT1/capacity": "57\n",
      "/sys/class/power_supply/BAT1/status": "On fire\n",
    };
    const { reported, read } = onFiles(powerSupplySensor({}), supplies);
    expect(await read()).toEqual({ percent: 57, volts: null, status: null });
    expect(reported).toEqual(["cannot read /sys/class/power_supply/BAT1/voltage_now: there is no such file"]);
  });

  test("of several batteries, the device says which", async () => {
    const supplies = {
      "/sys/class/power_supply/BAT0/type": "Battery\n",
      "/sys/class/power_supply/BAT1/type": "Battery\n",
    };
    const { reported, read } = onFiles(powerSupplySensor({}), supplies);
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(["there are several batteries; set the device to one of: BAT0, BAT1"]);
  });
});

describe("sysfs", () => {
  test("of words in a list, the one in brackets is read", async () => {
    const sensor = sysfsSensor({ path: "/sys/a/scheduler", values: ["none", "mq-deadline"] });
    const { files, reported, read } = onFiles(sensor, { "/sys/a/scheduler": "none [mq-deadline]\n" });
    expect(await read()).toEqual({ value: "mq-deadline" });
    files.texts.set("/sys/a/scheduler", "kyber\n");
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(["/sys/a/scheduler has a word that is not listed: kyber"]);
  });

  test("a text is read as it is, without its line end", async () => {
    const { read } = onFiles(sysfsSensor({ path: "/sys/a/name", text: true, key: "name" }), {
      "/sys/a/name": " x y\n",
    });
    expect(await read()).toEqual({ name: " x y" });
  });

  test("a path that leads out of /sys is not read", async () => {
    const { reported, read } = onFiles(sysfsSensor({ path: "/sys/../etc/passwd" }), { "/etc/passwd": "1" });
    await expect(read()).rejects.toThrow("absent");
    expect(reported).toEqual(["cannot read /sys/../etc/passwd: its path does not lead into /sys"]);
  });

  const path = "/sys/class/backlight/panel/brightness";
  const backlight = { path, key: "percent", scale: 0.5, minimum: 0, maximum: 100, writable: true, default: 10 };

  test("a writable attribute is set by PUT and POST, and DELETE sets the default", async () => {
    const files = new SimulatedFiles(new Map([[path, "100\n"]]));
    const noun = new WritableAttributeNoun(backlight, files);
    expect(await noun.getState()).toEqual({ percent: 50 });
    expect(await noun.setState({ percent: 33.4 })).toEqual({ percent: 33.5 });
    expect(files.texts.get(path)).toBe("67\n");
    expect(await noun.updateState({ percent: 100 })).toEqual({ percent: 100 });
    expect(await noun.updateState({})).toEqual({ percent: 100 });
    expect(await noun.deleteState()).toEqual({ percent: 10 });
  });

  test("null is not set, and an attribute that is absent gives 500, or 503 where it is to be set", async () => {
    const noun = new WritableAttributeNoun(backlight, new SimulatedFiles());
    await expect(noun.setState({ percent: null })).rejects.toThrow("it cannot be set");
    await expect(noun.setState({ percent: 1 })).rejects.toMatchObject({ status: 503 });
    await expect(noun.updateState({ percent: 1 })).rejects.toMatchObject({ status: 503 });
    await expect(noun.getState()).rejects.toMatchObject({ status: 500 });
  });

  test("a value that the kernel does not take is a failure", async () => {
    const files = new SimulatedFiles(new Map([[path, "100\n"]]));
    files.writeText = () => Promise.reject(new Error("Invalid argument"));
    await expect(new WritableAttributeNoun(backlight, files).setState({ percent: 1 })).rejects.toThrow("Invalid");
  });
});

test("a state that stays the same is the same frozen object", async () => {
  const { read } = onFiles(sysfsSensor({ path: "/sys/a/b" }), { "/sys/a/b": "1\n" });
  const [first, second] = [await read(), await read()];
  expect(second).toBe(first);
  expect(Object.isFrozen(second)).toBe(true);
});

/** Files of which one cannot be read, as a text that is not UTF-8. */
class BrokenFiles extends SimulatedFiles {
  private readonly broken: string;
  constructor(texts: { readonly [path: string]: string }, broken: string) {
    super(new Map(Object.entries({ ...texts, [broken]: "" })));
    this.broken = broken;
  }
  override async readText(path: string, limit: number, within?: string): Promise<string> {
    if (path === this.broken) throw new Error(`cannot read ${path}: it is not UTF-8`);
    return await super.readText(path, limit, within);
  }
}

test.each([
  [
    "zone",
    () => thermalSensor({ type: "cpu" }),
    "/sys/class/thermal/thermal_zone0/type",
    { "/sys/class/thermal/thermal_zone1/type": "cpu\n", "/sys/class/thermal/thermal_zone1/temp": "45000\n" },
    { celsius: 45 },
  ],
  [
    "supply",
    () => powerSupplySensor({}),
    "/sys/class/power_supply/AC/type",
    {
      "/sys/class/power_supply/BAT0/type": "Battery\n",
      "/sys/class/power_supply/BAT0/capacity": "80\n",
      "/sys/class/power_supply/BAT0/voltage_now": "3900000\n",
      "/sys/class/power_supply/BAT0/status": "Full\n",
    },
    { percent: 80, volts: 3.9, status: "Full" },
  ],
  [
    "label of a channel",
    () => hwmonSensor({ chip: "lm75", channel: "Case", quantity: "temp" }),
    "/sys/class/hwmon/hwmon0/temp1_label",
    {
      "/sys/class/hwmon/hwmon0/name": "lm75\n",
      "/sys/class/hwmon/hwmon0/temp2_label": "Case\n",
      "/sys/class/hwmon/hwmon0/temp2_input": "23500\n",
    },
    { celsius: 23.5 },
  ],
] as const)("a %s whose text cannot be read hides no other one", async (_, sensor, broken, texts, state) => {
  expect(await new SensorNoun(sensor(), new BrokenFiles(texts, broken)).getState()).toEqual(state);
});
