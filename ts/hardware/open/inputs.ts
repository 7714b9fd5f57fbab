/** Opens inputs of the kernel's input layer: keys, switches and axes, and the buttons of hotplug events. */
import * as input from "nound:input";
import type { Input, InputCode, InputSource } from "../../native/input.ts";
import { isSimulated, loop, simulatedDevice } from "../../platform/platform.ts";
import { opening } from "../../platform/reach.ts";
import { hotplugButton } from "./hotplug-button.ts";
import { codeNamed } from "./input-codes.ts";

/** The type of an axis, whose events are steps. */
export const axisType = 2;

/** The folder of the files of input devices. A device that is plugged in again has a new file. */
export const inputFolder = "/dev/input";

/** The options that name an input. */
interface InputOptions {
  readonly device?: string;
  readonly code: string;
  readonly from?: "evdev" | "hotplug";
}

/** An input, found by its options and not yet opened. */
interface FoundInput {
  /** Undefined for a button that hotplug events tell of. */
  readonly code: InputCode | undefined;
  readonly open: () => InputSource<number>;
}

function module(): Input {
  return isSimulated ? simulatedDevice().input : input;
}

/** Hears of the kernel's hotplug events. @throws Error with a sentence. */
export function openUevents(): InputSource<string> {
  return module().openUevents();
}

/** @throws TypeError when the options name no input. */
export function findInput({ device, code: name, from = "evdev" }: InputOptions): FoundInput {
  if (from === "hotplug") {
    return { code: undefined, open: () => hotplugButton(openUevents(), name, loop) };
  }
  if (device === undefined) throw new TypeError('An input is named by "device" and "code".');
  const found = codeNamed(name);
  if (found === undefined) throw new TypeError(`The kernel has no code "${name}"; KEY_POWER is one.`);
  const { type, code } = found;
  return { code: found, open: () => opening(inputFolder, () => module().openDevice(device, type, code, name)) };
}

/** @throws Error with a sentence when the input cannot be opened. It is closed again. */
export function checkInputDevice(options: InputOptions): void {
  findInput(options).open().close();
}
