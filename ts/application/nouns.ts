/** The ready-made nouns that move hardware, as an application makes them: the options are those of docs/nouns.md. */
import { describeNoun, type NounDescription } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import { GpioInputNoun, type GpioInputOptions } from "../nouns/gpio-input-noun.ts";
import { GpioOutputNoun, type GpioOutputOptions } from "../nouns/gpio-output-noun.ts";
import { LedNoun, type LedOptions } from "../nouns/led-noun.ts";
import { PwmNoun, type PwmOptions } from "../nouns/pwm-noun.ts";
import { openPwm } from "./devices.ts";
import { type InputOptions, lineLabel, type OutputOptions, openInputMovedBy, openOutput } from "./lines.ts";
import { hardware, loop, simulated } from "./platform.ts";
import { toldBySource } from "./simulated-sources.ts";

/**
 * What `gpioOutputNoun` makes a noun from.
 *
 * @example
 * const options: GpioOutputNounOptions = { chip: "gpiochip0", offset: 17, key: "valve", pulse: 500 };
 * server.register("valve", gpioOutputNoun(options));
 */
export interface GpioOutputNounOptions extends Omit<OutputOptions, "value">, GpioOutputOptions, NounDescription {}

/**
 * What `gpioInputNoun` makes a noun from.
 *
 * @example
 * const options: GpioInputNounOptions = { line: "GPIO27", key: "door", bias: "pull-up", edges: "both" };
 * server.register("door", gpioInputNoun(options));
 */
export interface GpioInputNounOptions extends InputOptions, GpioInputOptions, NounDescription {}

/**
 * What `ledNoun` makes a noun from.
 *
 * @example
 * const options: LedNounOptions = { device: "green:status", default: { brightness: 0, trigger: "heartbeat" } };
 * server.register("status", ledNoun(options));
 */
export interface LedNounOptions extends LedOptions, NounDescription {
  /** The LED's folder in `/sys/class/leds`. */
  readonly device: string;
}

/**
 * What `pwmNoun` makes a noun from.
 *
 * @example
 * const options: PwmNounOptions = { chip: "pwmchip0", channel: 0, period: 40_000 };
 * server.register("fan", pwmNoun(options));
 */
export interface PwmNounOptions extends PwmOptions, NounDescription {
  /** The chip's folder in `/sys/class/pwm`. */
  readonly chip: string;
  /** The channel's number on the chip, from 0. */
  readonly channel: number;
}

/**
 * A noun for a GPIO line that is set: PUT says the level, POST toggles it.
 * @throws as `openOutput`.
 *
 * @example
 * server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump", lease: 30_000 }));
 */
export function gpioOutputNoun(options: GpioOutputNounOptions): Noun {
  const { key, default: initial = 0, pulse, lease, exit } = options;
  const line = openOutput({ ...options, value: initial });
  const noun = new GpioOutputNoun(
    { line, clock: loop },
    {
      key,
      default: initial,
      ...(pulse !== undefined && { pulse }),
      ...(lease !== undefined && { lease }),
      ...(exit !== undefined && { exit }),
    },
  );
  return describeNoun(noun, options);
}

/**
 * A noun for a GPIO line that is read. Where edges are reported, it counts them.
 * @throws as `openInput`.
 *
 * @example
 * server.register("button", gpioInputNoun({ line: "GPIO27", key: "button", edges: "both", debounce: 5_000 }));
 */
export function gpioInputNoun(options: GpioInputNounOptions): Noun {
  const line = openInputMovedBy(options.key, options);
  const noun = describeNoun(new GpioInputNoun({ line, clock: loop }, options), options);
  return simulated === undefined ? noun : toldBySource(noun, options.simulatedAs ?? lineLabel(options));
}

/**
 * A noun for a LED of the kernel's LED class.
 * @throws as `openLed`; StateError when the LED cannot have the default.
 *
 * @example
 * server.register("status", ledNoun({ device: "green:status" }));
 */
export function ledNoun(options: LedNounOptions): Noun {
  return describeNoun(new LedNoun(hardware.sysfs.openDevice("leds", options.device), options), options);
}

/**
 * A noun for a PWM channel: in ns, or in percent of a fixed period.
 * @throws as `openPwm`; StateError for a default that cannot be.
 *
 * @example
 * server.register("fan", pwmNoun({ chip: "pwmchip0", channel: 0, period: 40_000 })); // {"percent":0,"enabled":false}
 */
export function pwmNoun(options: PwmNounOptions): Noun {
  return describeNoun(new PwmNoun(openPwm(options.chip, options.channel), options), options);
}
