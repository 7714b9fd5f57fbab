/** Nouns of the kernel's input layer, for applications. */
import * as input from "nound:input";
import { logFailure } from "../application/log.ts";
import { nounClock } from "../application/noun-clock.ts";
import { isSimulated, loop, simulatedDevice, system } from "../application/platform.ts";
import { addReach, opening } from "../application/reach.ts";
import { addNumberSource, toldBySource } from "../application/simulated-sources.ts";
import { sentenceOf } from "../application/start-error.ts";
import { HotplugButton } from "../hardware/hotplug-button.ts";
import { codeNamed } from "../hardware/input-codes.ts";
import type { Input, InputCode, InputSource } from "../native/input.ts";
import { describeNoun } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import { InputNoun, type InputNounOptions } from "../nouns/input-noun.ts";

/** The type of an axis, whose events are steps. */
const axisType = 2;

/** The largest position that a simulated axis is set to. */
const largestPosition = 65_535;

const folder = "/dev/input";

function module(): Input {
  return isSimulated ? simulatedDevice().input : input;
}

/** An input, found by its options and not yet opened. */
interface Place {
  /** Undefined for a button that hotplug events tell of. */
  readonly code: InputCode | undefined;
  readonly open: () => InputSource<number>;
}

/** @throws TypeError when the options name no input. */
function placeOf({ device, code: name, from = "evdev" }: InputNounOptions): Place {
  if (from === "hotplug") {
    return { code: undefined, open: () => new HotplugButton(module().openUevents(), name, loop) };
  }
  if (device === undefined) throw new TypeError('An input is named by "device" and "code".');
  const found = codeNamed(name);
  if (found === undefined) throw new TypeError(`The kernel has no code "${name}"; KEY_POWER is one.`);
  const { type, code } = found;
  return { code: found, open: () => opening(folder, () => module().openDevice(device, type, code, name)) };
}

/** @throws Error with a sentence when the input cannot be opened. It is closed again. */
export function checkInputDevice(options: InputNounOptions): void {
  placeOf(options).open().close();
}

/** Makes the noun that sends the hotplug events of a simulated button. */
function simulateHotplug(button: string, key: string, source: string): void {
  let level = 0;
  const write = (value: number) => {
    level = value;
    const action = value === 1 ? "pressed" : "released";
    simulatedDevice().input.sendUevent(`ACTION=${action}`, "SUBSYSTEM=button", `BUTTON=${button}`);
  };
  addNumberSource(source, { key, maximum: 1, read: () => level, write });
}

/** Makes the noun that presses a simulated key, or turns a simulated axis to a position. */
function simulateCode(device: string, { type, code }: InputCode, key: string, source: string): void {
  const moved = simulatedDevice().input.device(device);
  let position = 0;
  addNumberSource(source, {
    key,
    maximum: type === axisType ? largestPosition : 1,
    read: () => (type === axisType ? position : moved.level(type, code)),
    write: (value) => {
      moved.send(type, code, type === axisType ? value - position : value);
      position = value;
    },
  });
}

/**
 * A noun for a key, a switch or an axis of the kernel's input layer. Its value is null while the device is unplugged.
 * @throws TypeError for an unknown code, and for `presses` of an axis.
 *
 * @example
 * server.register("power", inputNoun({ device: "gpio-keys", code: "KEY_POWER" })); // {"pressed":0}
 */
export function inputNoun(options: InputNounOptions): Noun {
  const { device = "", code: name, presses, simulatedAs: source = name } = options;
  const { code, open } = placeOf(options);
  const isAxis = code?.type === axisType;
  if (isAxis && presses === true) throw new TypeError("An axis has no presses.");
  const key = options.key ?? (isAxis ? "position" : "pressed");
  if (isSimulated && code === undefined) simulateHotplug(name, key, source);
  else if (isSimulated && code !== undefined) simulateCode(device, code, key, source);
  // A device that is plugged in again has a new file.
  else if (code !== undefined && system.accessOf(folder) !== undefined) addReach({ writable: [folder] });
  const report = (error: unknown) => logFailure(source, sentenceOf(error));
  const noun = describeNoun(new InputNoun({ open, clock: nounClock, report }, { ...options, key, isAxis }), options);
  return isSimulated ? toldBySource(noun, source) : noun;
}
