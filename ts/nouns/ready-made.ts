/** The ready-made nouns that control hardware, for applications. Their options are those of docs/nouns.md. */

import * as keeper from "nound:keeper";
import { logError } from "../application/log.ts";
import { nounClock } from "../application/noun-clock.ts";
import { isSimulated } from "../application/platform.ts";
import type { LedState } from "../hardware/led.ts";
import { openFolder, openPwm } from "../hardware/led-and-pwm.ts";
import { lineLabel, openInputMovedBy, openOutputLeftAt } from "../hardware/lines.ts";
import { toldBySource } from "../hardware/simulated-source.ts";
import { describeNoun } from "../noun/description.ts";
import { checkDuration } from "../noun/duration.ts";
import { KeptText } from "../noun/kept-text.ts";
import type { Noun } from "../noun/noun.ts";
import type { State } from "../noun/state.ts";
import { GpioInputNoun, type GpioInputOptions } from "./gpio-input-noun.ts";
import { GpioOutputNoun, type GpioOutputOptions, keptLevel } from "./gpio-output-noun.ts";
import type { ExitRule, HardwareNoun } from "./hardware-noun.ts";
import { LedNoun, type LedOptions } from "./led-noun.ts";
import { checkPressTimes } from "./presses.ts";
import { PwmNoun, type PwmOptions } from "./pwm-noun.ts";

/** Where the level of an output is kept, and who is told that it could not be. */
export interface LevelKeeping {
  /** The noun's name in the store. */
  readonly name: string;
  report(error: unknown): void;
}

/** Makes a noun of hardware that is not touched. */
type HardwareNounMaker = (options: { readonly exit: ExitRule; readonly inherited: State }) => HardwareNoun;

/** Hardware without a descriptor to hold: its kind, its place, and the options that decide what it does. */
interface Place {
  readonly kind: "led" | "pwm";
  readonly place: readonly [device: string, channel: number];
  readonly options: readonly [
    initial: State | LedState | undefined,
    exit: ExitRule | undefined,
    period: number | undefined,
  ];
}

/**
 * Makes a noun of hardware that an earlier process may have had. If its options are the same, it is not touched.
 * @param make gets the default state that it had in that process.
 */
function hold<N extends { readonly defaultState: State }>(
  { kind, place, options }: Place,
  make: (inherited: { readonly inherited?: State }) => N,
): N {
  if (isSimulated) return make({});
  const beginning = `${kind} ${JSON.stringify(place).slice(0, -1)},`;
  const settings = JSON.stringify(options);
  const [before, inherited] = JSON.parse(`[${keeper.inherit(beginning) ?? "]"}`) as [unknown?, State?];
  const noun = make(JSON.stringify(before) === settings && inherited !== undefined ? { inherited } : {});
  keeper.keep(`${beginning}${settings},${JSON.stringify(noun.defaultState)}]`);
  return noun;
}

/** Sets the hardware of one kind that an earlier process had, and this one has not, as its `exit` says. */
function releaseKind(kind: Place["kind"], open: (...place: Place["place"]) => HardwareNounMaker): void {
  for (let rest = keeper.inherit(`${kind} `); rest !== undefined; rest = keeper.inherit(`${kind} `)) {
    const [device, channel, [, exit], inherited] = JSON.parse(rest) as [string, number, Place["options"], State];
    try {
      open(device, channel)({ exit: exit ?? "default", inherited }).close();
    } catch (error) {
      logError(device, error, "it was not set as its exit says: ");
    }
  }
}

/**
 * Sets each LED and each channel that an earlier process had, and that no noun has any more, as its `exit` says. To be
 * called once all nouns are made, and before `restrict`.
 */
export function releaseInherited(): void {
  releaseKind("led", (device) => (options) => new LedNoun(openFolder("leds", device), options));
  releaseKind("pwm", (chip, channel) => (options) => new PwmNoun(openPwm(chip, channel), options));
}

function keepLevel({ pulse, store, interval = 1_000 }: GpioOutputOptions, keeping: LevelKeeping): KeptText {
  if (store === undefined) throw new TypeError('"boot": "restore" needs a store: openStore("/var/lib/my-device").');
  if (pulse !== undefined) throw new TypeError('"boot": "restore" would repeat a pulse after each restart.');
  const onError = (error: unknown) => keeping.report(error);
  return new KeptText({ store, clock: nounClock }, { name: `output-${keeping.name}`, interval, onError });
}

/** Makes a noun as `gpioOutputNoun` does, with a name of its own in the store. */
export function gpioOutputNounKeptAs(keeping: LevelKeeping, options: GpioOutputOptions): Noun {
  const { default: initial = 0, boot = "default", exit = boot === "default" ? "default" : "as-is" } = options;
  for (const name of ["pulse", "lease", "interval"] as const) checkDuration(name, options[name], 1);
  const kept = boot === "restore" ? keepLevel(options, keeping) : undefined;
  const line = openOutputLeftAt(
    { ...options, value: keptLevel(kept) ?? initial, keepValue: boot === "as-is" },
    { ...(boot === "restore" && { restored: true }), ...(exit === "default" && { exit: initial }) },
  );
  const noun = new GpioOutputNoun({ line, clock: nounClock, ...(kept && { kept }) }, { ...options, exit });
  return describeNoun(noun, options);
}

/**
 * A noun for an output line. PUT sets the level, and so does a POST that names the key. A POST with `{}` toggles it.
 * @throws as `openOutput`; TypeError for `boot: "restore"` without a store, or with a pulse.
 *
 * @example
 * server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump", lease: 30_000 }));
 */
export function gpioOutputNoun(options: GpioOutputOptions): Noun {
  const { key } = options;
  return gpioOutputNounKeptAs({ name: key, report: (error) => logError(key, error) }, options);
}

/**
 * A noun for an input line. It counts edges if they are reported, and presses.
 * @throws as `openInput`; TypeError for `presses` with edges in one direction.
 *
 * @example
 * server.register("button", gpioInputNoun({ line: "GPIO27", key: "button", edges: "both", debounce: 5_000 }));
 */
export function gpioInputNoun(options: GpioInputOptions): Noun {
  const { edges, presses } = options;
  checkPressTimes(options);
  if (presses === true && (edges === "rising" || edges === "falling")) {
    throw new TypeError('"presses" needs edges in both directions: give "edges": "both", or none.');
  }
  const line = openInputMovedBy(options.key, presses === true ? { ...options, edges: "both" } : options);
  const noun = describeNoun(
    new GpioInputNoun({ line, clock: nounClock, isTakenOver: keeper.hasHistory() }, options),
    options,
  );
  return isSimulated ? toldBySource(noun, options.simulatedAs ?? lineLabel(options)) : noun;
}

/**
 * A noun for a LED of the kernel's LED class.
 * @throws as `openLed`; StateError when the LED cannot have the default.
 *
 * @example
 * server.register("status", ledNoun({ device: "green:status" }));
 */
export function ledNoun(options: LedOptions): Noun {
  const { device, default: initial, exit } = options;
  const place: Place = { kind: "led", place: [device, 0], options: [initial, exit, undefined] };
  const make = (inherited: object) => new LedNoun(openFolder("leds", device), { ...options, ...inherited });
  return describeNoun(hold(place, make), options);
}

/**
 * A noun for a PWM channel: in ns, or in percent of a fixed period.
 * @throws as `openPwm`; StateError for an impossible default.
 *
 * @example
 * server.register("fan", pwmNoun({ chip: "pwmchip0", channel: 0, period: 40_000 })); // {"percent":0,"enabled":false}
 */
export function pwmNoun(options: PwmOptions): Noun {
  const { chip, channel, default: initial, period, exit } = options;
  const place: Place = { kind: "pwm", place: [chip, channel], options: [initial, exit, period] };
  const make = (inherited: object) => new PwmNoun(openPwm(chip, channel), { ...options, ...inherited });
  return describeNoun(hold(place, make), options);
}
