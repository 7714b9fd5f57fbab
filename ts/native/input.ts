/**
 * The types of the C module `nound:input`: keys, switches and axes of the kernel's input layer, `/dev/input/event*`
 * (Documentation/input/event-codes.rst), and the kernel's hotplug events.
 */
import type { Microseconds } from "./units.ts";

/** What is read until it is closed. */
export interface InputSource<Event> {
  /** The value of a key or a switch by the last event, 0 or 1; 0 for an axis and for hotplug events. */
  readonly level: number;
  /**
   * Called for each event: with its value and its time on the kernel's monotonic clock. The last call has null: the
   * device is gone, and the source is closed.
   */
  onEvent: ((event: Event | null, timestamp: Microseconds) => void) | null;
  /** Calling it again has no effect. */
  close(): void;
}

/** A code of the kernel's input layer. */
export interface InputCode {
  /** EV_KEY is 1, EV_REL is 2, EV_SW is 5. */
  readonly type: number;
  readonly code: number;
}

export interface Input {
  /** Bits of a word in the kernel's texts about input devices. */
  readonly wordBits: number;
  /**
   * Opens a device to read one of its codes: a key gives 0 and 1, an axis gives its steps.
   * @param device its name, such as `gpio-keys`, or its path. If several devices have the name, the first one that has
   *   the code.
   * @param type as in `InputCode`; 0 for all codes: each press, step or switch then gives type * 65536 + code.
   * @param name the code's name for people: `KEY_POWER`.
   * @throws Error with a sentence: there is no such device (with the names there are), it does not have the code, this
   *   user may not open it.
   */
  openDevice(device: string, type: number, code: number, name: string): InputSource<number>;
  /**
   * Hears of the kernel's hotplug events. Each is a text of assignments with a NUL after each, one character a byte.
   * @throws Error with a sentence.
   */
  openUevents(): InputSource<string>;
}
