/**
 * The sensors: what they read of the kernel's files, what they say of them, and that the simulation is their reverse.
 */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Awaitable } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { deviceSensor, type SensorOptions } from "../../../ts/hardware/nouns/device-sensor.ts";
import { type Sensor, SensorNoun } from "../../../ts/hardware/nouns/sensor.ts";
import { simulateSensor } from "../../../ts/hardware/nouns/simulated-sensor.ts";
import { sysfsSensor, WritableAttributeNoun } from "../../../ts/hardware/nouns/sysfs-attribute.ts";
import { systemSensor } from "../../../ts/hardware/nouns/system-sensor.ts";
import { SimulatedFiles } from "../../../ts/native/simulated/files.ts";
import { world } from "../../../ts/native/simulated/world.ts";

/** A sensor on files, and what it reports. */
function onFiles(sensor: Sensor, texts: { readonly [path: string]: string }) {
  const files = new SimulatedFiles(new Map(Object.entries(texts)));
  const reported: string[] = [];
  const noun = new SensorNoun(sensor, files, { report: (error) => reported.push((error as Error).message) });
  return { files, reported, noun, read: () => noun.getState() };
}

const thousandth = fc.integer({ min: -55_000, max: 125_000 }).map((value) => value / 1_000);

const sensor = (options: SensorOptions) => () => deviceSensor(options, undefined);

/** Values that each class of the kernel can write. */
const hundredth = fc.integer({ min: -10_000, max: 1_000_000 }).map((value) => value / 100);
const whole = fc.integer({ min: -100, max: 10_000 });

const settable: readonly (readonly [string, () => Sensor, fc.Arbitrary<State>])[] = [
  ...["temp1", "in1", "fan1", "curr1", "power1", "energy1", "humidity1", "freq1"].map(
    (channel) =>
      [
        `a chip's ${channel}`,
        sensor({ device: "lm75", channel, key: "value" }),
        fc.record({ value: fc.option(whole) }),
      ] as const,
  ),
  ...["temp", "voltage0", "current0", "power0", "humidityrelative", "pressure", "concentration_co2", "accel_x"].map(
    (channel) =>
      [
        `a converter's ${channel}`,
        sensor({ device: "/sys/bus/i2c/devices/1-0076", channel, key: "value" }),
        fc.record({ value: fc.option(hundredth) }),
      ] as const,
  ),
  [
    "several channels",
    sensor({
      device: "bme280",
      keys: {
        celsius: { channel: "temp" },
        humidity: { channel: "humidityrelative" },
        tons: { channel: "pressure", scale: 0.5, offset: -3 },
      },
    }),
    fc.record({ celsius: fc.option(hundredth), humidity: fc.option(hundredth), tons: fc.option(hundredth) }),
  ],
  [
    "a chip by label and device",
    sensor({ device: "/sys/devices/x", channel: "fan CPU Fan" }),
    fc.record({ rpm: fc.option(fc.nat(9_000)) }),
  ],
  ["a thermal zone", sensor({ device: "cpu thermal" }), fc.record({ celsius: fc.option(thousandth) })],
  [
    "an alarm",
    sensor({ device: "rpi_volt", channel: "in0_lcrit_alarm" }),
    fc.record({ alarm: fc.constantFrom(0, 1, null) }),
  ],
  ["the only thermometer", sensor({ device: "/sys/bus/w1/devices" }), fc.record({ celsius: fc.option(thousandth) })],
  [
    "a power supply",
    sensor({ device: "BAT0" }),
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
    () => systemSensor(),
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
  const sensor = systemSensor({ version: "0.2.0+a52e1cc", boot, lastError: () => lastError });
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
  const sensor = systemSensor(undefined, { wifi: true });
  const text = "Inter-| sta-|\n face | tus |\n wlan0: 0000   54.  -56.  -256        0\n";
  expect(await onFiles(sensor, { "/proc/net/wireless": text }).read()).toMatchObject({ wifi: -56 });
  expect(await onFiles(sensor, { "/proc/net/wireless": "Inter-| sta-|\n" }).read()).toMatchObject({ wifi: null });
  expect(sensor.reach).toContain("/proc/net/wireless");
  expect(systemSensor().reach).not.toContain("/proc/net/wireless");
});

test("a machine whose kernel names no boot has none", async () => {
  const sensor = systemSensor({ version: "0.2.0", boot: "", lastError: () => "" });
  expect(await onFiles(sensor, {}).read()).toMatchObject({ version: "0.2.0", boot: null });
});

test("the time since the start of the machine is no news", () => {
  expect(systemSensor().shape["uptime"]).toMatchObject({ timeDependent: true });
});

/** @returns the promise of a state, also where a failure comes at once. */
async function stateOf(read: () => Awaitable<State>): Promise<State> {
  return await read();
}

test.each(settable)("%s: the sensor reads what the simulation is set to", async (_, make, states) => {
  const sensor = make();
  const texts = new Map<string, string>();
  const source = simulateSensor(sensor, texts);
  const noun = new SensorNoun(sensor, new SimulatedFiles(texts));
  /** What is set: the machine's start follows from it and the clock. */
  const read = async (): Promise<State> => {
    world().clock.advance(1_000); // a thermometer's conversion is used for a second
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

const found = (options: SensorOptions, texts: { readonly [path: string]: string }) =>
  onFiles(deviceSensor(options, new SimulatedFiles(new Map(Object.entries(texts)))), texts);

describe("monitoring chips", () => {
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
    expect(await found({ device: "lm75", channel: "temp1" }, chips).read()).toEqual({ celsius: -5.5 });
    expect(await found({ device: "lm75", channel: "Board" }, chips).read()).toEqual({ celsius: 31 });
    expect(await found({ device: "lm75", channel: "in Board", key: "supply" }, chips).read()).toEqual({
      supply: 11.99,
    });
  });

  test("without a channel, a chip has all, by their names where two measure the same", async () => {
    expect(await found({ device: "lm75" }, chips).read()).toEqual({ temp1: -5.5, temp2: 31, volts: 11.99 });
    expect(await found({ device: "acpitz" }, chips).read()).toEqual({ celsius: 27.8 });
  });

  test("a chip that goes and comes back under another number is followed, and no other chip taken for it", async () => {
    const { files, reported, read } = found({ device: "lm75", channel: "temp1" }, chips);
    await read();
    files.texts.set("/sys/class/hwmon/hwmon3/name", "tmp102\n");
    await expect(stateOf(read)).rejects.toThrow("absent");
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([
      "/sys/class/hwmon/hwmon3 is another device now",
      'there is no sensor "lm75"; available: acpitz, tmp102',
    ]);
    files.texts.set("/sys/class/hwmon/hwmon9/name", "lm75\n");
    files.texts.set("/sys/class/hwmon/hwmon9/temp1_input", "1000\n");
    expect(await read()).toEqual({ celsius: 1 });
    files.texts.delete("/sys/class/hwmon/hwmon9/temp1_input");
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported[2]).toBe("cannot read /sys/class/hwmon/hwmon9/temp1_input: there is no such file");
  });

  test("of two chips with the same name, the mistake prints the path of each, and a path is one of them", async () => {
    const twice = {
      "/sys/class/hwmon/hwmon3/name": "lm75\n",
      "/sys/bus/i2c/devices/3-0048/hwmon/hwmon3/name": "lm75\n",
      "/sys/class/hwmon/hwmon4/name": "lm75\n",
      "/sys/class/hwmon/hwmon4/temp1_input": "1\n",
      "/sys/class/hwmon/hwmon3/temp1_input": "2\n",
      "/sys/bus/i2c/devices/3-0049/hwmon/hwmon4/name": "lm75\n",
      "/sys/bus/i2c/devices/3-0049/hwmon/hwmon4/temp1_input": "7000\n",
    };
    const { reported, read } = found({ device: "lm75", channel: "temp1" }, twice);
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([
      '2 sensors are called "lm75": give the path of one: ' +
        "/sys/bus/i2c/devices/3-0048, /sys/bus/i2c/devices/3-0049",
    ]);
    expect(await found({ device: "/sys/bus/i2c/devices/3-0049", channel: "temp1" }, twice).read()).toEqual({
      celsius: 7,
    });
  });

  test("a chip without a folder hwmon below its device is found by the path of that", async () => {
    const drives = {
      "/sys/class/nvme/nvme0/hwmon1/name": "nvme\n",
      "/sys/class/nvme/nvme0/hwmon1/temp1_input": "38850\n",
    };
    expect(await found({ device: "/sys/class/nvme/nvme0" }, drives).read()).toEqual({ celsius: 38.85 });
  });

  test("a label that no channel has is reported with the channels there are", async () => {
    const { reported, read } = found({ device: "lm75", channel: "CPU" }, chips);
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([
      "/sys/class/hwmon/hwmon3 has no channel CPU; available: in1 (Board), temp1, temp2 (Board)",
    ]);
  });

  test("a channel of several that is missing is null, and read once it is there", async () => {
    const keys = { celsius: { channel: "temp1" }, rpm: { channel: "fan1" } };
    const { files, reported, read } = found({ device: "lm75", keys }, chips);
    expect(await read()).toEqual({ celsius: -5.5, rpm: null });
    expect(reported).toEqual([
      "/sys/class/hwmon/hwmon3 has no channel fan1; available: in1 (Board), temp1, temp2 (Board)",
    ]);
    files.texts.set("/sys/class/hwmon/hwmon3/fan1_input", "900\n");
    expect(await read()).toEqual({ celsius: -5.5, rpm: 900 });
  });

  test("a temperature whose driver says that it is not to be trusted is none", async () => {
    const { files, reported, read } = found(
      { device: "lm75", channel: "temp1" },
      { ...chips, "/sys/class/hwmon/hwmon3/temp1_fault": "1\n" },
    );
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual(["/sys/class/hwmon/hwmon3/temp1_fault says that the sensor is broken or not connected"]);
    files.texts.set("/sys/class/hwmon/hwmon3/temp1_fault", "0\n");
    expect(await read()).toEqual({ celsius: -5.5 });
  });

  test("a chip that has nothing but alarms has these", async () => {
    const power = { "/sys/class/hwmon/hwmon1/name": "rpi_volt\n", "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n" };
    const noun = found({ device: "rpi_volt" }, power);
    expect(await noun.read()).toEqual({ alarm: 1 });
    expect(noun.noun.shape["alarm"]).toMatchObject({ type: "choice", values: [0, 1], deviceClass: "problem" });
  });
});

describe("thermal zones", () => {
  const zones = {
    "/sys/class/thermal/thermal_zone0/type": "acpitz\n",
    "/sys/class/thermal/thermal_zone0/temp": "27800\n",
    "/sys/class/thermal/thermal_zone1/type": "x86_pkg_temp\n",
    "/sys/class/thermal/thermal_zone1/temp": "51000\n",
    "/sys/class/thermal/cooling_device0/type": "Processor\n",
  };

  test("a zone is found by its type", async () => {
    expect(await found({ device: "x86_pkg_temp" }, zones).read()).toEqual({ celsius: 51 });
  });

  test("a type that no zone has is reported with the sensors there are", async () => {
    const { reported, read } = found({ device: "Processor" }, zones);
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual(['there is no sensor "Processor"; available: acpitz, x86_pkg_temp']);
  });

  test("the zone is meant where a monitoring chip repeats its values, unless the channel is the chip's", async () => {
    const repeated = {
      ...zones,
      "/sys/class/hwmon/hwmon0/name": "acpitz\n",
      "/sys/class/hwmon/hwmon0/temp1_input": "28000\n",
    };
    expect(await found({ device: "acpitz" }, repeated).read()).toEqual({ celsius: 27.8 });
    expect(await found({ device: "acpitz", channel: "temp1" }, repeated).read()).toEqual({ celsius: 28 });
  });

  test("the machine's temperature is the processor's, where there is a zone of it", async () => {
    expect(await onFiles(systemSensor(), zones).read()).toMatchObject({ temperature: 51, uptime: null });
  });

  test("a machine that is to have no temperature has none in its shape and its state", async () => {
    const sensor = systemSensor(undefined, { temperature: false });
    expect(Object.keys(sensor.shape)).not.toContain("temperature");
    expect(await onFiles(sensor, { "/proc/uptime": "1.00 1.00\n" }).read()).not.toHaveProperty("temperature");
  });
});

describe("one-wire thermometers", () => {
  const id = "28-0316a2796ee1";
  const bus = "/sys/bus/w1/devices";
  const path = `${bus}/${id}/w1_slave`;
  const text = (crc: string, thousandths: number, bytes = "50 01 4b 46 7f ff 0c 10 1c") =>
    `${bytes} : crc=1c ${crc}\n${bytes} t=${thousandths}\n`;

  test("the only thermometer is read, whatever else is on the bus", async () => {
    const texts = { [path]: text("YES", 20_000), [`${bus}/w1_bus_master1/w1_master_name`]: "x" };
    expect(await found({ device: bus }, texts).read()).toEqual({ celsius: 20 });
  });

  test("of several, the id says which; without one, the paths of all are reported", async () => {
    const texts = { [path]: text("YES", -10_125), [path.replace("6ee1", "6ee2")]: text("YES", 20_000) };
    expect(await found({ device: id }, texts).read()).toEqual({ celsius: -10.125 });
    const { reported, read } = found({ device: bus }, texts);
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([
      `2 sensors are called "${bus}": give the path of one: ${bus}/${id}, ${bus}/28-0316a2796ee2`,
    ]);
  });

  test("a thermometer that is not on the bus is reported as that", async () => {
    const { reported, read } = found({ device: id }, { [`${bus}/w1_bus_master1/w1_master_name`]: "x" });
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([`the 1-Wire bus has no thermometer ${id}`]);
  });

  const zeros = "00 00 00 00 00 00 00 00 00";
  test.each([
    ["a wrong checksum", text("NO", 20_000), "what the sensor sent has a wrong checksum"],
    ["the value of a reset", text("YES", 85_000, "50 05 4b 46 7f ff 0c 10 1c"), "the value of its reset: its power"],
    ["a conversion that did not end", text("YES", 127_937, "ff 07 4b 46 7f ff 0c 10 1c"), "127.94 °C"],
    ["nothing but zeros", text("YES", 0, zeros), "the sensor sends nothing but zeros: the wire is shorted"],
    ["no answer", "\n", "holds no temperature: the sensor does not answer"],
  ])("%s is no temperature", async (_, content, sentence) => {
    const { reported, read } = found({ device: id }, { [path]: content });
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    ["85 °C that were measured", text("YES", 85_000, "50 05 4b 46 7f ff 10 10 9d"), 85],
    ["0 °C", text("YES", 0, "00 00 4b 46 7f ff 10 10 9d"), 0],
  ])("%s are a temperature", async (_, content, celsius) => {
    expect(await found({ device: id }, { [path]: content }).read()).toEqual({ celsius });
  });

  test.each(["checksum", "reset", "unfinished", "zeros", "silence"])(
    "the simulation plays the fault %s, which is never served, and its end",
    async (fault) => {
      const texts = new Map<string, string>();
      const sensor = deviceSensor({ device: id }, undefined);
      const source = simulateSensor(sensor, texts);
      const noun = new SensorNoun(sensor, new SimulatedFiles(texts));
      await source.setState({ celsius: 85, fault });
      await expect(stateOf(() => noun.getState())).rejects.toThrow("absent");
      await source.setState({ celsius: 85, fault: "none" });
      expect(await noun.getState()).toEqual({ celsius: 85 });
    },
  );

  /** A bus that converts all its thermometers at once. */
  class Bus extends SimulatedFiles {
    readonly log: string[] = [];
    override async writeText(path: string, text: string): Promise<void> {
      this.log.push(`${path.slice(bus.length + 1)} ${text.trim()}`);
    }
    override readTexts(paths: readonly string[], limit: number, within?: string): readonly string[] {
      this.log.push(...paths.map((path) => path.slice(bus.length + 1, -"/w1_slave".length)));
      return super.readTexts(paths, limit, within);
    }
  }

  test("thermometers of one bus convert together, and one that is asked meanwhile has the next turn", async () => {
    const ids = ["28-0000000000a1", "28-0000000000a2", "28-0000000000a3"];
    const texts = ids.flatMap((one): [string, string][] => [
      [`${bus}/${one}/w1_slave`, text("YES", 20_000)],
      [`${bus}/w1_bus_master1/${one}/w1_slave`, ""],
    ]);
    const files = new Bus(new Map([...texts, [`${bus}/w1_bus_master1/therm_bulk_read`, "0\n"]]));
    const nouns = ids.map((device) => new SensorNoun(deviceSensor({ device }, undefined), files));
    const together = Promise.all([nouns[0]?.getState(), nouns[1]?.getState()]);
    await Promise.resolve();
    await Promise.resolve();
    const later = nouns[2]?.getState();
    expect(await together).toEqual([{ celsius: 20 }, { celsius: 20 }]);
    expect(await later).toEqual({ celsius: 20 });
    const trigger = "w1_bus_master1/therm_bulk_read trigger";
    expect(files.log.filter((line) => line === trigger)).toHaveLength(2);
    expect(files.log[0]).toBe(trigger);
    expect(files.log.lastIndexOf(trigger)).toBeLessThan(files.log.indexOf(ids[2] ?? ""));
  });

  test("where the bus may not be written, each reading converts by itself", async () => {
    const texts: [string, string][] = [
      [path, text("YES", 20_000)],
      [`${bus}/w1_bus_master2/${id}/w1_slave`, ""],
      [`${bus}/w1_bus_master2/therm_bulk_read`, "0\n"],
    ];
    const files = new Bus(new Map(texts));
    files.writeText = () => Promise.reject(new Error("Permission denied"));
    const noun = new SensorNoun(deviceSensor({ device: id }, undefined), files);
    expect(await noun.getState()).toEqual({ celsius: 20 });
  });

  test("a reading is used for a second, so that clients share a conversion; a failure is not", async () => {
    const { files, read } = found({ device: id }, { [path]: text("YES", 20_000) });
    expect(await read()).toEqual({ celsius: 20 });
    files.texts.delete(path);
    world().clock.advance(999);
    expect(await read()).toEqual({ celsius: 20 });
    world().clock.advance(1);
    await expect(stateOf(read)).rejects.toThrow("absent");
    files.texts.set(path, text("YES", 21_000));
    expect(await read()).toEqual({ celsius: 21 });
  });
});

describe("power supplies", () => {
  test("the only battery is found beside chargers, and each key is null by itself", async () => {
    const supplies = {
      "/sys/class/power_supply/AC/type": "Mains\n",
      "/sys/class/power_supply/BAT1/type": "Battery\n",
      "/sys/class/power_supply/BAT1/capacity": "57\n",
      "/sys/class/power_supply/BAT1/status": "On fire\n",
    };
    const { reported, read } = found({ device: "/sys/class/power_supply" }, supplies);
    expect(await read()).toEqual({ percent: 57, volts: null, status: null });
    expect(reported).toEqual([
      "/sys/class/power_supply/BAT1 has no channel voltage_now; available: capacity, voltage_now, status",
    ]);
  });

  test("of several batteries, the device says which", async () => {
    const supplies = {
      "/sys/class/power_supply/BAT0/type": "Battery\n",
      "/sys/class/power_supply/BAT1/type": "Battery\n",
      "/sys/class/power_supply/BAT1/capacity": "9\n",
    };
    const { reported, read } = found({ device: "/sys/class/power_supply" }, supplies);
    await expect(stateOf(read)).rejects.toThrow("absent");
    expect(reported).toEqual([expect.stringContaining("/sys/class/power_supply/BAT0, /sys/class/power_supply/BAT1")]);
    expect(await found({ device: "BAT1", channel: "capacity" }, supplies).read()).toEqual({ percent: 9 });
  });

  test("what is left in a battery is a whole number of percent", () => {
    const { shape } = deviceSensor({ device: "BAT0", channel: "capacity" }, undefined);
    expect(shape["percent"]).toMatchObject({ unit: "%", step: 1 });
  });

  test("a charger says whether it is connected", async () => {
    const supply = { "/sys/class/power_supply/AC/type": "Mains\n", "/sys/class/power_supply/AC/online": "1\n" };
    expect(await found({ device: "AC" }, supply).read()).toEqual({ online: 1 });
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
    const { read } = onFiles(sysfsSensor({ path: "/sys/a/name", as: "string", key: "name" }), {
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

  test("an attribute that can only be written shows what was written last, and null before", async () => {
    const files = new SimulatedFiles(new Map([[path, ""]]));
    files.readText = () => Promise.reject(new Error("Invalid argument"));
    const noun = new WritableAttributeNoun({ ...backlight, readable: false }, files);
    expect(noun.shape["percent"]).toMatchObject({ nullable: true });
    expect(await noun.getState()).toEqual({ percent: null });
    expect(await noun.setState({ percent: 40 })).toEqual({ percent: 40 });
    expect(files.texts.get(path)).toBe("80\n");
    expect(await noun.deleteState()).toEqual({ percent: 10 });
    expect(await noun.getState()).toEqual({ percent: 10 });
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
  override readTextFile(path: string, limit: number): string {
    if (path === this.broken) throw new Error(`cannot read ${path}: it is not UTF-8`);
    return super.readTextFile(path, limit);
  }
}

test.each([
  [
    "zone",
    sensor({ device: "cpu" }),
    "/sys/class/thermal/thermal_zone0/type",
    { "/sys/class/thermal/thermal_zone1/type": "cpu\n", "/sys/class/thermal/thermal_zone1/temp": "45000\n" },
    { celsius: 45 },
  ],
  [
    "supply",
    sensor({ device: "/sys/class/power_supply" }),
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
    sensor({ device: "lm75", channel: "Case" }),
    "/sys/class/hwmon/hwmon0/temp1_label",
    {
      "/sys/class/hwmon/hwmon0/name": "lm75\n",
      "/sys/class/hwmon/hwmon0/temp2_label": "Case\n",
      "/sys/class/hwmon/hwmon0/temp2_input": "23500\n",
    },
    { celsius: 23.5 },
  ],
] as const)("a %s whose text cannot be read hides no other one", async (_, make, broken, texts, state) => {
  expect(await new SensorNoun(make(), new BrokenFiles(texts, broken)).getState()).toEqual(state);
});
