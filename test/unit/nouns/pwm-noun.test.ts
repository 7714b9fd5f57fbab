import fc from "fast-check";
import { expect, test } from "vitest";
import { checkState } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { type PwmBehaviour, PwmNoun } from "../../../ts/hardware/nouns/pwm-noun.ts";
import { openPwmChannel, PwmChannel } from "../../../ts/hardware/open/pwm-channel.ts";
import { SimulatedSysfs } from "../../../ts/native/simulated/sysfs.ts";

const still = { period: 1_000, duty: 0, enabled: false };

/** A noun on a channel that the kernel was told nothing, unless `attributes` say otherwise. */
function make(options: PwmBehaviour = { default: still }, attributes: { readonly [name: string]: string } = {}) {
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
    const options = { period: 1_000, ...(inverted !== undefined && { inverted }) };
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
  expect(() => new PwmNoun(channel, { period: 1_000, inverted: true })).toThrow("this chip cannot invert its signal");
  expect(() => new PwmNoun(channel, { period: 1_000 })).not.toThrow();
});

test("a channel that is left as it was found keeps its polarity", () => {
  const { folder } = make({}, { ...found, polarity: "inversed" });
  expect(Object.fromEntries(folder.attributes)).toMatchObject({ enable: "1", polarity: "inversed" });
});

test("leaves the signal as it found it, and returns to that", () => {
  const { noun } = make({}, found);
  expect(noun.getState()).toEqual({ period: 2_000, duty: 500, enabled: true });
  noun.setState(still);
  expect(noun.deleteState()).toEqual({ period: 2_000, duty: 500, enabled: true });
  expect(noun.getState()).toEqual({ period: 2_000, duty: 500, enabled: true });
});

test("without a default it refuses a channel that has no period", () => {
  expect(() => make({})).toThrow('has no period yet: give the noun a "default", or a "period"');
});

test("starts with the default it is given", () => {
  const { noun, folder } = make({ default: { period: 9_000, duty: 9_000, enabled: true } }, found);
  expect(noun.getState()).toEqual({ period: 9_000, duty: 9_000, enabled: true });
  expect(folder.read("enable")).toBe("1");
});

test("for any sequence of signals, the kernel never gets a duty beyond its period", () => {
  const signal = fc
    .record({ period: fc.integer({ min: 1, max: 50 }), duty: fc.nat(50), enabled: fc.boolean() })
    .filter(({ period, duty }) => duty <= period);
  fc.assert(
    fc.property(fc.array(signal), (signals) => {
      const { noun, folder } = make();
      for (const one of signals) {
        // The simulated kernel throws at the first write that breaks the rule.
        expect(noun.setState(one)).toEqual(one);
        expect(noun.getState()).toEqual(one);
        expect(folder.read("duty_cycle")).toBe(String(one.duty));
      }
    }),
  );
});

test("in percent, each percentage is read back as it was set, for any period", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 60_000_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      (period, percent) => {
        const { noun } = make({ period });
        expect(noun.setState({ percent, enabled: true })).toEqual({ percent, enabled: true });
        expect(noun.getState()).toEqual({ percent, enabled: true });
      },
    ),
  );
});

test("in percent it starts with 0, disabled, unless a default says otherwise", () => {
  const { noun, folder } = make({ period: 40_000 }, found);
  expect(noun.getState()).toEqual({ percent: 0, enabled: false });
  expect(folder.read("period")).toBe("40000");
  const other = make({ period: 40_000, default: { percent: 30, enabled: true } });
  expect(other.folder.read("duty_cycle")).toBe("12000");
  other.noun.setState({ percent: 100, enabled: true });
  expect(other.noun.deleteState()).toEqual({ percent: 30, enabled: true });
});

test("an update toggles, or changes what it names", () => {
  const { noun } = make({ default: { period: 1_000, duty: 10, enabled: false } });
  expect(noun.updateState({})).toEqual({ period: 1_000, duty: 10, enabled: true });
  expect(noun.updateState({})).toEqual({ period: 1_000, duty: 10, enabled: false });
  expect(noun.updateState({ duty: 20 })).toEqual({ period: 1_000, duty: 20, enabled: false });
  const percent = make({ period: 1_000 }).noun;
  expect(percent.updateState({ percent: 50, enabled: true })).toEqual({ percent: 50, enabled: true });
});

test("a duty beyond the period is refused, in an update too, and changes nothing", () => {
  const { noun } = make();
  expect(() => noun.setState({ period: 1_000, duty: 1_001, enabled: true })).toThrow(StateError);
  expect(() => noun.updateState({ duty: 1_001 })).toThrow(
    'The value of "duty" must be at most that of "period", which is 1000.',
  );
  expect(noun.getState()).toEqual(still);
});

test("its shapes refuse everything else", () => {
  const { shape } = make().noun;
  for (const state of [
    { ...still, period: 0 },
    { ...still, duty: -1 },
    { ...still, duty: 0.5 },
    { ...still, period: 1e12 },
    { ...still, enabled: 1 },
    { ...still, polarity: "normal" },
    { period: 1, duty: 1 },
    {},
  ]) {
    expect(() => checkState(shape, state), JSON.stringify(state)).toThrow(StateError);
  }
  const percent = make({ period: 1_000 }).noun.shape;
  for (const state of [
    { percent: 101, enabled: true },
    { percent: -1, enabled: true },
    { percent: 0.5, enabled: true },
    still,
  ]) {
    expect(() => checkState(percent, state), JSON.stringify(state)).toThrow(StateError);
  }
});

test("what the kernel refuses halfway is undone", () => {
  const { noun, folder } = make({ default: { period: 1_000, duty: 900, enabled: true } });
  const write = folder.write.bind(folder);
  folder.write = (attribute, text) => {
    if (attribute === "period" && text === "100") throw new Error("Invalid argument");
    write(attribute, text);
  };
  expect(() => noun.setState({ period: 100, duty: 50, enabled: false })).toThrow("Invalid argument");
  expect(noun.getState()).toEqual({ period: 1_000, duty: 900, enabled: true });
});

test("at its end it returns to the default, or stays as it is with exit as-is", () => {
  const one = make({ period: 1_000 });
  one.noun.setState({ percent: 50, enabled: true });
  one.noun.close();
  expect(one.folder.read("enable")).toBe("0");
  const other = make({ period: 1_000, exit: "as-is" });
  other.noun.setState({ percent: 50, enabled: true });
  other.noun.close();
  expect(other.folder.read("enable")).toBe("1");
});
