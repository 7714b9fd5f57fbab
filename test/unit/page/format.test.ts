import { afterEach, expect, test, vi } from "vitest";
import { ago, dayAndTime, duration, measure, unitText } from "../../../ts/page/format.ts";
import { switchText } from "../../../ts/page/say.ts";
import { keysOf, undescribedNoun } from "../../../ts/page/thing.ts";

afterEach(() => void vi.useRealTimers());

/** What the language of this machine (`LANG`) puts into a number. */
const parts = new Intl.NumberFormat().formatToParts(1_234_567.8);
const [group = "", decimal = ""] = ["group", "decimal"].map((type) => parts.find((part) => part.type === type)?.value);

const plain = (value: number, unit?: string) =>
  measure(value, unit).join(" ").trim().replaceAll(group, "").replace(decimal, ".");

test.each([
  [20.5, "Cel", "20.5 \u00b0C"],
  [1_649.999_999, "mV", "1650 mV"],
  [0.000_25, "A", "0.00025 A"],
  [0, "%", "0 %"],
  [3, "1", "3"],
  [90, "s", "90 s"],
  [9_999, "ms", "9999 ms"],
  [10_999, "ms", "10 s"],
  [125, "s", "2 min 5 s"],
  [90_061, "s", "1 d 1 h"],
  [7_260, "s", "2 h 1 min"],
  [1_000, "By", "1000 B"],
  [67_108_864, "By", "64 MiB"],
  [5, undefined, "5"],
  [20_000_000, "ns", "20 ms"],
  [40_000, "ns", "40 \u00b5s"],
  [1_500, "us", "1500 \u00b5s"],
])("%d of the unit %s is shown as %s", (value, unit, shown) => {
  expect(plain(value, unit)).toBe(shown);
});

test("a unit that nobody knows is shown as it is, whatever its name", () => {
  for (const unit of ["constructor", "<b>", ""]) expect(unitText(unit)).toBe(unit);
});

test("a time of the last day has its day if it was yesterday", () => {
  const noon = new Date(2026, 10, 29, 12, 0).getTime();
  vi.useFakeTimers({ now: noon });
  const time = (hours: number) => dayAndTime(noon - hours * 3_600_000);
  expect([time(23), time(13), time(12), time(1)].map((text) => text.startsWith("yesterday "))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("two values are words", () => {
  const [on] = keysOf({ wet: true }, undescribedNoun("n"));
  if (on === undefined) throw new Error("There is no key.");
  const words = (readOnly: boolean) => [false, true].map((value) => switchText({ ...on, readOnly }, value));
  expect([words(false), words(true)]).toEqual([
    ["Off", "On"],
    ["No", "Yes"],
  ]);
  // A key of this name asks no question.
  expect(switchText({ ...on, name: "on", readOnly: true }, true)).toBe("On");
  expect(switchText({ ...on, values: ["closed", "open"] }, "open")).toBe("open");
});

test("a value has its label, else the word of its device class", () => {
  const [on] = keysOf({ open: true }, undescribedNoun("n"));
  if (on === undefined) throw new Error("There is no key.");
  const door = { ...on, deviceClass: "door", readOnly: true };
  expect(switchText(door, false)).toBe("Closed");
  expect(switchText({ ...door, labels: { false: "shut" } }, false)).toBe("shut");
  expect(switchText({ ...door, labels: { false: "shut" } }, true)).toBe("Open");
  expect(switchText({ ...door, deviceClass: "constructor" }, true)).toBe("Yes");
});

test.each([
  [0, "just now"],
  [59_999, "59 s ago"],
  [120_000, "2 min ago"],
  [7_200_000, "2 h ago"],
  [172_800_000, "2 d ago"],
])("%d ms are %s", (milliseconds, text) => {
  expect(ago(milliseconds).replaceAll("\u00a0", " ")).toBe(text);
});

test("what is left of a time is told to the tenth of a second at its end", () => {
  expect([800, 29_100, 180_000].map((time) => duration(time).replaceAll("\u00a0", " "))).toEqual([
    "0.8 s",
    "30 s",
    "3 min",
  ]);
});
