/** Nouns of the kernel's input layer, for applications. */
import { logFailure } from "../application/log.ts";
import { nounClock } from "../application/noun-clock.ts";
import { isSimulated, simulatedDevice, system } from "../application/platform.ts";
import { addReach } from "../application/reach.ts";
import { sentenceOf } from "../application/start-error.ts";
import { axisType, findInput, inputFolder } from "../hardware/inputs.ts";
import { addNumberSource, toldBySource } from "../hardware/simulated-source.ts";
import type { InputCode } from "../native/input.ts";
import { describeNoun } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import { InputNoun, type InputNounOptions } from "./input-noun.ts";
import { checkPressTimes } from "./presses.ts";

/** The largest position that a simulated axis is set to. */
const largestPosition = 65_535;

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
  checkPressTimes(options);
  const { code, open } = findInput(options);
  const isAxis = code?.type === axisType;
  if (isAxis && presses === true) throw new TypeError("An axis has no presses.");
  const key = options.key ?? (isAxis ? "position" : "pressed");
  if (isSimulated && code === undefined) simulateHotplug(name, key, source);
  else if (isSimulated && code !== undefined) simulateCode(device, code, key, source);
  else if (code !== undefined && system.accessOf(inputFolder) !== undefined) addReach({ writable: [inputFolder] });
  const report = (error: unknown) => logFailure(source, sentenceOf(error));
  const noun = describeNoun(new InputNoun({ open, clock: nounClock, report }, { ...options, key, isAxis }), options);
  return isSimulated ? toldBySource(noun, source) : noun;
}
