import fc from "fast-check";
import { expect, test } from "vitest";
import { checkState } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { type PwmBehaviour, PwmNoun } from "../../../ts/hardware/nouns/pwm-noun.ts";
import { openPwmChannel, PwmChannel } from "../../../ts/hardware/open/pwm-channel.ts";
import { SimulatedSysfs } from "../../../ts/native/simulated/sysfs.ts";

/** A noun on a channel that the kernel was told nothing, unless `attributes` say otherwise. */
function make(options: PwmBehaviour = { frequency: 1_000_000 }, attributes: { readonly [name: string]: string } = {}) {
  const chip = new SimulatedSysfs().openDevice("pwm", "pwmchip0");
  openPwmChannel(chip, 0);
  const folder = chip.open("pwm0");
  for (const [name, text] of Object.entries(attributes)) folder.attributes.set(name, text);
  return { folder, noun: new PwmNoun(new PwmChannel(folder), options) };
}

const found = { period: "2000", duty_cycle: "500", enable: "1" };

test("a channel is exported unless it is already, and one that the chip does not have is refused", () => {
  const chip = new SimulatedSysfs().openDevice("pwm", "pwmchip0");
  const folder = openPwmChannel(chip, 3);
  expect(folder.path).toBe("/sys/class/pwm/pwmchip0/pwm3");
  expect(openPwmChannel(chip, 3)).toBe(folder);
  chip.broken.add("export");
  expect(() => openPwmChannel(chip, 4)).toThrow("cannot write 4 to /sys/class/pwm/pwmchip0/export");
  expect(openPwmChannel(chip, 3)).toBe(folder);
  expect(() => openPwmChannel(chip, 8)).toThrow("there is no channel 8: /sys/class/pwm/pwmchip0 has 8, counted from 0");
});

test.each([
  [true, {}, "inversed"],
  [true, { ...found, polarity: "inversed" }, "inversed"],
  [undefined, { ...found, polarity: "inversed" }, "normal"],
  [false, {}, "normal"],
])(
  "with inverted %j, a channel that was found as %j is %s, and its percent is its share",
  (inverted, was, polarity) => {
    const options = { frequency: 1_000_000, ...(inverted !== undefined && { inverted }) };
    const { folder, noun } = make(options, was);
    expect(folder.attributes.get("polarity")).toBe(polarity);
    noun.setState({ percent: 30, enabled: true });
    expect(Object.fromEntries(folder.attributes)).toMatchObject({
      period: "1000",
      duty_cycle: "300",
      enable: "1",
      polarity,
    });
  },
);

test("a chip that cannot invert is refused with that reason", () => {
  const chip = new SimulatedSysfs().openDevice("pwm", "pwmchip0");
  const folder = openPwmChannel(chip, 0) as ReturnType<typeof chip.open>;
  folder.attributes.delete("polarity");
  const channel = new PwmChannel(folder);
  expect(() => new PwmNoun(channel, { frequency: 1_000_000, inverted: true })).toThrow(
    "this chip cannot invert its signal",
  );
  expect(() => new PwmNoun(channel, { frequency: 1_000_000 })).not.toThrow();
});

test("a channel that is left as it was found keeps its polarity", () => {
  const { folder } = make({}, { ...found, polarity: "inversed" });
  expect(Object.fromEntries(folder.attributes)).toMatchObject({ enable: "1", polarity: "inversed" });
});

test("without a frequency it leaves the signal as it found it, and returns to that", () => {
  const { noun } = make({}, found);
  expect(noun.getState()).toEqual({ percent: 25, enabled: true });
  noun.setState({ percent: 0, enabled: false });
  expect(noun.deleteState()).toEqual({ percent: 25, enabled: true });
  expect(noun.getState()).toEqual({ percent: 25, enabled: true });
});

test("without a frequency it refuses a channel that has none", () => {
  expect(() => make({})).toThrow('has no frequency yet: give the noun a "frequency"');
});

test("a servo has pulses of the length that is set, 50 in a second", () => {
  const { noun, folder } = make({ pulse: true, default: { microseconds: 1_500, enabled: true } });
  expect(Object.fromEntries(folder.attributes)).toMatchObject({
    period: "20000000",
    duty_cycle: "1500000",
    enable: "1",
  });
  expect(noun.updateState({ microseconds: 1_000.5 })).toEqual({ microseconds: 1_000.5, enabled: true });
  expect(folder.read("duty_cycle")).toBe("1000500");
  expect(noun.deleteState()).toEqual({ microseconds: 1_500, enabled: true });
  expect(() => checkState(noun.shape, { microseconds: 20_001, enabled: true })).toThrow(StateError);
});

test("for any sequence of signals, the kernel never gets a duty beyond its period", () => {
  const signal = fc.record({ percent: fc.integer({ min: 0, max: 100 }), enabled: fc.boolean() });
  const step = fc.record({ frequency: fc.integer({ min: 1, max: 1_000_000 }), signal });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const attributes = { ...found };
      for (const { frequency, signal } of steps) {
        // The simulated kernel throws at the first write that breaks the rule.
        const { noun, folder } = make({ frequency, default: signal }, attributes);
        expect(noun.getState()).toEqual(signal);
        Object.assign(attributes, Object.fromEntries(folder.attributes));
      }
    }),
  );
});

test("each percentage is read back as it was set, for any frequency, also a tenth of it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000 }), (frequency, tenths) => {
      const { noun } = make({ frequency });
      const percent = tenths / 10;
      expect(noun.setState({ percent, enabled: true })).toEqual({ percent, enabled: true });
      expect(noun.getState()).toEqual({ percent, enabled: true });
    }),
    { examples: [[666_445, 7]] },
  );
});

test("it starts with 0, disabled, unless a default says otherwise", () => {
  const { noun, folder } = make({ frequency: 25_000 }, found);
  expect(noun.getState()).toEqual({ percent: 0, enabled: false });
  expect(folder.read("period")).toBe("40000");
  const other = make({ frequency: 25_000, default: { percent: 30, enabled: true } });
  expect(other.folder.read("duty_cycle")).toBe("12000");
  other.noun.setState({ percent: 100, enabled: true });
  expect(other.noun.deleteState()).toEqual({ percent: 30, enabled: true });
});

test("an update toggles, or changes what it names", () => {
  const { noun } = make({ frequency: 1_000_000 });
  expect(noun.updateState({})).toEqual({ percent: 0, enabled: true });
  expect(noun.updateState({})).toEqual({ percent: 0, enabled: false });
  expect(noun.updateState({ percent: 20 })).toEqual({ percent: 20, enabled: false });
  expect(noun.updateState({ percent: 50, enabled: true })).toEqual({ percent: 50, enabled: true });
});

test("its shape refuses everything else", () => {
  const { shape } = make({ frequency: 1_000_000 }).noun;
  for (const state of [
    { percent: 101, enabled: true },
    { percent: -1, enabled: true },
    { percent: 1, enabled: 1 },
    { percent: 1, enabled: true, polarity: "normal" },
    { percent: 1 },
    { microseconds: 1, enabled: true },
    {},
  ]) {
    expect(() => checkState(shape, state), JSON.stringify(state)).toThrow(StateError);
  }
});

test("what the kernel refuses halfway is undone", () => {
  const { noun, folder } = make({ frequency: 1_000_000, default: { percent: 90, enabled: true } });
  const write = folder.write.bind(folder);
  folder.write = (attribute, text) => {
    if (attribute === "duty_cycle" && text === "50") throw new Error("Invalid argument");
    write(attribute, text);
  };
  expect(() => noun.setState({ percent: 5, enabled: false })).toThrow("Invalid argument");
  expect(noun.getState()).toEqual({ percent: 90, enabled: true });
});

test("at its end it returns to the default, or stays as it is with exit as-is", () => {
  const one = make({ frequency: 1_000_000 });
  one.noun.setState({ percent: 50, enabled: true });
  one.noun.close();
  expect(one.folder.read("enable")).toBe("0");
  const other = make({ frequency: 1_000_000, exit: "as-is" });
  other.noun.setState({ percent: 50, enabled: true });
  other.noun.close();
  expect(other.folder.read("enable")).toBe("1");
});
