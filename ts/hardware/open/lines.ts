/** Opens GPIO lines for applications. */

import * as keeper from "nound:keeper";
import type { Gpio, Line, LineAddress, LineSettings } from "../../native/gpio.ts";
import { logLack } from "../../platform/log.ts";
import { hardware, isSimulated, simulatedDevice } from "../../platform/platform.ts";
import { opening } from "../../platform/reach.ts";
import { mayLack } from "../../platform/renewal.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { attempt, exitStatus, isRefusal, sentenceOf } from "../../platform/start-error.ts";
import { AbsentLine } from "./gone-lines.ts";
import { findLine } from "./line-finder.ts";
import type { InputOptions, LineOptions, OutputOptions } from "./line-options.ts";
import { nearestLine } from "./nearest-line.ts";
import { simulatedSource } from "./simulated-source.ts";
import { checkSysfsLine } from "./sysfs-lines.ts";

/** @throws TypeError when the options name no line, or name it twice. */
function lineAddress({ line, chip, offset }: LineOptions): LineAddress {
  if (line !== undefined && chip === undefined && offset === undefined) return { name: line };
  if (line === undefined && chip !== undefined && offset !== undefined) return { chip, offset };
  throw new TypeError('A GPIO line is named by "line", or by "chip" and "offset".');
}

/** @returns a text that identifies the line: `GPIO27`, `gpiochip0.27`. */
export function lineLabel({ line, chip, offset }: LineOptions): string {
  return line ?? `${chip?.replace(/^\/dev\//, "")}.${offset}`;
}

/** What is asked for: the arguments of `openLine`, before its line is found. */
type Request = readonly [address: LineAddress, settings: LineSettings];

function request(options: LineOptions, settings: Omit<LineSettings, "consumer" | "activeLow" | "bias">): Request {
  const { consumer = "nound", activeLow = false, bias = "as-is" } = options;
  return [lineAddress(options), { consumer, activeLow, bias, ...settings }];
}

/** Calls a function of the hardware with a line that it has found. If no line has the name, the error suggests one. */
function withLine<T>([address, settings]: Request, call: (...found: Parameters<Gpio["openLine"]>) => T): T {
  try {
    return call(...findLine(hardware().gpio, address), settings);
  } catch (error) {
    if (!("name" in address) || !isRefusal(error)) throw error;
    const names = hardware()
      .gpio.listChips()
      .flatMap(({ lines }) => lines.map(({ name }) => name));
    const meant = names.includes(address.name) ? undefined : nearestLine(address.name, names);
    throw meant === undefined ? error : new Error(`${sentenceOf(error)}; did you mean ${JSON.stringify(meant)}?`);
  }
}

/** The lines that this program has opened, by their names, or by their offsets on a chip. Some may be closed. */
const opened = new Map<string, Line | Map<number, Line>>();

function remember(address: LineAddress, line: Line): void {
  if ("name" in address) opened.set(`"${address.name}`, line);
  else {
    const known = opened.get(address.chip);
    const lines = known instanceof Map ? known : new Map<number, Line>();
    opened.set(address.chip, lines.set(address.offset, line));
  }
}

/** @returns whether this program holds the line. */
function isOwn(address: LineAddress): boolean {
  const found = opened.get("name" in address ? `"${address.name}` : address.chip);
  const line = found instanceof Map && "offset" in address ? found.get(address.offset) : found;
  try {
    return !(line instanceof Map) && line?.getValue() !== undefined;
  } catch {
    return false;
  }
}

function open(asked: Request): Line {
  const [address] = asked;
  try {
    // The chips are looked for in /dev.
    const line = opening("/dev", () => withLine(asked, (...found) => hardware().gpio.openLine(...found)));
    remember(address, line);
    return line;
  } catch (error) {
    if (!isOwn(address)) throw error;
    throw new Error(`${sentenceOf(error)}; this program has opened it: use that line, or close it first`);
  }
}

/** @returns the request for the line on the chip with a label, if there is one. */
function byLabel([address, settings]: Request, label: string | undefined): Request | undefined {
  const chips = label === undefined || label === "" ? [] : hardware().gpio.listChips();
  const found = chips.filter((chip) => chip.label === label);
  const [chip] = found;
  if (!("chip" in address) || chip === undefined || found.length > 1) return undefined;
  return [{ chip: chip.name, offset: address.offset }, settings];
}

/** The line of a noun: its request, what the configuration calls it, and its chip's label, if an earlier process had it. */
interface NounLine {
  readonly asked: Request;
  readonly name: string;
  readonly label: string | undefined;
}

function nounLine(asked: Request, name: string): NounLine {
  return { asked, name, label: isSimulated ? undefined : keeper.inherit("line", name)?.[2] };
}

/** @returns whether the chip with a label is there, and has the line. */
function isPresent([address]: Request, label: string): boolean {
  const chips = hardware()
    .gpio.listChips()
    .filter((chip) => chip.label === label);
  return chips.some(({ lines }) => !("name" in address) || lines.some(({ name }) => name === address.name));
}

/**
 * Opens a line, which is absent if its chip is gone, or if it cannot be opened and no earlier process had it. The chip
 * may have another name.
 * @throws StartError if a line that is there and that an earlier process had cannot be opened: its level would be lost.
 */
function openOrAbsent({ asked, name, label }: NounLine): Line {
  try {
    return open(asked);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (label === undefined || label === "") {
      if (label === undefined && !mayLack()) throw error;
      logLack(ownerOf(asked, name), sentenceOf(error));
      return new AbsentLine(name, "");
    }
    const moved = byLabel(asked, label) ?? (isPresent(asked, label) ? asked : undefined);
    return moved === undefined ? new AbsentLine(name, label) : attempt(exitStatus.unavailable, () => open(moved));
  }
}

/** @returns what people call the user of a line: its noun, or the line if an application has named no user. */
function ownerOf([, { consumer }]: Request, line: string): string {
  return consumer === "nound" ? line : consumer.replace(/^nound:/, "");
}

/** The next process asks for the line by what the configuration calls it. @returns the line. */
function kept(line: Line, { name }: NounLine): Line {
  if (!isSimulated) keeper.keep("line", name, 0, line.chip);
  return line;
}

/** Opens the line of a noun. @throws as `open`. */
function openForNoun(asked: Request, name: string): Line {
  const wanted = nounLine(asked, name);
  return kept(openOrAbsent(wanted), wanted);
}

/** Opens two outputs as one request of the kernel, where that can be. @throws as `open`. */
function openTogether(first: Request, second: Request): readonly [Line, Line] {
  const lines = opening("/dev", () =>
    withLine(first, (...one) => withLine(second, (...other) => hardware().gpio.openPair(...one, ...other))),
  );
  remember(first[0], lines[0]);
  remember(second[0], lines[1]);
  return lines;
}

/** Opens the two outputs of a noun. If a chip is gone, each line is looked for alone. @throws as `open`. */
function openPairForNoun(first: NounLine, second: NounLine): readonly [Line, Line] {
  try {
    return openTogether(first.asked, second.asked);
  } catch (error) {
    const wereHeld = first.label !== undefined || second.label !== undefined;
    if (!(wereHeld || mayLack()) || !isRefusal(error)) throw error;
    const one = byLabel(first.asked, first.label);
    const other = byLabel(second.asked, second.label);
    if (one !== undefined && other !== undefined)
      return attempt(exitStatus.unavailable, () => openTogether(one, other));
    return [openOrAbsent(first), openOrAbsent(second)];
  }
}

function check(asked: Request): void {
  withLine(asked, (...found) => {
    hardware().gpio.checkLine(...found);
    if (found[0] === "sysfs" && !hardware().gpio.hasEveryLine) checkSysfsLine(found[1]);
  });
}

/** The facts of an output that a reload needs besides. */
type ReloadSettings = Pick<LineSettings, "exit" | "restored">;

function outputRequest(options: OutputOptions, reload: ReloadSettings = {}): Request {
  const { value = 0, keepValue = false, drive = "push-pull" } = options;
  return request(options, { direction: "output", value, keepValue, drive, edges: "none", debounce: 0, ...reload });
}

function inputRequest(options: InputOptions): Request {
  const { edges = "none", debounce = 0 } = options;
  if (!(typeof debounce === "number" && debounce >= 0 && debounce < 1_000)) {
    throw new TypeError(`"debounce" is a number of ms from 0 to 999, such as 5; it is ${JSON.stringify(debounce)}.`);
  }
  return request(options, {
    direction: "input",
    value: 0,
    keepValue: false,
    drive: "push-pull",
    edges,
    debounce: Math.round(1_000 * debounce),
  });
}

/** @throws as `openOutput` would, without requesting the line. A line that a nound holds is in order. */
export function checkOutput(options: OutputOptions): void {
  check(outputRequest(options));
}

/** @throws as `checkOutput`. */
export function checkInput(options: InputOptions): void {
  check(inputRequest(options));
}

/**
 * Opens a GPIO line as an output. The program holds it until it is closed or the program ends.
 * @throws Error with a sentence: there is no such line, another program holds it, or the user lacks the permission.
 *
 * @example
 * const pump = openOutput({ line: "GPIO17" });
 * pump.setValue(1);
 */
export function openOutput(options: OutputOptions): Line {
  return open(outputRequest(options));
}

/** Opens the line of a noun as `openOutput` does. */
export function openOutputLeftAt(options: OutputOptions, reload: ReloadSettings): Line {
  return openForNoun(outputRequest(options, reload), lineLabel(options));
}

/**
 * Opens the two lines of a noun, both inactive, of which at most one is ever active. They are one request of the kernel
 * if they are on one chip of the character device.
 * @throws as `openOutput`. Then neither line is held.
 */
export function openOutputPairLeftAt(
  first: LineOptions,
  second: LineOptions,
  reload: ReloadSettings,
): readonly [first: Line, second: Line] {
  const wanted = (line: LineOptions) => nounLine(outputRequest(line, reload), lineLabel(line));
  const one = wanted(first);
  const other = wanted(second);
  const lines = openPairForNoun(one, other);
  return [kept(lines[0], one), kept(lines[1], other)];
}

/**
 * Opens a GPIO line as an input. On simulated hardware, the noun `simulated.LINE` moves it, such as `simulated.gpio27`.
 * @throws as `openOutput`.
 *
 * @example
 * const button = openInput({ line: "GPIO27", activeLow: true, bias: "pull-up", edges: "rising", debounce: 5 });
 * button.onEdge = () => console.log("pressed");
 */
export function openInput(options: InputOptions): Line {
  return movedBy("level", options, open(inputRequest(options)));
}

/** Opens the line of a noun as `openInput` does. @param key the key of the level in the noun that moves it. */
export function openInputMovedBy(key: string, options: InputOptions): Line {
  return movedBy(key, options, openForNoun(inputRequest(options), lineLabel(options)));
}

/** Makes the noun that moves a simulated line. @returns the line. */
function movedBy(key: string, options: InputOptions, line: Line): Line {
  if (isSimulated) {
    const pin = simulatedDevice().gpio.pin(lineAddress(options));
    const turn = options.activeLow === true ? 1 : 0;
    const read = () => pin.voltage ^ turn;
    const write = (level: number) => pin.drive((level ^ turn) === 1 ? 1 : 0);
    addSource(options.simulatedAs ?? lineLabel(options), simulatedSource({ key, maximum: 1, read, write }));
  }
  return line;
}
