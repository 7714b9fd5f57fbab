/** LEDs and PWM channels as nouns. No descriptor holds them over a reload, so each process leaves the next one a note. */
import * as keeper from "nound:keeper";
import { logError } from "../application/log.ts";
import { isSimulated } from "../application/platform.ts";
import type { LedState } from "../hardware/led.ts";
import { openFolder, openPwm } from "../hardware/led-and-pwm.ts";
import { describeNoun } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import type { State } from "../noun/state.ts";
import type { ExitRule, HardwareNoun } from "./hardware-noun.ts";
import { LedNoun, type LedOptions } from "./led-noun.ts";
import { PwmNoun, type PwmOptions } from "./pwm-noun.ts";

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
  const settings = JSON.stringify(options);
  const [, , kept = "[]"] = keeper.inherit(kind, ...place) ?? [];
  const [before, inherited] = JSON.parse(kept) as [unknown?, State?];
  const noun = make(JSON.stringify(before) === settings && inherited !== undefined ? { inherited } : {});
  keeper.keep(kind, ...place, `[${settings},${JSON.stringify(noun.defaultState)}]`);
  return noun;
}

/** Sets the hardware of one kind that an earlier process had, and this one has not, as its `exit` says. */
function releaseKind(kind: Place["kind"], open: (...place: Place["place"]) => HardwareNounMaker): void {
  for (let kept = keeper.inherit(kind); kept !== undefined; kept = keeper.inherit(kind)) {
    const [device, channel, settings] = kept;
    const [[, exit], inherited] = JSON.parse(settings) as [Place["options"], State];
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
