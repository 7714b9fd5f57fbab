/** `--find button`: waits for the next change of a free input line, or for the next key, and names it. */
import * as input from "nound:input";
import { Alarm } from "../../core/time/alarm.ts";
import { pressedButton } from "../../hardware/open/hotplug-button.ts";
import { inputCodes } from "../../hardware/open/input-codes.ts";
import { openUevents } from "../../hardware/open/inputs.ts";
import type { Level, Line, LineSettings } from "../../native/gpio.ts";
import { hardware, loop, reachHardware, system } from "../../platform/platform.ts";
import { exitStatus, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { JsonObject } from "../../settings/json.ts";
import { namesIn } from "./device-folders.ts";
import { findInputs } from "./input-devices.ts";
import { printNoun, printSentence } from "./printed.ts";

/** ms in which a line that changes by itself is left out. */
const settlingTime = 200;

/** ms between two readings of a line that cannot report edges. */
const pollTime = 20;

/** What changed: for people, and as a noun. */
interface Change {
  readonly sentence: string;
  readonly noun: JsonObject;
}

type Tell = (change: Change) => void;

/** As the line is: only reading it is asked for. */
const asInput: LineSettings = {
  consumer: "nound:find",
  direction: "input",
  value: 0,
  keepValue: false,
  activeLow: false,
  bias: "as-is",
  drive: "push-pull",
  edges: "both",
  debounce: 0,
};

/** A line that is an input already and that nobody holds. */
interface FreeLine {
  readonly label: string;
  readonly chip: string;
  readonly offset: number;
  readonly address: JsonObject;
}

function freeLines(): FreeLine[] {
  const chips = hardware().gpio.listChips();
  const names = chips.flatMap(({ lines }) => lines.map(({ name }) => name));
  return chips.flatMap(({ name: chip, lines }) =>
    lines.flatMap(({ name, isUsed, isOutput }, offset) => {
      if (isUsed || isOutput) return [];
      const isNamed = name !== "" && names.filter((other) => other === name).length === 1;
      const label = `${chip} line ${offset}${name === "" ? "" : ` "${name}"`}`;
      return [{ label, chip, offset, address: isNamed ? { line: name } : { chip, offset } }];
    }),
  );
}

/** @returns what a change to this level means. A button that connects its line with ground makes it low. */
function lineChange({ label, address }: FreeLine, level: Level): Change {
  const low = level === 0 ? { activeLow: true } : {};
  const noun = { kind: "gpio-input", ...address, ...low, edges: "both", debounce: 5, key: "pressed" };
  return { sentence: `${label} changed to ${level}`, noun };
}

/** Reads a line again and again. @throws Error when it cannot be opened. */
function pollLine(free: FreeLine, tell: Tell): void {
  const line = hardware().gpio.openLine(
    "gpiod",
    { chip: free.chip, offset: free.offset },
    { ...asInput, edges: "none" },
  );
  let last = line.getValue();
  const read = () => {
    const level = line.getValue();
    if (level !== last) tell(lineChange(free, level));
    last = level;
    alarm.set(loop.now() + pollTime);
  };
  const alarm = new Alarm(loop, read);
  alarm.set(loop.now() + pollTime);
}

/** @returns whether the line is watched. Not every line can be, and another program may take it meanwhile. */
function watchLine(free: FreeLine, tell: Tell): boolean {
  try {
    const line: Line = hardware().gpio.openLine("gpiod", { chip: free.chip, offset: free.offset }, asInput);
    line.onEdge = ({ value }) => tell(lineChange(free, value));
    return true;
  } catch {
    // It has no interrupt.
  }
  try {
    pollLine(free, tell);
    return true;
  } catch {
    return false;
  }
}

function keyChange(device: string, event: number): Change | undefined {
  for (const { name, type, code } of inputCodes()) {
    if (type * 65_536 + code !== event) continue;
    return { sentence: `${name} of the input device "${device}"`, noun: { kind: "input", device, channel: name } };
  }
  return undefined;
}

/** @returns a sentence for each device that cannot be watched; the number of those that are. */
async function watchInputs(tell: Tell): Promise<{ readonly count: number; readonly refusals: readonly string[] }> {
  let count = 0;
  const refusals: string[] = [];
  for (const { device, path } of await findInputs()) {
    if (system.accessOf(path) === undefined) continue;
    try {
      input.openDevice(path, 0, 0, "").onEvent = (event) => {
        const change = event === null ? undefined : keyChange(device, event);
        if (change !== undefined) tell(change);
      };
      count += 1;
    } catch (error) {
      refusals.push(sentenceOf(error));
    }
  }
  return { count, refusals };
}

/** Hears of the buttons of OpenWrt's own driver, which has no input device. @returns whether it can. */
function watchHotplug(tell: Tell): boolean {
  if (system.accessOf("/etc/openwrt_release") === undefined) return false;
  try {
    openUevents().onEvent = (event) => {
      const channel = event === null ? undefined : pressedButton(event);
      if (channel === undefined) return;
      const noun = { kind: "input", from: "hotplug", channel };
      tell({ sentence: `the button "${channel}" of OpenWrt's driver`, noun });
    };
    return true;
  } catch {
    return false;
  }
}

/** @returns a sentence for lines that are not watched; none if they are, or there are none. */
async function whyLinesAreNotWatched(): Promise<readonly string[]> {
  const chips = hardware().gpio.listChips();
  const refused = chips.find(({ refusal }) => refusal !== "");
  if (refused !== undefined) return [`/dev/${refused.name} is not watched: ${refused.refusal}`];
  const older = (await namesIn("/sys/class/gpio")).filter((name) => name.startsWith("gpiochip"));
  if (chips.length > 0 || older.length === 0) return [];
  const reason = "nound would have to export each of them, which may disturb other programs";
  return [`the lines of /sys/class/gpio are not watched: ${reason}`];
}

/** Watches all, tells the first change of what was quiet before, and ends the program. @throws StartError. */
export async function findButton(): Promise<void> {
  reachHardware();
  let isSettled = false;
  const restless = new Set<string>();
  const tell = ({ sentence, noun }: Change) => {
    const place = JSON.stringify({ ...noun, activeLow: undefined });
    if (!isSettled) restless.add(place);
    else if (!restless.has(place)) {
      printSentence(sentence);
      printNoun("button", noun);
      loop.exit(exitStatus.success);
    }
  };
  const lines = freeLines().filter((line) => watchLine(line, tell)).length;
  const { count: devices, refusals } = await watchInputs(tell);
  for (const sentence of [...(await whyLinesAreNotWatched()), ...refusals]) printSentence(sentence);
  const isHotplug = watchHotplug(tell);
  if (lines + devices === 0 && !isHotplug) {
    throw new StartError("there is no free input line and no input device to watch", exitStatus.unavailable);
  }
  const settled = new Alarm(loop, () => {
    isSettled = true;
    const others = isHotplug ? " and the buttons of OpenWrt" : "";
    printSentence(`watching ${lines} lines and ${devices} input devices${others}: press the button`);
  });
  settled.set(loop.now() + settlingTime);
}
