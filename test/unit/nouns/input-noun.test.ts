import { beforeEach, expect, test } from "vitest";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { InputNoun } from "../../../ts/hardware/nouns/input-noun.ts";
import { hotplugButton } from "../../../ts/hardware/open/hotplug-button.ts";
import { codeNamed, inputCodes } from "../../../ts/hardware/open/input-codes.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInput } from "../../../ts/native/simulated/input.ts";

const [keyType, axisType, power, wheel] = [1, 2, 116, 8];

let clock: SimulatedClock;
let input: SimulatedInput;
let reported: unknown[];

beforeEach(() => {
  clock = new SimulatedClock();
  input = new SimulatedInput(clock);
  reported = [];
});

function make(options: { readonly presses?: boolean; readonly doublePress?: number } = {}): InputNoun {
  const open = () => input.openDevice("keys", keyType, power);
  const report = (error: unknown) => reported.push(error);
  return new InputNoun({ open, clock, report }, { key: "pressed", isAxis: false, ...options });
}

function press(ms: number): void {
  input.device("keys").send(keyType, power, 1);
  clock.advance(ms);
  input.device("keys").send(keyType, power, 0);
}

test("reads the key, and tells each change", () => {
  const noun = make();
  let told = 0;
  noun.watch(() => told++);
  expect(noun.getState()).toEqual({ pressed: 0 });
  input.device("keys").send(keyType, power, 1);
  expect(noun.getState()).toEqual({ pressed: 1 });
  expect(told).toBe(1);
});

test("a key that is held at the start is pressed, and its press does not count", () => {
  input.device("keys").send(keyType, power, 1);
  const noun = make({ presses: true });
  expect(noun.getState()).toEqual({ pressed: 1, short: 0, long: 0, double: 0 });
  input.device("keys").send(keyType, power, 0);
  expect(noun.getState()).toEqual({ pressed: 0, short: 0, long: 0, double: 0 });
});

test("counts short, long and double presses as a gpio-input does", () => {
  const noun = make({ presses: true, doublePress: 300 });
  press(20);
  clock.advance(300);
  press(600);
  press(20);
  clock.advance(100);
  press(20);
  expect(noun.getState()).toEqual({ pressed: 0, short: 1, long: 1, double: 1 });
  expect(noun.deleteState()).toEqual({ pressed: 0, short: 0, long: 0, double: 0 });
});

test("adds up the steps of an axis, and DELETE begins again", () => {
  const open = () => input.openDevice("encoder", axisType, wheel);
  const noun = new InputNoun({ open, clock, report: () => {} }, { key: "position", isAxis: true });
  for (const steps of [1, 1, -3]) input.device("encoder").send(axisType, wheel, steps);
  expect(noun.getState()).toEqual({ position: -1 });
  expect(noun.deleteState()).toEqual({ position: 0 });
});

test("fails while the device is unplugged, and goes on a second after it is back", () => {
  const noun = make({ presses: true });
  press(20);
  let told = 0;
  noun.watch(() => told++);
  input.device("keys").send(keyType, power, 1);
  input.device("keys").unplug();
  expect(() => noun.getState()).toThrow(expect.objectContaining({ status: 500 }));
  clock.advance(5_000);
  expect(reported.map(String)).toEqual(['Error: there is no input device "keys"']);
  input.device("keys").plug();
  input.device("keys").send(keyType, power, 0);
  clock.advance(1_000);
  expect(noun.getState()).toEqual({ pressed: 0, short: 1, long: 0, double: 0 });
  press(20);
  expect(noun.getState()).toMatchObject({ short: 2, long: 0 });
  expect(told).toBeGreaterThanOrEqual(5);
});

test("a device that is absent at the start is waited for; a closed noun looks no more", () => {
  input.device("keys").unplug();
  const noun = make();
  expect(() => noun.getState()).toThrow(expect.objectContaining({ status: 500 }));
  input.device("keys").plug();
  clock.advance(1_000);
  expect(noun.getState()).toEqual({ pressed: 0 });
  noun.close();
  input.device("keys").unplug();
  clock.advance(10_000);
  expect(reported).toHaveLength(1);
});

test("takes a button of OpenWrt from the kernel's hotplug events, and no others", () => {
  const open = () => hotplugButton(input.openUevents(), "wps", clock);
  const noun = new InputNoun({ open, clock, report: () => {} }, { key: "pressed", isAxis: false, presses: true });
  const send = (action: string, subsystem: string, button: string) =>
    input.sendUevent(`ACTION=${action}`, `SUBSYSTEM=${subsystem}`, `BUTTON=${button}`, "SEEN=4");
  send("pressed", "button", "reset");
  send("pressed", "usb", "wps");
  expect(noun.getState()).toMatchObject({ pressed: 0 });
  send("pressed", "button", "wps");
  expect(noun.getState()).toMatchObject({ pressed: 1 });
  clock.advance(20);
  send("released", "button", "wps");
  expect(noun.getState()).toEqual({ pressed: 0, short: 1, long: 0, double: 0 });
});

test("the next process goes on with the counts and the position of this one", () => {
  const noun = make({ presses: true, doublePress: 300 });
  press(600);
  press(20);
  clock.advance(300);
  const next = make({ presses: true, doublePress: 300 });
  next[takeOver](noun[leave]());
  expect(next.getState()).toEqual({ pressed: 0, short: 1, long: 1, double: 0 });
  const open = () => input.openDevice("encoder", axisType, wheel);
  const encoder = () => new InputNoun({ open, clock, report: () => {} }, { key: "position", isAxis: true });
  const turned = encoder();
  input.device("encoder").send(axisType, wheel, -7);
  const taken = encoder();
  taken[takeOver](turned[leave]());
  input.device("encoder").send(axisType, wheel, 1);
  expect(taken.getState()).toEqual({ position: -6 });
});

test.each([{ short: -1, long: 0, double: 0, position: 0.5 }, { short: 1, long: "2", double: 0, position: "7" }, {}])(
  "ignores what no process of nound has left: %o",
  (left) => {
    const noun = make({ presses: true });
    noun[takeOver](left);
    expect(noun.getState()).toEqual({ pressed: 0, short: 0, long: 0, double: 0 });
    const open = () => input.openDevice("encoder", axisType, wheel);
    const encoder = new InputNoun({ open, clock, report: () => {} }, { key: "position", isAxis: true });
    encoder[takeOver](left);
    expect(encoder.getState()).toEqual({ position: 0 });
  },
);

test("the codes are those of the kernel, each name once", () => {
  expect(["KEY_ESC", "KEY_POWER", "BTN_LEFT", "REL_WHEEL", "SW_LID"].map(codeNamed)).toMatchObject([
    { type: 1, code: 1 },
    { type: 1, code: 116 },
    { type: 1, code: 272 },
    { type: 2, code: 8 },
    { type: 5, code: 0 },
  ]);
  const names = Array.from(inputCodes(), ({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(codeNamed("KEY_NONE")).toBeUndefined();
});
