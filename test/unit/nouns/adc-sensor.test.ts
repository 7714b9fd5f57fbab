import fc from "fast-check";
import { expect, test } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { deviceSensor, type SensorOptions } from "../../../ts/hardware/nouns/device-sensor.ts";
import { SensorNoun } from "../../../ts/hardware/nouns/sensor.ts";
import { simulateSensor } from "../../../ts/hardware/nouns/simulated-sensor.ts";
import { AdcChannel } from "../../../ts/hardware/open/adc-channel.ts";
import type { Folders } from "../../../ts/hardware/open/sensor-device.ts";
import type { Files } from "../../../ts/native/files.ts";
import { SimulatedFiles } from "../../../ts/native/simulated/files.ts";

const folder = "/sys/bus/iio/devices/iio:device0";

function filesOf(attributes: { readonly [name: string]: string }): SimulatedFiles {
  return new SimulatedFiles(new Map(Object.entries(attributes).map(([name, text]) => [`${folder}/${name}`, text])));
}

function make(attributes: { readonly [name: string]: string }, options: Partial<SensorOptions> = {}) {
  const files = filesOf(attributes);
  const sensor = deviceSensor({ device: "iio:device0", channel: "voltage0", raw: true, ...options }, undefined);
  const reported: string[] = [];
  const noun = new SensorNoun(sensor, files, { report: (error) => reported.push(String(error)) });
  return { files, noun, reported };
}

/** @returns the promise of a state, also where a failure comes at once. */
async function stateOf(noun: SensorNoun): Promise<State> {
  return await noun.getState();
}

test.each([
  ["raw alone", { in_voltage0_raw: "7\n" }, 7],
  ["a scale of its own", { in_voltage0_raw: "1000\n", in_voltage0_scale: "1.25\n", in_voltage_scale: "9\n" }, 1250],
  ["the scale of all voltages", { in_voltage0_raw: "1000\n", in_voltage_scale: "0.5\n" }, 500],
  [
    "an offset, which comes before the scale",
    { in_voltage0_raw: "100\n", in_voltage0_offset: "-20\n", in_voltage_scale: "2\n" },
    160,
  ],
  ["the offset of all voltages", { in_voltage0_raw: "-5\n", in_voltage_offset: "5\n", in_voltage_scale: "2\n" }, 0],
  ["a scale with all its places", { in_voltage0_raw: "3000\n", in_voltage_scale: "0.805664062\n" }, 2416.992186],
])("the value follows from %s", async (_, attributes, value) => {
  const { noun, files } = make(attributes);
  const raw = Number(attributes.in_voltage0_raw);
  expect(await noun.getState()).toEqual({ volts: expect.closeTo(value / 1_000, 6), raw });
  expect(await new AdcChannel(files, "iio:device0", "voltage0").read()).toEqual({ value, raw });
});

test("a scale of the configuration keeps what the converter has measured", async () => {
  const attributes = { in_voltage0_raw: "1363\n", in_voltage_scale: "0.732421875\n" };
  const { noun } = make(attributes, { key: "value", scale: 1_000, unit: "mV" });
  expect(await stateOf(noun)).toEqual({ value: 998.291016, raw: 1_363 });
});

/** Two chips of one kind and another one, as the kernel lists them after a start. */
function chips(numbers: readonly number[]): SimulatedFiles {
  const devices = [
    { name: "bme280", path: "/sys/bus/i2c/devices/1-0076", in_temp_input: "21500\n" },
    { name: "ads1115", path: "/sys/bus/i2c/devices/1-0048", in_voltage0_raw: "100\n", in_voltage0_scale: "0.125\n" },
    { name: "ads1115", path: "/sys/bus/i2c/devices/1-0049", in_voltage0_raw: "200\n", in_voltage0_scale: "0.125\n" },
  ];
  const texts = devices.flatMap(({ path, ...attributes }, index) =>
    Object.entries(attributes).flatMap(([attribute, text]): [string, string][] => [
      [`/sys/bus/iio/devices/iio:device${numbers[index]}/${attribute}`, text],
      [`${path}/iio:device${numbers[index]}/${attribute}`, text],
    ]),
  );
  return new SimulatedFiles(new Map(texts));
}

test.each([[[0, 1, 2]], [[2, 0, 1]], [[1, 2, 0]]])(
  "a chip is found by its name, however they are numbered: %j",
  async (numbers) => {
    const read = (device: string, channel: string) => new AdcChannel(chips(numbers), device, channel).read();
    expect(await read("bme280", "temp")).toEqual({ value: 21_500, raw: null });
    expect(await read("/sys/bus/i2c/devices/1-0048", "voltage0")).toEqual({ value: 12.5, raw: 100 });
    expect(await read("/sys/bus/i2c/devices/1-0049", "voltage0")).toEqual({ value: 25, raw: 200 });
    await expect(read("ads1115", "voltage0")).rejects.toThrow(
      '2 sensors are called "ads1115": give the path of one: /sys/bus/i2c/devices/1-0048, /sys/bus/i2c/devices/1-0049',
    );
    await expect(read("bmp280", "temp")).rejects.toThrow('there is no sensor "bmp280"; available: ');
    await expect(read("/sys/bus/i2c/devices/1-0076", "volt")).rejects.toThrow("has no channel volt; available: temp");
  },
);

test("a chip is found by its label before its number", async () => {
  const files = filesOf({ name: "ads1115\n", label: "battery\n", in_voltage0_raw: "7\n" });
  expect(await new AdcChannel(files, "battery", "voltage0").read()).toEqual({ value: 7, raw: 7 });
});

test("a converter whose files take their time is read in the same way, and found again after a failure", async () => {
  const texts = filesOf({ in_voltage0_raw: "1000\n", in_voltage_scale: "0.5\n" });
  const files: Files & Folders = {
    names: (path, prefix) => texts.names(path, prefix),
    readTextFile: (path, limit) => texts.readTextFile(path, limit),
    readText: (path, limit, within) => texts.readText(path, limit, within),
    readTexts: async (paths, limit, within) => texts.readTexts(paths, limit, within),
    listFolder: (path, limit, within) => texts.listFolder(path, limit, within),
    writeText: (path, text, within) => texts.writeText(path, text, within),
  };
  const reported: string[] = [];
  const sensor = deviceSensor({ device: "iio:device0", channel: "voltage0" }, undefined);
  const noun = new SensorNoun(sensor, files, { report: (error) => reported.push(String(error)) });
  expect([await noun.getState(), await noun.getState()]).toEqual(Array(2).fill({ volts: 0.5 }));
  texts.texts.delete(`${folder}/in_voltage_scale`);
  await expect(stateOf(noun)).rejects.toMatchObject({ status: 500 });
  expect(reported).toEqual([`Error: cannot read ${folder}/in_voltage_scale: there is no such file`]);
  expect(await noun.getState()).toEqual({ volts: 1 });
});

test("what was read before is never in what is read now, whichever attribute changes", async () => {
  const attribute = fc.constantFrom("in_voltage0_raw", "in_voltage_offset", "in_voltage_scale");
  const change = fc.tuple(attribute, fc.constantFrom("1\n", "2\n", "3\n"));
  await fc.assert(
    fc.asyncProperty(fc.array(change), async (changes) => {
      const { noun, files } = make({ in_voltage0_raw: "1\n", in_voltage_offset: "1\n", in_voltage_scale: "1\n" });
      for (const [name, text] of changes) {
        files.texts.set(`${folder}/${name}`, text);
        const { value, raw } = await new AdcChannel(files, "iio:device0", "voltage0").read();
        expect(await noun.getState()).toEqual({ volts: value / 1_000, raw });
      }
    }),
  );
});

test("a converter that gives the same again and again gives one state", async () => {
  const { noun } = make({ in_voltage0_raw: "7\n" });
  await noun.getState();
  expect(await noun.getState()).toBe(await noun.getState());
});

test("a scale and an offset convert the value, which then has its own unit", async () => {
  const attributes = { in_voltage0_raw: "1000\n", in_voltage_scale: "0.5\n" };
  const options = { key: "litres", scale: 100, offset: -20 };
  expect(await make(attributes, options).noun.getState()).toEqual({ litres: 30, raw: 1_000 });
  expect(make(attributes, options).noun.shape["litres"]).toEqual({ type: "number", readOnly: true });
  expect(make(attributes, { ...options, unit: "L" }).noun.shape["litres"]).toMatchObject({ unit: "L" });
  expect(make(attributes, { key: "v", offset: 1 }).noun.shape["v"]).toMatchObject({ unit: "V" });
});

test("a difference of two channels has its attributes, too", async () => {
  const attributes = { "in_voltage0-voltage1_raw": "10\n", "in_voltage-voltage_scale": "0.1\n" };
  expect(await make(attributes, { channel: "voltage0-voltage1" }).noun.getState()).toEqual({ volts: 0.001, raw: 10 });
});

test.each([
  ["voltage0", "volts", "V"],
  ["voltage0_vccint", "volts", "V"],
  ["temp", "celsius", "Cel"],
  ["temp_object", "celsius", "Cel"],
  ["accel_x", "acceleration", "m/s2"],
  ["humidityrelative", "percent", "%"],
  ["pressure", "hectopascals", "hPa"],
  ["concentration_co2", "ppm", "[ppm]"],
  ["intensity_both", "intensity", undefined],
  ["count0", "count", undefined],
])("the shape of the channel %s has read-only keys, the value %s in %s", (channel, key, unit) => {
  const { noun } = make({}, { channel });
  expect(noun.shape[key]).toMatchObject({ type: "number", readOnly: true, ...(unit !== undefined && { unit }) });
  // A driver may give the value alone.
  expect(noun.shape[key]).not.toHaveProperty("nullable");
  expect(noun.shape["raw"]).toMatchObject({ type: "integer", readOnly: true, nullable: true });
});

test("each GET reads again, and a DELETE changes nothing", async () => {
  const { noun, files } = make({ in_voltage0_raw: "1\n" });
  files.texts.set(`${folder}/in_voltage0_raw`, "2\n");
  expect(await noun.getState()).toEqual({ volts: 0.002, raw: 2 });
  expect(await noun.deleteState()).toEqual({ volts: 0.002, raw: 2 });
  noun.close();
});

test("an absent channel fails, says once why, and is found when it comes, with its device's attributes", async () => {
  const { noun, files, reported } = make({ in_voltage1_raw: "1\n" });
  const absent = { status: 500 };
  await expect(stateOf(noun)).rejects.toMatchObject(absent);
  await expect(stateOf(noun)).rejects.toMatchObject(absent);
  expect(reported).toEqual([`Error: ${folder} has no channel voltage0; available: voltage1`]);
  files.texts.set(`${folder}/in_voltage0_raw`, "3\n");
  expect(await noun.getState()).toEqual({ volts: 0.003, raw: 3 });
  files.texts.clear();
  await expect(stateOf(noun)).rejects.toMatchObject(absent);
  expect(reported.at(-1)).toBe(`Error: cannot read ${folder}/in_voltage0_raw: there is no such file`);
  files.texts.set(`${folder}/in_voltage0_raw`, "3\n");
  files.texts.set(`${folder}/in_voltage_scale`, "2\n");
  expect(await noun.getState()).toEqual({ volts: 0.006, raw: 3 });
});

test("a scale that is no number makes the noun fail", async () => {
  const { noun, files, reported } = make({ in_voltage0_raw: "1\n", in_voltage_scale: "much\n" });
  await expect(stateOf(noun)).rejects.toMatchObject({ status: 500 });
  expect(reported).toEqual([`Error: ${folder}/in_voltage_scale holds no number`]);
  await expect(new AdcChannel(files, "iio:device0", "voltage0").read()).rejects.toThrow("holds no number");
});

test("a device's name that leads elsewhere reads nothing", async () => {
  const channel = new AdcChannel(filesOf({ in_voltage0_raw: "1\n" }), "../../../../etc", "voltage0");
  await expect(channel.read()).rejects.toThrow('there is no sensor "../../../../etc"');
});

test.each([
  [
    "an infrared thermometer",
    "temp_object",
    { in_temp_object_raw: "14993", in_temp_scale: "20", in_temp_offset: "-13657.5" },
    26.71,
  ],
  ["an accelerometer", "accel_x", { in_accel_x_raw: "250", in_accel_scale: "0.0383" }, 9.575],
  ["light of all wavelengths", "intensity_both", { in_intensity_both_raw: "500", in_intensity_scale: "2" }, 1_000],
  ["carbon dioxide", "concentration_co2", { in_concentration_co2_input: "0.0612" }, 612],
  ["a supply", "voltage0_vccint", { in_voltage0_vccint_raw: "1363", in_voltage_scale: "0.732421875" }, 0.998291],
  ["a quadrature counter", "count0", { in_count0_raw: "77" }, 77],
])("a channel with a modifier has the scale and the offset of its type: %s", async (_, channel, attributes, value) => {
  const { noun, files } = make(attributes, { channel, key: "value", raw: false });
  expect(await noun.getState()).toEqual({ value });
  const kernel = (await new AdcChannel(files, "iio:device0", channel).read()).value;
  expect({ [channel]: kernel }).toEqual({
    [channel]: { temp_object: 26_710, concentration_co2: 0.0612, voltage0_vccint: 998.291016 }[channel] ?? value,
  });
});

test.each(["setState", "updateState"] as const)("%s is refused with a sentence, whatever it holds", (operation) => {
  const { noun } = make({ in_voltage0_raw: "1\n" });
  expect(() => noun[operation]()).toThrow(StateError);
  expect(() => noun[operation]()).toThrow("This noun is a measurement, and cannot be set; GET reads it.");
});

test("where it is simulated, another noun moves what the converter gives, and null pulls the device out", async () => {
  const { noun, files } = make({});
  const options = { device: "iio:device0", channel: "voltage0", raw: true };
  const source = simulateSensor(deviceSensor(options, undefined), files.texts);
  expect(await noun.getState()).toEqual({ volts: 1.65, raw: 2_048 });
  expect(source.setState({ volts: 0.805664 })).toEqual({ volts: 0.805664 });
  expect(await noun.getState()).toEqual({ volts: 0.805664, raw: 1_000 });
  source.setState({ volts: null });
  await expect(stateOf(noun)).rejects.toMatchObject({ status: 500 });
  source.setState({ volts: 0.805664 });
  simulateSensor(deviceSensor(options, undefined), files.texts);
  expect(await noun.getState()).toMatchObject({ raw: 1_000 });
});
