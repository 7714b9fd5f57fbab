/**
 * The simulated twin of `nound:sysfs`: LEDs and PWM chips that follow the kernel's rules. Every requested device
 * exists, and PWM chips have eight channels.
 *
 *     const sysfs = new SimulatedSysfs();
 *     sysfs.openDevice("leds", "green").write("brightness", "255");
 */
import type { AttributeFolder, DeviceClass, Sysfs } from "../sysfs.ts";

/** What a kind of folder does with what is written to it. @returns false to refuse it, as the kernel does by EINVAL. */
type WriteRule = (folder: SimulatedFolder, attribute: string, text: string) => boolean;

/** A folder of attributes. A test can read and change them without the program. */
export class SimulatedFolder implements AttributeFolder {
  readonly path: string;
  readonly attributes: Map<string, string>;
  readonly folders = new Map<string, SimulatedFolder>();
  /** Attributes that can neither be read nor written. */
  readonly broken = new Set<string>();
  private readonly rule: WriteRule;

  constructor(path: string, attributes: { readonly [name: string]: string }, rule: WriteRule) {
    this.path = path;
    this.attributes = new Map(Object.entries(attributes));
    this.rule = rule;
  }

  has(attribute: string): boolean {
    return this.attributes.has(attribute);
  }

  read(attribute: string): string {
    const text = this.broken.has(attribute) ? undefined : this.attributes.get(attribute);
    if (text === undefined) throw new Error(`cannot read ${this.path}/${attribute}`);
    return text;
  }

  write(attribute: string, text: string): void {
    if (this.broken.has(attribute) || !this.attributes.has(attribute) || !this.rule(this, attribute, text)) {
      throw new Error(`cannot write ${text} to ${this.path}/${attribute}`);
    }
  }

  open(folder: string): SimulatedFolder {
    const found = this.folders.get(folder);
    if (found === undefined) throw new Error(`there is no ${this.path}/${folder}`);
    return found;
  }

  number(attribute: string): number {
    return Number(this.attributes.get(attribute));
  }
}

/** The whole number from 0 in a text; NaN for any other text. */
function wholeNumber(text: string): number {
  return /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
}

const triggers = ["none", "timer", "heartbeat", "default-on"];

function selectTrigger(led: SimulatedFolder, selected: string): void {
  if (!led.attributes.has("trigger")) return;
  led.attributes.set("trigger", triggers.map((name) => (name === selected ? `[${name}]` : name)).join(" "));
}

const writeLed: WriteRule = (led, attribute, text) => {
  if (attribute === "brightness") {
    const value = wholeNumber(text);
    if (Number.isNaN(value)) return false;
    if (value === 0) selectTrigger(led, "none");
    led.attributes.set(attribute, String(Math.min(value, led.number("max_brightness"))));
    return true;
  }
  if (attribute !== "trigger" || !triggers.includes(text)) return false;
  selectTrigger(led, text);
  if (text === "none") led.attributes.set("brightness", "0");
  return true;
};

const writePwmChannel: WriteRule = (channel, attribute, text) => {
  if (attribute === "polarity") {
    const isTaken = channel.number("enable") === 0 && ["normal", "inversed"].includes(text);
    if (isTaken) channel.attributes.set(attribute, text);
    return isTaken;
  }
  const value = wholeNumber(text);
  const period = attribute === "period" ? value : channel.number("period");
  const duty = attribute === "duty_cycle" ? value : channel.number("duty_cycle");
  const isRight = attribute === "enable" ? value === 0 || (value === 1 && period > 0) : period > 0 && duty <= period;
  if (isRight) channel.attributes.set(attribute, text);
  return isRight;
};

const writePwmChip: WriteRule = (chip, _attribute, text) => {
  const folder = `pwm${text}`;
  if (!(wholeNumber(text) < chip.number("npwm")) || chip.folders.has(folder)) return false;
  const initial = { period: "0", duty_cycle: "0", enable: "0", polarity: "normal" };
  chip.folders.set(folder, new SimulatedFolder(`${chip.path}/${folder}`, initial, writePwmChannel));
  return true;
};

function newDevice(deviceClass: DeviceClass, device: string): SimulatedFolder {
  switch (deviceClass) {
    case "leds": {
      const attributes = { brightness: "0", max_brightness: "255", trigger: "[none] timer heartbeat default-on" };
      return new SimulatedFolder(`/sys/class/leds/${device}`, attributes, writeLed);
    }
    case "pwm":
      return new SimulatedFolder(`/sys/class/pwm/${device}`, { npwm: "8", export: "" }, writePwmChip);
  }
}

export class SimulatedSysfs implements Sysfs {
  private readonly devices = new Map<string, SimulatedFolder>();
  private readonly unplugged = new Set<string>();

  /** @returns the device's folder, the same for each call with the same names. */
  openDevice(deviceClass: DeviceClass, device: string): SimulatedFolder {
    const key = `${deviceClass} ${device}`;
    if (this.unplugged.has(key)) throw new Error(`there is no ${device} in /sys/class/${deviceClass}`);
    const folder = this.devices.get(key) ?? newDevice(deviceClass, device);
    this.devices.set(key, folder);
    return folder;
  }

  /** Pulls the plug of a device. Its folder and those in it stay empty for ever. */
  unplug(deviceClass: DeviceClass, device: string): void {
    const key = `${deviceClass} ${device}`;
    const folder = this.devices.get(key);
    this.unplugged.add(key);
    this.devices.delete(key);
    for (const gone of folder === undefined ? [] : [folder, ...folder.folders.values()]) gone.attributes.clear();
  }

  /** Plugs it in again: it has a new folder. */
  plug(deviceClass: DeviceClass, device: string): void {
    this.unplugged.delete(`${deviceClass} ${device}`);
  }
}
