/** A LED of the kernel's LED class (Documentation/leds/leds-class.rst). */
import type { AttributeFolder } from "../../native/sysfs.ts";
import { attributeNumber } from "./kernel-file.ts";

/**
 * The state of a LED.
 *
 * @example
 * const blinking: LedState = { brightness: 255, trigger: "timer" };
 * openLed("green:status").write(blinking);
 */
export interface LedState {
  /** 0 to the LED's own maximum. */
  readonly brightness: number;
  /** One of the kernel's triggers; "none" if left out. Absent if the kernel has no triggers. */
  readonly trigger?: string;
}

/**
 * A LED. With a trigger, the kernel makes it blink by itself.
 *
 * @example
 * const led = openLed("green:status");
 * led.write({ brightness: led.maximum });
 * led.write({ brightness: led.maximum, trigger: "heartbeat" });
 */
export class Led {
  /** The largest brightness; 1 for a LED that is on or off. */
  readonly maximum: number;
  /** Whether the kernel has triggers for it. */
  readonly hasTrigger: boolean;
  private readonly folder: AttributeFolder;

  /**
   * @throws Error when the LED cannot be read.
   * @internal
   */
  constructor(folder: AttributeFolder) {
    this.folder = folder;
    this.maximum = attributeNumber(folder, "max_brightness");
    this.hasTrigger = folder.has("trigger");
  }

  /** Whether the LED has gone, such as with a USB device. An open LED stays gone: open it again when it is back. */
  get isGone(): boolean {
    return !this.folder.has("brightness");
  }

  /** All triggers, "none" included. */
  get triggers(): readonly string[] {
    if (!this.hasTrigger) return [];
    const names = this.folder.read("trigger").split(" ");
    return names.map((name) => name.replace(/^\[(.*)\]$/, "$1")).filter((name) => name !== "");
  }

  /**
   * @returns the state. While a trigger other than "none" is active, the brightness is that of the moment. @throws
   * Error when the kernel refuses.
   */
  read(): LedState {
    const brightness = attributeNumber(this.folder, "brightness");
    if (!this.hasTrigger) return { brightness };
    return { brightness, trigger: this.activeTrigger() };
  }

  /** @throws Error when the kernel refuses. A part of the state may be set then. */
  write({ brightness, trigger = "none" }: LedState): void {
    const writeTrigger = () => this.hasTrigger && this.folder.write("trigger", trigger);
    // Ending a trigger makes the LED dark, brightness 0 ends the trigger, and a trigger blinks with the brightness it
    // finds.
    if (trigger === "none") writeTrigger();
    this.folder.write("brightness", String(brightness));
    if (trigger !== "none") writeTrigger();
  }

  /** The kernel lists all triggers, often dozens, with the active one in brackets: `none [heartbeat] timer`. */
  private activeTrigger(): string {
    const list = this.folder.read("trigger");
    const begin = list.indexOf("[");
    return begin < 0 ? "none" : list.slice(begin + 1, list.indexOf("]", begin));
  }
}
