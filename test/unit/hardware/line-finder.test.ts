import { expect, onTestFinished, test } from "vitest";
import { findLine } from "../../../ts/hardware/open/line-finder.ts";
import type { Gpio, LineAddress, ListedChip } from "../../../ts/native/gpio.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";

function chip(name: string, label: string, lines: readonly string[], refusal = ""): ListedChip {
  const listed = lines.map((line) => ({ name: line, isUsed: false, consumer: "", isOutput: false }));
  return { name, label, refusal, lines: listed };
}

const board = [
  chip("gpiochip0", "pl061", ["RELAY", "TWIN", "TWIN"]),
  chip("gpiochip1", "expander", [""]),
  chip("gpiochip2", "expander", ["VALVE"]),
];
const locked = [...board, chip("gpiochip3", "", [], "Permission denied")];

/** A system with these chips. */
function gpio(chips: readonly ListedChip[]): Gpio {
  const opened: never = undefined as never;
  return {
    backends: ["gpiod", "sysfs"],
    listChips: () => chips,
    openLine: () => opened,
    openPair: () => opened,
    checkLine: () => opened,
  };
}

test.each<[LineAddress, LineAddress]>([
  [{ name: "VALVE" }, { chip: "gpiochip2", offset: 0 }],
  [
    { chip: "pl061", offset: 2 },
    { chip: "gpiochip0", offset: 2 },
  ],
  [
    { chip: "gpiochip7", offset: 2 },
    { chip: "gpiochip7", offset: 2 },
  ],
  [
    { chip: "/dev/gpio-relays", offset: 2 },
    { chip: "/dev/gpio-relays", offset: 2 },
  ],
])("the line of %j is found", (address, found) => {
  expect(findLine(gpio(board), address)).toEqual(["gpiod", found]);
});

test("without a character device, a name is left to sysfs", () => {
  world().files.set("/sys/class/gpio/export", "");
  onTestFinished(beginProgram);
  expect(findLine(gpio([]), { name: "gpio17" })).toEqual(["sysfs", { name: "gpio17" }]);
});

const denial =
  " on the chips that this user may read; this user may not open /dev/gpiochip3: " +
  'add the user to the group that may (often "gpio"), add a udev rule, or run as root';

test.each<[readonly ListedChip[], LineAddress, string]>([
  [board, { name: "NOBODY" }, 'no GPIO line has the name "NOBODY"; `nound --find` lists the names'],
  [locked, { name: "NOBODY" }, `no GPIO line has the name "NOBODY"${denial}`],
  [board, { name: "TWIN" }, 'the line name "TWIN" is not unique: gpiochip0 1, gpiochip0 2; give chip and offset'],
  [
    board,
    { chip: "mcp", offset: 0 },
    'there is no GPIO chip "mcp"; available: gpiochip0 (pl061), gpiochip1 (expander), gpiochip2 (expander)',
  ],
  [locked, { chip: "mcp", offset: 0 }, `there is no GPIO chip "mcp"${denial}`],
  [
    board,
    { chip: "expander", offset: 0 },
    'the chip label "expander" is not unique: gpiochip1, gpiochip2; give the chip\'s name',
  ],
  [[], { name: "RELAY" }, "this system has no GPIO character device: there is no /dev/gpiochip0 or the like"],
])("a line that is not there is refused with what to do", (chips, address, sentence) => {
  expect(() => findLine(gpio(chips), address, "gpiod")).toThrow(new Error(sentence));
});

test("a system without GPIO gets a message that says so", () => {
  expect(() => findLine(gpio([]), { name: "RELAY" })).toThrow(
    new Error("this system has no GPIO: there is neither /dev/gpiochip0 nor /sys/class/gpio"),
  );
});
