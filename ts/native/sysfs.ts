/**
 * The types of the C module `nound:sysfs`: the few sysfs attributes that LED class and PWM devices have. Directories
 * are fixed, device names come from the configuration, attribute names from the program; no path is ever built from a
 * request.
 */

/** The device classes there are: `/sys/class/leds` and `/sys/class/pwm`. */
export type DeviceClass = "leds" | "pwm";

/** A device's folder of attributes. */
export interface AttributeFolder {
  /** For people: `/sys/class/leds/green`. */
  readonly path: string;
  /** @returns whether the device has this attribute. */
  has(attribute: string): boolean;
  /** @returns the attribute's text without its line end. @throws Error with a sentence. */
  read(attribute: string): string;
  /** @throws Error with a sentence: what was written where, and what the kernel said. */
  write(attribute: string, text: string): void;
  /**
   * Opens a folder within this one, such as `pwm0` of a PWM chip.
   * @throws Error with a sentence when it does not appear within a short time (udev may still be changing its
   * permissions).
   */
  open(folder: string): AttributeFolder;
}

export interface Sysfs {
  /**
   * @param device the device's folder name (`green:status`, `pwmchip0`); letters, digits and `: . _ - @ ,`.
   * @throws Error with a sentence, naming the devices there are.
   */
  openDevice(deviceClass: DeviceClass, device: string): AttributeFolder;
}
