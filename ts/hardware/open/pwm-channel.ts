/** An exported channel of a PWM chip in sysfs (Documentation/driver-api/pwm.rst). */
import type { AttributeFolder } from "../../native/sysfs.ts";
import type { Nanoseconds } from "../../native/units.ts";
import { attributeNumber } from "./kernel-file.ts";

/**
 * The signal of a channel.
 *
 * @example
 * const signal: PwmSignal = { period: 20_000_000, duty: 1_500_000, enabled: true };
 * openPwm("pwmchip0", 0).write(signal);
 */
export interface PwmSignal {
  /** ns of a whole period; 0 if none was ever set. */
  readonly period: Nanoseconds;
  /** ns of a period in which the signal is active, at most the period. */
  readonly duty: Nanoseconds;
  /** Whether the channel outputs the signal. */
  readonly enabled: boolean;
}

/** @throws Error when the chip has no such channel. */
export function checkPwmChannel(chip: AttributeFolder, channel: number): void {
  const count = attributeNumber(chip, "npwm");
  if (channel >= count) throw new Error(`there is no channel ${channel}: ${chip.path} has ${count}, counted from 0`);
}

/**
 * @param chip the chip's folder.
 * @param channel its number on the chip, from 0.
 * @returns the channel's folder. The channel is exported if necessary.
 * @throws Error when the chip has no such channel or the kernel refuses.
 */
export function openPwmChannel(chip: AttributeFolder, channel: number): AttributeFolder {
  checkPwmChannel(chip, channel);
  let refusal: unknown;
  try {
    chip.write("export", String(channel));
  } catch (error) {
    // Most likely the channel is already exported; the kernel then reports "busy".
    refusal = error;
  }
  try {
    return chip.open(`pwm${channel}`);
  } catch (error) {
    throw refusal ?? error;
  }
}

/**
 * A channel of a PWM chip.
 *
 * @example
 * const servo: PwmChannel = openPwm("pwmchip0", 0);
 * servo.write({ ...servo.read(), enabled: false });
 */
export class PwmChannel {
  private readonly folder: AttributeFolder;

  /** @internal */
  constructor(folder: AttributeFolder) {
    this.folder = folder;
  }

  /** For people. */
  get path(): string {
    return this.folder.path;
  }

  /** Whether the chip has gone, such as with a USB device. A channel stays gone: open it again when the chip is back. */
  get isGone(): boolean {
    return !this.folder.has("period");
  }

  /** @throws Error when the kernel refuses. */
  read(): PwmSignal {
    return {
      period: attributeNumber(this.folder, "period"),
      duty: attributeNumber(this.folder, "duty_cycle"),
      enabled: attributeNumber(this.folder, "enable") !== 0,
    };
  }

  /**
   * Sets the polarity that an earlier program may have left. The kernel changes only that of a disabled channel.
   * @param inverted whether the signal is inverted: active at the low voltage.
   * @throws Error when the kernel refuses, or the chip cannot invert.
   * @internal
   */
  setPolarity(inverted: boolean): void {
    const { folder } = this;
    if (!folder.has("polarity")) {
      if (inverted) throw new Error(`${folder.path} has no polarity: this chip cannot invert its signal`);
      return;
    }
    const wanted = inverted ? "inversed" : "normal";
    if (folder.read("polarity").trimEnd() === wanted) return;
    if (attributeNumber(folder, "enable") !== 0) folder.write("enable", "0");
    folder.write("polarity", wanted);
  }

  /** @throws Error when the kernel refuses; the parts it has accepted are undone as far as possible. */
  write(signal: PwmSignal): void {
    const before = this.read();
    try {
      this.change(before, signal);
    } catch (error) {
      this.tryWrite(before);
      throw error;
    }
  }

  /** The order matters: each attribute takes effect at once, and the kernel refuses a duty beyond the period. */
  private change(from: PwmSignal, to: PwmSignal): void {
    if (from.enabled && !to.enabled) this.folder.write("enable", "0");
    if (to.period > from.period) this.folder.write("period", String(to.period));
    if (to.duty !== from.duty) this.folder.write("duty_cycle", String(to.duty));
    if (to.period < from.period) this.folder.write("period", String(to.period));
    if (!from.enabled && to.enabled) this.folder.write("enable", "1");
  }

  private tryWrite(signal: PwmSignal): void {
    try {
      this.change(this.read(), signal);
    } catch {
      // The first failure is the one to report.
    }
  }
}
