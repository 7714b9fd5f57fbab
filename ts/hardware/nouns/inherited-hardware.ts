/** LEDs and PWM channels as nouns. No descriptor holds them over a reload, so each process leaves the next one a note. */
import * as keeper from "nound:keeper";
import { describeNoun } from "../../core/noun/description.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { RestorableNoun } from "../../core/noun/restorable.ts";
import type { State } from "../../core/noun/state.ts";
import type { Store } from "../../native/storage.ts";
import type { AttributeFolder } from "../../native/sysfs.ts";
import { logError, logFailure } from "../../platform/log.ts";
import { isSimulated, system } from "../../platform/platform.ts";
import { mayLack } from "../../platform/renewal.ts";
import { isRefusal } from "../../platform/start-error.ts";
import { type AttributeTexts, absentFolder } from "../open/absent-folder.ts";
import type { LedState } from "../open/led.ts";
import { openFolder, openPwm, pwmChipName } from "../open/led-and-pwm.ts";
import { PwmChannel } from "../open/pwm-channel.ts";
import { awaitReturn, stopWaiting } from "../open/returning.ts";
import type { ExitRule, HardwareNoun } from "./hardware-noun.ts";
import type { Keeping } from "./keeping.ts";
import { restored } from "./kept-state.ts";
import { LedNoun, type LedOptions } from "./led-noun.ts";
import { PwmNoun, type PwmOptions } from "./pwm-noun.ts";

/** Hardware without a descriptor to hold: its kind, its place, and the options that decide what it does. */
interface Place {
  readonly kind: "led" | "pwm";
  readonly place: readonly [device: string, channel: number];
  readonly options: readonly [
    initial: State | LedState | undefined,
    exit: ExitRule | undefined,
    frequency: number | undefined,
    pulse?: boolean | undefined,
  ];
}

/**
 * What an earlier process has left: the options, or null if the hardware was gone; the default; and attributes that the
 * next process cannot read while it is gone.
 */
type Note = readonly [options?: Place["options"] | null, inherited?: State, attributes?: AttributeTexts];

/** What a noun gets besides its options. */
interface Behaviour {
  /** The default that the hardware had in an earlier process; left out if this process sets it. */
  readonly inherited?: State;
  readonly lose: () => void;
  readonly onClose: () => void;
}

/** How the noun of a part of /sys is made. */
interface Maker<N> {
  /** The folder that is there while the hardware is. */
  readonly path: string;
  /** @throws Error while the hardware is absent. */
  open(behaviour: Behaviour): N;
  /** @param absent in place of the folder. */
  stand(absent: AttributeFolder, behaviour: Behaviour): N;
}

/** Where the state is kept; nothing for a noun that begins with its default. */
interface Kept {
  readonly keeping?: Keeping;
  readonly store?: Store | undefined;
}

/** A noun that leaves a note. */
interface NotedNoun extends RestorableNoun {
  close(): void;
  readonly defaultState: State;
  readonly attributes: AttributeTexts;
}

/**
 * Makes a noun of hardware that an earlier process may have had. If its options are the same, it is not touched. If it
 * is gone, its noun fails until it comes back; then the next process sets it as at a start.
 */
function hold<N extends NotedNoun>(
  { kind, place, options }: Place,
  { path, open, stand }: Maker<N>,
  { keeping, store }: Kept,
): N {
  let noun: N | undefined;
  const keep = (current: Place["options"] | null) => {
    if (isSimulated || noun === undefined) return;
    const note: Note = [current, noun.defaultState, noun.attributes];
    keeper.keep(kind, ...place, JSON.stringify(note));
  };
  const isBack = () => system.accessOf(path) !== undefined;
  let isLost = false;
  const lose = () => {
    if (isLost || noun === undefined) return;
    isLost = true;
    logFailure(place[0], `${path} is gone`);
    awaitReturn(isBack);
  };
  const ends = { lose, onClose: () => stopWaiting(isBack) };
  const [, , kept = "[]"] = (isSimulated ? undefined : keeper.inherit(kind, ...place)) ?? [];
  const [before, inherited, attributes] = JSON.parse(kept) as Note;
  const isSame = JSON.stringify(before) === JSON.stringify(options);
  try {
    const isLeft = isSame && inherited !== undefined;
    noun = open(isLeft ? { ...ends, inherited } : ends);
    keep(options);
    if (store !== undefined && keeping !== undefined) restored(noun, keeping, store, isLeft);
  } catch (error) {
    if (inherited === undefined || attributes === undefined || !isRefusal(error) || isBack()) {
      if (mayLack() && !isBack()) awaitReturn(isBack);
      throw error;
    }
    noun = stand(absentFolder(path, attributes), { ...ends, inherited });
    keep(null);
    lose();
  }
  return noun;
}

/** Sets the hardware of one kind that an earlier process had, and this one has not, as its `exit` says. */
function releaseKind(
  kind: Place["kind"],
  open: (options: { readonly exit: ExitRule; readonly inherited: State }, ...place: Place["place"]) => HardwareNoun,
): void {
  for (let kept = keeper.inherit(kind); kept !== undefined; kept = keeper.inherit(kind)) {
    const [device, channel, settings] = kept;
    const [options, inherited] = JSON.parse(settings) as Note;
    // Hardware that was gone has not been set since.
    if (options === null || options === undefined || inherited === undefined) continue;
    const [, exit] = options;
    try {
      open({ exit: exit ?? "default", inherited }, device, channel).close();
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
  releaseKind("led", (options, device) => new LedNoun(openFolder("leds", device), options));
  releaseKind("pwm", (options, chip, channel) => new PwmNoun(openPwm(chip, channel), options));
}

/**
 * A noun for a LED of the kernel's LED class.
 * @throws as `openLed`; StateError when the LED cannot have the default.
 *
 * @example
 * server.register("status", ledNoun({ device: "green:status" }));
 */
export function ledNoun(options: LedOptions): Noun {
  return ledNounKeptAs({}, options);
}

/** @returns `exit`, which is otherwise as it is if the state is kept. */
function exitOf({ store }: Kept, exit: ExitRule | undefined): ExitRule | undefined {
  return exit ?? (store && "as-is");
}

/** Makes a noun as `ledNoun` does, which keeps its state. */
export function ledNounKeptAs(kept: Kept, { exit: asked, ...rest }: LedOptions): Noun {
  const options = { ...rest, exit: exitOf(kept, asked) };
  const { device, default: initial, exit } = options;
  const place: Place = { kind: "led", place: [device, 0], options: [initial, exit, undefined] };
  const stand = (folder: AttributeFolder, behaviour: Behaviour) => new LedNoun(folder, { ...options, ...behaviour });
  const open = (behaviour: Behaviour) => stand(openFolder("leds", device), behaviour);
  const noun = hold(place, { path: `/sys/class/leds/${device}`, open, stand }, kept);
  return describeNoun(noun, options);
}

/**
 * A noun for a PWM channel: in percent, or in µs of each pulse.
 * @throws as `openPwm`; StateError for an impossible default.
 *
 * @example
 * server.register("fan", pwmNoun({ chip: "pwmchip0", channel: 0, frequency: 25_000 })); // {"percent":0,...}
 */
export function pwmNoun(options: PwmOptions): Noun {
  return pwmNounKeptAs({}, options);
}

/** Makes a noun as `pwmNoun` does, which keeps its state. */
export function pwmNounKeptAs(kept: Kept, { exit: asked, ...rest }: PwmOptions): Noun {
  const options = { ...rest, exit: exitOf(kept, asked) };
  const { channel, default: initial, frequency, pulse, exit } = options;
  const chip = pwmChipName(options.chip);
  const place: Place = { kind: "pwm", place: [chip, channel], options: [initial, exit, frequency, pulse] };
  const make = (opened: PwmChannel, behaviour: Behaviour) => new PwmNoun(opened, { ...options, ...behaviour });
  const maker: Maker<PwmNoun> = {
    path: `/sys/class/pwm/${chip}`,
    open: (behaviour) => make(openPwm(chip, channel), behaviour),
    stand: (folder, behaviour) => make(new PwmChannel(folder), behaviour),
  };
  return describeNoun(hold(place, maker, kept), options);
}
