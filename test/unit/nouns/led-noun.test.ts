import fc from "fast-check";
import { expect, test } from "vitest";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { type LedBehaviour, LedNoun } from "../../../ts/hardware/nouns/led-noun.ts";
import { SimulatedSysfs } from "../../../ts/native/simulated/sysfs.ts";

function led(attributes: { readonly [name: string]: string } = {}) {
  const folder = new SimulatedSysfs().openDevice("leds", "green");
  for (const [name, text] of Object.entries(attributes)) folder.attributes.set(name, text);
  return folder;
}

function make(options: LedBehaviour = {}, folder = led()) {
  return { folder, noun: new LedNoun(folder, options) };
}

test("leaves the LED as it found it, and returns to that", () => {
  const { noun, folder } = make({}, led({ brightness: "7", trigger: "none timer [heartbeat]" }));
  expect(noun.getState()).toEqual({ brightness: 7, trigger: "heartbeat" });
  noun.setState({ brightness: 255, trigger: "none" });
  expect(noun.deleteState()).toEqual({ brightness: 7, trigger: "heartbeat" });
  expect(folder.read("trigger")).toContain("[heartbeat]");
});

test("starts with the default it is given, and returns to that", () => {
  const { noun, folder } = make({ default: { brightness: 100 } }, led({ brightness: "7" }));
  expect(noun.getState()).toEqual({ brightness: 100, trigger: "none" });
  noun.updateState({});
  expect(noun.deleteState()).toEqual({ brightness: 100, trigger: "none" });
  expect(folder.read("brightness")).toBe("100");
});

test("setting makes it so, from any state and to any", () => {
  const state = fc.record({
    brightness: fc.constantFrom(0, 1, 254, 255),
    trigger: fc.constantFrom("none", "timer", "heartbeat"),
  });
  fc.assert(
    fc.property(fc.array(state, { minLength: 1 }), (states) => {
      const { noun } = make();
      for (const one of states) {
        expect(noun.setState(one)).toEqual(one);
        expect(noun.getState()).toEqual(one);
      }
    }),
  );
});

test("an update toggles between off and full", () => {
  const { noun } = make();
  expect(noun.updateState({})).toEqual({ brightness: 255, trigger: "none" });
  expect(noun.updateState({})).toEqual({ brightness: 0, trigger: "none" });
  noun.setState({ brightness: 0, trigger: "timer" });
  expect(noun.updateState({})).toEqual({ brightness: 0, trigger: "none" });
});

test("an update changes what it names; a brightness alone ends the trigger", () => {
  const { noun } = make({ default: { brightness: 9, trigger: "timer" } });
  expect(noun.updateState({ trigger: "heartbeat" })).toEqual({ brightness: 9, trigger: "heartbeat" });
  expect(noun.updateState({ brightness: 5 })).toEqual({ brightness: 5, trigger: "none" });
  expect(noun.updateState({ brightness: 6, trigger: "timer" })).toEqual({ brightness: 6, trigger: "timer" });
});

test("its shape has the LED's own maximum and the kernel's triggers", () => {
  const { shape } = make({}, led({ max_brightness: "15" })).noun;
  expect(() => checkState(shape, { brightness: 15, trigger: "timer" })).not.toThrow();
  for (const state of [
    { brightness: 16, trigger: "none" },
    { brightness: -1, trigger: "none" },
    { brightness: 1.5, trigger: "none" },
    { brightness: "1", trigger: "none" },
    { brightness: 1, trigger: "disco" },
    { brightness: 1, trigger: null },
    { brightness: 1 },
    { trigger: "none" },
    { brightness: 1, trigger: "none", delay_on: 5 },
  ]) {
    expect(() => checkState(shape, state), JSON.stringify(state)).toThrow(StateError);
  }
  expect(() => checkState(partialShape(shape), { brightness: 3 })).not.toThrow();
});

test("a kernel without triggers has brightness alone", () => {
  const folder = led();
  folder.attributes.delete("trigger");
  const { noun } = make({ default: { brightness: 1 } }, folder);
  expect(noun.getState()).toEqual({ brightness: 1 });
  expect(noun.updateState({})).toEqual({ brightness: 0 });
  expect(noun.updateState({})).toEqual({ brightness: 255 });
  expect(Object.keys(noun.shape)).toEqual(["brightness"]);
  expect(() => make({ default: { brightness: 1, trigger: "timer" } }, folder)).toThrow(StateError);
});

test.each([{ brightness: 256 }, { brightness: 1, trigger: "disco" }])(
  "a default that this LED cannot have is refused at the start: %j",
  (initial) => {
    expect(() => make({ default: initial })).toThrow(StateError);
  },
);

test("what the kernel refuses halfway is undone", () => {
  const { noun, folder } = make({ default: { brightness: 10, trigger: "none" } });
  folder.broken.add("trigger");
  expect(() => noun.setState({ brightness: 20, trigger: "timer" })).toThrow(
    "cannot read /sys/class/leds/green/trigger",
  );
  folder.broken.clear();
  const write = folder.write.bind(folder);
  folder.write = (attribute, text) => {
    if (text === "timer") throw new Error("Invalid argument");
    write(attribute, text);
  };
  expect(() => noun.setState({ brightness: 20, trigger: "timer" })).toThrow("Invalid argument");
  expect(noun.getState()).toEqual({ brightness: 10, trigger: "none" });
});

test("an attribute that holds no number is a failure", () => {
  const { noun, folder } = make();
  for (const text of ["", "dim", "NaN"]) {
    folder.attributes.set("brightness", text);
    expect(() => noun.getState()).toThrow("/sys/class/leds/green/brightness holds no number");
  }
});

test("at its end it returns to the default, or stays as it is with exit as-is", () => {
  const one = make();
  one.noun.updateState({});
  one.noun.close();
  expect(one.folder.read("brightness")).toBe("0");
  const other = make({ exit: "as-is" });
  other.noun.updateState({});
  other.noun.close();
  expect(other.folder.read("brightness")).toBe("255");
});
