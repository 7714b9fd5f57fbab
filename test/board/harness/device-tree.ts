/**
 * Edits a compiled device tree with Debian's device-tree-compiler, so that a board has the names and LEDs that a test
 * wants.
 */
import { execFileSync } from "node:child_process";

/** A device tree in a file. */
export class DeviceTree {
  readonly path: string;

  /** @param path a file of this test's own: it is changed in place. */
  constructor(path: string) {
    this.path = path;
  }

  /** Sets a property to one or more texts. The node is made when it is not there; the one above it must be. */
  setText(node: string, property: string, ...texts: readonly string[]): void {
    this.#put(["-t", "s", this.path, node, property, ...texts]);
  }

  /** Sets a property to 32-bit words. */
  setWords(node: string, property: string, ...words: readonly number[]): void {
    this.#put(["-t", "x", this.path, node, property, ...words.map((word) => word.toString(16))]);
  }

  /** The number by which other nodes refer to this one. */
  phandle(node: string): number {
    return Number(execFileSync("fdtget", ["-t", "u", this.path, node, "phandle"], { encoding: "utf8" }));
  }

  /** Names the lines of a GPIO controller, from offset 0 on; an empty text names none. */
  nameLines(controller: string, names: readonly string[]): void {
    this.setText(controller, "gpio-line-names", ...names);
  }

  /** Gives a LED of the LED class to a line, which is the kernel's own from then on. */
  addLed(label: string, controller: string, offset: number): void {
    const activeHigh = 0;
    this.setText("/leds", "compatible", "gpio-leds");
    this.setText("/leds/led", "label", label);
    this.setWords("/leds/led", "gpios", this.phandle(controller), offset, activeHigh);
  }

  /** Gives a key of an input device to a line, by the kernel's driver gpio-keys. It is pressed at the high voltage. */
  addKey(device: string, key: string, controller: string, offset: number, code: number): void {
    const activeHigh = 0;
    this.setText(`/${device}`, "compatible", "gpio-keys");
    this.setWords(`/${device}/${key}`, "gpios", this.phandle(controller), offset, activeHigh);
    this.setWords(`/${device}/${key}`, "linux,code", code);
  }

  #put(args: readonly string[]): void {
    // -p makes the nodes on the way.
    execFileSync("fdtput", ["-p", ...args]);
  }
}
