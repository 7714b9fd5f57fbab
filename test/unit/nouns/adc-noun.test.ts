import { expect, test } from "vitest";
import { SimulatedFolder } from "../../../ts/native/simulated/sysfs.ts";
import { StateError } from "../../../ts/noun/state-error.ts";
import { AdcNoun } from "../../../ts/nouns/adc-noun.ts";

function make(attributes: { readonly [name: string]: string }, channel = "voltage0") {
  const folder = new SimulatedFolder("/sys/bus/iio/devices/iio:device0", attributes, () => false);
  return { folder, noun: new AdcNoun(folder, { channel, key: "value" }) };
}

test.each([
  ["raw alone", { in_voltage0_raw: "7" }, 7],
  ["a scale of its own", { in_voltage0_raw: "1000", in_voltage0_scale: "1.25", in_voltage_scale: "9" }, 1250],
  ["the scale of all voltages", { in_voltage0_raw: "1000", in_voltage_scale: "0.5" }, 500],
  [
    "an offset, which comes before the scale",
    { in_voltage0_raw: "100", in_voltage0_offset: "-20", in_voltage_scale: "2" },
    160,
  ],
  ["the offset of all voltages", { in_voltage0_raw: "-5", in_voltage_offset: "5", in_voltage_scale: "2" }, 0],
  ["a scale with all its places", { in_voltage0_raw: "3000", in_voltage_scale: "0.805664062" }, 2416.992186],
])("the value comes of %s", (_, attributes, value) => {
  const { noun } = make(attributes);
  expect(noun.getState()).toEqual({ value, raw: Number(attributes.in_voltage0_raw) });
});

test("a scale and an offset turn the value into what is measured, in a unit of its own", () => {
  const attributes = { in_voltage0_raw: "1000", in_voltage_scale: "0.5" };
  const folder = new SimulatedFolder("/sys/bus/iio/devices/iio:device0", attributes, () => false);
  const options = { channel: "voltage0", key: "litres", scale: 0.1, offset: -20 };
  expect(new AdcNoun(folder, options).getState()).toEqual({ litres: 30, raw: 1_000 });
  expect(new AdcNoun(folder, options).shape["litres"]).toEqual({ type: "number", readOnly: true });
  expect(new AdcNoun(folder, { ...options, unit: "L" }).shape["litres"]).toMatchObject({ unit: "L" });
  expect(new AdcNoun(folder, { channel: "voltage0", key: "v", offset: 1 }).shape["v"]).toMatchObject({ unit: "mV" });
});

test("a difference of two channels has its attributes, too", () => {
  const attributes = { "in_voltage0-voltage1_raw": "10", "in_voltage-voltage_scale": "0.1" };
  expect(make(attributes, "voltage0-voltage1").noun.getState()).toEqual({ value: 1, raw: 10 });
});

test.each([
  ["voltage0", "mV"],
  ["temp", "mCel"],
  ["accel_x", "m/s2"],
  ["count0", undefined],
])("the shape of the channel %s has read-only keys, the value in %s", (channel, unit) => {
  const { noun } = make({ [`in_${channel}_raw`]: "1" }, channel);
  expect(noun.shape["value"]).toEqual({ type: "number", readOnly: true, ...(unit !== undefined && { unit }) });
  expect(noun.shape["raw"]).toMatchObject({ type: "integer", readOnly: true });
});

test("each GET reads anew, and a DELETE changes nothing", () => {
  const { noun, folder } = make({ in_voltage0_raw: "1" });
  folder.attributes.set("in_voltage0_raw", "2");
  expect(noun.getState()).toEqual({ value: 2, raw: 2 });
  expect(noun.deleteState()).toEqual({ value: 2, raw: 2 });
  noun.close();
});

test("a channel that the device does not have is refused at the start", () => {
  expect(() => make({ in_voltage1_raw: "1" })).toThrow(
    "there is no channel voltage0: /sys/bus/iio/devices/iio:device0 has no in_voltage0_raw",
  );
});

test.each(["setState", "updateState"] as const)("%s is refused with a sentence, whatever it holds", (operation) => {
  const { noun } = make({ in_voltage0_raw: "1" });
  expect(() => noun[operation]()).toThrow(StateError);
  expect(() => noun[operation]()).toThrow("This noun is a measurement, and cannot be set; GET reads it.");
});

test("what the kernel refuses is thrown, and passes", () => {
  const { noun, folder } = make({ in_voltage0_raw: "1" });
  folder.broken.add("in_voltage0_raw");
  expect(() => noun.getState()).toThrow("in_voltage0_raw");
  folder.broken.clear();
  expect(noun.getState()).toEqual({ value: 1, raw: 1 });
});
