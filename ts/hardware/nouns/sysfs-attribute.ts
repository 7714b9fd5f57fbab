/**
 * Any attribute below `/sys`: a number, with a scale and an offset, one of a few words, or a text. It may be writable,
 * as the brightness of a backlight is.
 */

import { HttpError } from "../../core/http/http-error.ts";
import { describeNoun } from "../../core/noun/description.ts";
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import { leftByDelete } from "../../core/noun/noun-traits.ts";
import type { Key } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { Files } from "../../native/files.ts";
import { hardware, isSimulated, system } from "../../platform/platform.ts";
import { addReach } from "../../platform/reach.ts";
import { isRefusal } from "../../platform/start-error.ts";
import { chipFiles } from "../open/adc-channel.ts";
import { filesOfOutput, readText } from "../open/kernel-file.ts";
import { rounded } from "../open/sensor-channels.ts";
import { findSensor, foldersOf, type SensorDevice } from "../open/sensor-device.ts";
import {
  type MeasuringOptions,
  prepare,
  type ReadingOptions,
  reportAs,
  type Sensor,
  SensorNoun,
  sensorOf,
} from "./sensor.ts";

/**
 * Which attribute is read and perhaps written, and how.
 *
 * @example
 * const options: SysfsOptions = {
 *   path: "/sys/class/backlight/panel/brightness",
 *   key: "percent",
 *   scale: 100 / 255,
 *   unit: "%",
 *   minimum: 0,
 *   maximum: 100,
 *   writable: true,
 *   default: 50,
 * };
 * server.register("backlight", sysfsNoun(options));
 */
export interface SysfsOptions extends MeasuringOptions {
  /**
   * A sensor or chip that has the attribute, as for `sensorNoun`. Then `path` is the name of the attribute, such as
   * `out_voltage0_raw`. The chip may be absent at the start; the noun fails until it appears.
   */
  readonly device?: string;
  /**
   * The path of the attribute, which begins with `/sys/`. A name that ends with `*`, such as `iio:device*` or `hwmon*`,
   * is the only one that begins so.
   */
  readonly path: string;
  /** The key of the value; `value` if left out. */
  readonly key?: string;
  /** The kernel's number is multiplied by this: the value is number × scale + offset. 1 if left out; not 0. */
  readonly scale?: number;
  /** This is added to the product. 0 if left out. */
  readonly offset?: number;
  /** The unit of the value, after `scale` and `offset`: `Cel`, `%`. */
  readonly unit?: string;
  /** The smallest value that a client may set. It also appears in the descriptions of the device. None if left out. */
  readonly minimum?: number;
  /** The largest value that a client may set. None if left out. */
  readonly maximum?: number;
  /**
   * The words that the attribute accepts, for a choice instead of a number. Some attributes list all words, with the
   * current one in brackets: `none [timer]`. Then the value is the word in brackets.
   */
  readonly values?: readonly string[];
  /** `string` if the value is any text instead of a number. */
  readonly as?: "string";
  /** True if clients may set the value. Then `default` must be given. */
  readonly writable?: boolean;
  /**
   * False for an attribute that can only be written: GET shows the value that was written last, and null before. True
   * if left out.
   */
  readonly readable?: boolean;
  /** The value that DELETE sets. */
  readonly default?: Scalar;
}

/** The kernel's way to list words: `none [heartbeat] timer`. */
function chosenWord(text: string): string {
  const [, word = text] = /(?:^| )\[([^\]]*)\](?= |$)/.exec(text) ?? [];
  return word;
}

function keyOf(options: SysfsOptions): Key {
  const { values, as, unit, minimum, maximum, writable, readable } = options;
  const common: Pick<Key, "readOnly" | "nullable"> = {
    ...(writable !== true && { readOnly: true }),
    ...(readable === false && { nullable: true }),
  };
  if (values !== undefined) return { type: "choice", values, ...common };
  if (as === "string") return { type: "string", ...common };
  return {
    type: "number",
    ...common,
    ...(unit !== undefined && { unit }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/**
 * @param path may have names that end with `*`, such as `hwmon*`: the kernel numbers these folders anew at each start.
 * @returns the path with the names that are there; on simulated hardware, what is given.
 * @throws Error with a sentence unless there is exactly one such name.
 */
export function numberedPath(path: string): string {
  const star = path.indexOf("*");
  if (isSimulated || star < 0) return path;
  const slash = path.lastIndexOf("/", star);
  const [name, ...others] = system.names(path.slice(0, slash), path.slice(slash + 1, star));
  const start = path.slice(0, star + 1);
  if (name === undefined) throw new Error(`there is no ${start}`);
  if (others.length > 0)
    throw new Error(`${start} has several names: ${[name, ...others].join(", ")}; give one of them`);
  return numberedPath(path.slice(0, slash + 1) + name + path.slice(star + 1));
}

/** @returns the path of the attribute now. @throws Error with a sentence: the chip is absent, or there are several. */
function pathNow({ device, path }: SysfsOptions, files: Files): string {
  if (device === undefined) return numberedPath(path);
  const folders = foldersOf(files);
  const hasAttribute = ({ folder }: SensorDevice) => folders.names(folder, path).includes(path);
  return `${findSensor(folders, device, hasAttribute).folder}/${path}`;
}

/** @returns the folder of /sys for the attribute, in which devices come and go. */
function topOf(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

/** @returns what must stay writable. An absent attribute will appear in a folder of devices, or at its path. */
export function sysfsReach({ device, path }: SysfsOptions, isAbsent = false): readonly string[] {
  if (device !== undefined) return ["/sys/devices"];
  const [start = ""] = path.split(/[^/]*\*/);
  return isAbsent ? ["/sys/devices", topOf(path)] : [start];
}

/** @returns the attribute as a sensor. */
export function sysfsSensor(options: SysfsOptions): Sensor {
  const { device, path, key = "value", scale = 1, offset = 0, values, as } = options;

  function decode(content: string): Scalar {
    if (as === "string") return content;
    if (values !== undefined) {
      const word = chosenWord(content);
      if (!values.includes(word)) throw new Error(`${path} has a word that is not listed: ${word}`);
      return word;
    }
    const value = Number(content);
    if (content === "" || !Number.isFinite(value)) throw new Error(`${path} holds no number`);
    return rounded(value * scale + offset);
  }

  const read = async (files: Files) => decode(await readText(files, pathNow(options, files), "sysfs"));
  const initial = options.default ?? values?.[0] ?? (as === "string" ? "" : rounded(offset));
  const sensor = sensorOf([key, keyOf(options)], initial, read, (value) => {
    const content = value === null || value === undefined ? undefined : `${textOf(options, value)}\n`;
    return device === undefined ? { [path]: content } : chipFiles(device, path, content);
  });
  return device === undefined ? { ...sensor, reach: [topOf(path)] } : sensor;
}

/** @returns the text that is written to the kernel for a value. */
export function textOf({ scale = 1, offset = 0 }: SysfsOptions, value: Scalar): string {
  return typeof value === "number" ? String(Math.round((value - offset) / scale)) : String(value);
}

/** An attribute that clients set. It fails (500) if the kernel refuses a value; an absent one gives 503. */
export class WritableAttributeNoun extends SensorNoun {
  override readonly settable = true;
  readonly [leftByDelete]: readonly string[];
  private readonly options: SysfsOptions;
  private readonly key: string;
  /** The value that was written last to an attribute that cannot be read. */
  private written: Scalar = null;

  constructor(options: SysfsOptions, files: Files, reading?: ReadingOptions) {
    super(sysfsSensor(options), filesOfOutput(files, `${options.device ?? ""} ${options.path}`), reading);
    this.options = options;
    this.key = options.key ?? "value";
    this[leftByDelete] = options.default === undefined ? [this.key] : [];
  }

  override getState(): Awaitable<State> {
    return this.options.readable === false ? { [this.key]: this.written } : super.getState();
  }

  /** @throws StateError for null; HttpError when the attribute is absent; Error when the kernel refuses. */
  override async setState(state: State): Promise<State> {
    const value = state[this.key] ?? null;
    if (value === null) throw new StateError("Null is no value of the attribute; it cannot be set.", this.key);
    try {
      const path = pathNow(this.options, this.files);
      await this.files.writeText(path, textOf(this.options, value), "/sys");
    } catch (error) {
      throw (await this.isAbsent()) ? HttpError.keeping(503, "The attribute of this noun is absent.") : error;
    }
    this.written = value;
    return await this.getState();
  }

  private async isAbsent(): Promise<boolean> {
    try {
      await this.getState();
      return false;
    } catch {
      return true;
    }
  }

  /** Sets the key that the change names; a change without it changes nothing. */
  override updateState(change: State): Awaitable<State> {
    return Object.hasOwn(change, this.key) ? this.setState(change) : this.getState();
  }

  override deleteState(): Promise<State> {
    return this.setState({ [this.key]: this.options.default ?? null });
  }
}

/** @throws Error with a sentence if an attribute is missing, or cannot be read and should be. */
export function checkAttribute({ path, readable }: SysfsOptions): void {
  const found = numberedPath(path);
  if (readable !== false) system.readTextFile(found, 4_096);
  else if (system.accessOf(found) === undefined) throw new Error(`there is no ${found}`);
}

/** @returns whether an attribute is missing. The noun fails until it appears. @throws Error if it cannot be used. */
function isMissing(options: SysfsOptions): boolean {
  try {
    checkAttribute(options);
    return false;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return true;
  }
}

/**
 * A noun for any attribute below `/sys`; with `writable`, clients set it.
 * While the attribute is absent, the noun fails.
 *
 * @example
 * const panel = "/sys/class/backlight/panel/brightness";
 * server.register("backlight", sysfsNoun({ path: panel, minimum: 0, maximum: 255, writable: true, default: 128 }));
 */
export function sysfsNoun(options: SysfsOptions): Noun {
  const { device, path, writable = false } = options;
  const { simulatedAs = device === undefined ? path.slice("/sys/".length) : `${device}.${path}` } = options;
  const isAbsent = !isSimulated && device === undefined && isMissing(options);
  prepare(sysfsSensor(options), simulatedAs);
  const reading = { report: reportAs(simulatedAs), poll: options.poll };
  if (!writable) return describeNoun(new SensorNoun(sysfsSensor(options), hardware().files, reading), options);
  if (!isSimulated) addReach({ writable: sysfsReach(options, isAbsent) });
  return describeNoun(new WritableAttributeNoun(options, hardware().files, reading), options);
}
