/** Opens a cover: its outputs, its motor, and the store that keeps its position. */
import { describeNoun } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import type { HomeAssistantOptions } from "../../core/noun/home-assistant.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { Line } from "../../native/gpio.ts";
import { logError, logFailure } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { followChip, goneError, unfollowChip } from "../open/gone-lines.ts";
import type { LineOptions } from "../open/line-options.ts";
import { openOutputLeftAt, openOutputPairLeftAt } from "../open/lines.ts";
import { OneButtonMotor } from "./cover-button.ts";
import { TwoWayMotor } from "./cover-motor.ts";
import { type CoverHardware, CoverNoun } from "./cover-noun.ts";
import type { CoverNounOutput, CoverOptions } from "./cover-options.ts";
import { type CoverOutput, lineOutput, NounOutput } from "./cover-output.ts";
import { type Keeping, keptText } from "./keeping.ts";

/** The outputs of a cover, as they are opened. */
interface Opened {
  readonly outputs: readonly CoverOutput[];
  readonly driven: readonly NounOutput[];
  readonly lines: readonly Line[];
}

/** @throws as `openOutput`. */
function openOutputs(
  all: readonly (readonly [option: string, output: LineOptions | CoverNounOutput])[],
  report: (sentence: string) => void,
): Opened {
  const ofLines = all.flatMap(([, output]) => ("noun" in output ? [] : [output]));
  const [one, other] = ofLines;
  const lines =
    one === undefined
      ? []
      : other === undefined
        ? [openOutputLeftAt(one, { exit: 0 })]
        : openOutputPairLeftAt(one, other, { exit: 0 });
  const driven: NounOutput[] = [];
  const left = lines.map(lineOutput);
  const outputs = all.map(([option, output]) => {
    if (!("noun" in output)) return left.shift() as CoverOutput;
    const noun = new NounOutput(option, output, report);
    driven.push(noun);
    return noun;
  });
  return { outputs, driven, lines };
}

/** Makes what an earlier process has left active inactive. @returns whether there was such a line. */
function stopLines(lines: readonly Line[]): boolean {
  const moving = lines.filter((line) => !line.isGone && line.getValue() === 1);
  for (const line of moving) line.setValue(0);
  return moving.length > 0;
}

/** @returns what Home Assistant is told: what the options say of the whole cover is added. */
function announced(noun: CoverNoun, { homeAssistant, deviceClass }: CoverOptions): HomeAssistantOptions {
  if (homeAssistant === false || homeAssistant?.["platform"] !== undefined) return homeAssistant;
  const ofClass = deviceClass !== undefined && { device_class: deviceClass };
  const all = { ...noun.homeAssistant, ...ofClass, ...homeAssistant };
  return all as HomeAssistantOptions;
}

/** Makes a noun as `coverNoun` does, with a name of its own in the store. */
export function coverNounKeptAs(keeping: Keeping, options: CoverOptions): Noun {
  const { open, close, button, store, pulse = 500 } = options;
  for (const time of ["openTime", "closeTime", "pause", "pulse", "tiltTime"] as const) {
    checkDuration(time, options[time], 1);
  }
  checkDuration("startDelay", options.startDelay, 0);
  const isPair = open !== undefined && close !== undefined;
  if ((button === undefined) !== isPair) throw new TypeError('A cover has "open" and "close", or a "button".');
  const kept = store && button === undefined ? keptText("cover", keeping, store, 1) : undefined;
  const report = (sentence: string) => logFailure(keeping.name, sentence);
  const named = button === undefined ? { open, close } : { button };
  const all = Object.entries(named) as [string, LineOptions | CoverNounOutput][];
  const { outputs, driven, lines } = openOutputs(all, report);
  const [first, second] = outputs as [CoverOutput, CoverOutput];
  const lose = (line: Line) => () => {
    keeping.report(goneError(line));
    noun.lose();
  };
  const holders = lines.map((line) => ({ line, lose: lose(line) }));
  for (const holder of holders) followChip(holder);
  const onClose = () => {
    for (const holder of holders) unfollowChip(holder);
    for (const line of lines) line.close();
  };
  const hardware: CoverHardware = {
    motor: (events, pause) =>
      button === undefined
        ? new TwoWayMotor({ open: first, close: second }, nounClock, pause, events)
        : new OneButtonMotor(first, nounClock, { pulse, pause }, events),
    clock: nounClock,
    wasMoving: stopLines(lines),
    ...(driven.length > 0 && { driven }),
    report,
    onClose,
    ...(kept && { kept }),
  };
  const noun = new CoverNoun(hardware, options);
  return describeNoun(noun, { ...options, homeAssistant: announced(noun, options) });
}

/**
 * A noun for a shutter, an awning, a gate or a garage door: on two outputs, which are never active together, or on the
 * one button of its motor.
 * @throws as `openOutput`; RangeError for a time out of range; TypeError for too many outputs or too few.
 *
 * @example
 * const blind = { open: { line: "GPIO17" }, close: { line: "GPIO18" }, openTime: 21_000, closeTime: 19_500 };
 * server.register("blind", coverNoun(blind));
 */
export function coverNoun(options: CoverOptions): Noun {
  const { storedAs: name = "cover" } = options;
  return coverNounKeptAs({ name, report: (error) => logError(name, error) }, options);
}
