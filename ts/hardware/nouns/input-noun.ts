/** A noun for a key, a switch or an axis of the kernel's input layer. */

import { HttpError } from "../../core/http/http-error.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import { byItself } from "../../core/noun/noun-traits.ts";
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { InputCode, InputSource } from "../../native/input.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logError, logFailure } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { isSimulated, simulatedDevice, system } from "../../platform/platform.ts";
import { addReach } from "../../platform/reach.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { sentenceOf } from "../../platform/start-error.ts";
import { axisType, findInput, inputFolder } from "../open/inputs.ts";
import { simulatedSource } from "../open/simulated-source.ts";
import { CountingInput, type InputContext } from "./counting-input.ts";
import type { Keeping } from "./keeping.ts";
import { keepTotal, type MeterOptions } from "./meter.ts";
import { checkPressTimes, Presses, pressShape } from "./presses.ts";

/**
 * The options of `inputNoun`.
 *
 * @example
 * const options: InputNounOptions = { device: "gpio-keys", code: "KEY_POWER", presses: true };
 * server.register("power", inputNoun(options));
 */
export interface InputNounOptions extends MeterOptions, NounDescription {
  /** The input device: its name, as in `/proc/bus/input/devices`, or the path of its file. Not with `from: "hotplug"`. */
  readonly device?: string;
  /** The kernel's name: `KEY_POWER`, `BTN_0`, `SW_LID`, `REL_WHEEL`; with `from: "hotplug"` the button's: `wps`. */
  readonly code: string;
  /** Where events come from: an input device, or OpenWrt's hotplug events of buttons; `evdev` if left out. */
  readonly from?: "evdev" | "hotplug";
  /** The key of the value; `pressed` if left out, or `position` for an axis. */
  readonly key?: string;
  /** Whether presses are counted; false if left out. Not for an axis. */
  readonly presses?: boolean;
  /** ms that a long press lasts at least; 500 if left out. */
  readonly longPress?: Milliseconds;
  /**
   * ms after a release within which the second press of a double press begins. A short press counts that much later. If
   * left out, 0: there are no double presses.
   */
  readonly doublePress?: Milliseconds;
  /** On simulated hardware, the noun `simulated.` plus this text moves the input. If left out: the code. */
  readonly simulatedAs?: string;
  /** Where the total is kept; needed with `total`. */
  readonly store?: Store;
}

/** ms until an absent device is looked for again. */
const retryTime = 1_000;

/** Where an input comes from. */
export interface InputPlace extends InputContext {
  /** @throws Error with a sentence while the device is absent. */
  readonly open: () => InputSource<number>;
  /** Receives the reason why the device is absent, once. */
  readonly report: (error: unknown) => void;
}

export type InputBehaviour = Pick<InputNounOptions, "doublePress" | "longPress" | "presses" | "rate" | "total"> & {
  readonly key: string;
  readonly isAxis: boolean;
};

function valueKey(isAxis: boolean): Key {
  if (!isAxis) return { type: "choice", values: [0, 1], readOnly: true };
  return { type: "integer", description: "Steps since the last reset; one direction counts down.", readOnly: true };
}

/**
 * GET reads the key, or the position of an axis, and fails while the device is unplugged. With `presses` it also tells
 * how many short, long and double presses there were. DELETE resets these, or the position. With `total` each press
 * adds to a total; PUT and POST set it, and DELETE leaves it. Without it, PUT and POST are refused.
 */
export class InputNoun extends CountingInput {
  readonly shape: Shape;
  readonly [byItself] = "device";
  private readonly place: InputPlace;
  private readonly key: string;
  private readonly isAxis: boolean;
  private readonly steady: SteadyState;
  private readonly presses: Presses | undefined;
  private source: InputSource<number> | undefined;
  private position = 0;
  /** Looks for a device that is not there. */
  private readonly alarm: Alarm;
  private reported = "";

  constructor(place: InputPlace, options: InputBehaviour) {
    super(place, options, 1);
    const { key, isAxis, presses = false, longPress = 500, doublePress = 0 } = options;
    this.place = place;
    this.alarm = new Alarm(place.clock, () => this.connect());
    this.key = key;
    this.isAxis = isAxis;
    this.shape = { [key]: valueKey(isAxis), ...this.meter?.shape, ...(presses && pressShape({ doublePress })) };
    this.steady = new SteadyState(Object.keys(this.shape));
    if (presses) this.presses = new Presses(place.clock, { longPress, doublePress }, 0, () => this.listeners.tell());
    this.connect();
  }

  /** @throws HttpError while the device is unplugged. */
  getState(): State {
    if (this.source === undefined) throw HttpError.keeping(500, "The device of this input is unplugged.");
    const value = this.isAxis ? this.position : this.source.level;
    return this.steady.of({ [this.key]: value, ...this.meter?.values, ...this.presses?.counts });
  }

  /** @throws StateError without a total; HttpError while the device is unplugged. */
  override setState(state: State = {}): Awaitable<State> {
    if (this.settable && this.source === undefined) {
      throw HttpError.keeping(503, "The device of this input is unplugged.");
    }
    return super.setState(state);
  }

  /** @throws as `getState`. */
  deleteState(): State {
    this.position = 0;
    this.presses?.reset();
    this.listeners.tell();
    return this.getState();
  }

  watch(changed: () => void): () => void {
    const end = this.listeners.add(changed);
    this.meter?.follow(true);
    return () => {
      end();
      this.meter?.follow(!this.listeners.isEmpty);
    };
  }

  [leave](): State {
    return { position: this.position, ...this.meter?.leave(), ...this.presses?.counts };
  }

  [takeOver]({ position, ...counts }: State): void {
    if (Number.isSafeInteger(position)) this.position = Number(position);
    this.presses?.takeOver(counts);
    this.meter?.takeOver(counts);
  }

  close(): void {
    this.meter?.close();
    this.alarm.stop();
    this.presses?.close();
    this.source?.close();
    this.source = undefined;
  }

  /** Opens the device, or looks for it again later. */
  private connect(): void {
    try {
      const source = this.place.open();
      source.onEvent = (value, timestamp) => this.take(value, timestamp);
      this.source = source;
      this.reported = "";
      this.presses?.restart(source.level === 1 ? 1 : 0);
      this.listeners.tell();
    } catch (error) {
      if (String(error) !== this.reported) this.place.report(error);
      this.reported = String(error);
      this.connectLater();
    }
  }

  private connectLater(): void {
    this.alarm.set(this.place.clock.now() + retryTime);
  }

  private take(value: number | null, timestamp: number): void {
    if (value === null) {
      this.source = undefined;
      this.presses?.restart(0);
      this.connectLater();
    } else if (this.isAxis) this.position += value;
    else {
      this.presses?.edge(value === 1 ? 1 : 0, timestamp / 1_000);
      if (value === 1) this.meter?.pulse(timestamp / 1_000);
    }
    this.listeners.tell();
  }
}

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
  addSource(source, simulatedSource({ key, maximum: 1, read: () => level, write }));
}

/** Makes the noun that presses a simulated key, or turns a simulated axis to a position. */
function simulateCode(device: string, { type, code }: InputCode, key: string, source: string): void {
  const moved = simulatedDevice().input.device(device);
  let position = 0;
  const maximum = type === axisType ? largestPosition : 1;
  const read = () => (type === axisType ? position : moved.level(type, code));
  const write = (value: number) => {
    moved.send(type, code, type === axisType ? value - position : value);
    position = value;
  };
  addSource(source, simulatedSource({ key, maximum, read, write }));
}

/** Makes a noun as `inputNoun` does, with a name of its own in the store. */
export function inputNounKeptAs(keeping: Keeping, options: InputNounOptions): Noun {
  const { device = "", code: name, presses, simulatedAs: source = name, total, rate, store } = options;
  checkPressTimes(options);
  const { code, open } = findInput(options);
  const isAxis = code?.type === axisType;
  const isMetered = total !== undefined || rate !== undefined;
  if (isAxis && (presses === true || isMetered)) throw new TypeError("An axis has no presses.");
  const kept = isMetered ? keepTotal(options, store, keeping) : undefined;
  const key = options.key ?? (isAxis ? "position" : "pressed");
  if (isSimulated && code === undefined) simulateHotplug(name, key, source);
  else if (isSimulated && code !== undefined) simulateCode(device, code, key, source);
  else if (code !== undefined && system.accessOf(inputFolder) !== undefined) addReach({ writable: [inputFolder] });
  const report = (error: unknown) => logFailure(source, sentenceOf(error));
  return describeNoun(new InputNoun({ open, clock: nounClock, report, kept }, { ...options, key, isAxis }), options);
}

/**
 * A noun for a key, a switch or an axis of the kernel's input layer. It fails while the device is unplugged.
 * @throws TypeError for an unknown code, for `presses`, `total` or `rate` of an axis, and for a total without a store.
 *
 * @example
 * server.register("power", inputNoun({ device: "gpio-keys", code: "KEY_POWER" })); // {"pressed":0}
 */
export function inputNoun(options: InputNounOptions): Noun {
  const { code: name } = options;
  return inputNounKeptAs({ name, report: (error) => logError(name, error) }, options);
}
