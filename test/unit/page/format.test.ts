import { expect, test } from "vitest";
import { keysOf, undescribedNoun } from "../../../ts/page/description.ts";
import { measure, switchText, unitText } from "../../../ts/page/format.ts";

const plain = (value: number, unit?: string) => measure(value, unit).join(" ").trim().replaceAll(",", "");

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
])("%d of the unit %s is shown as %s", (value, unit, shown) => {
  expect(plain(value, unit)).toBe(shown);
});

test("a unit that nobody knows is shown as it is, whatever its name", () => {
  for (const unit of ["constructor", "<b>", ""]) expect(unitText(unit)).toBe(unit);
});

test("two values are words", () => {
  const [on] = keysOf({ on: true }, undescribedNoun("n"));
  if (on === undefined) throw new Error("There is no key.");
  const words = (readOnly: boolean) => [false, true].map((value) => switchText({ ...on, readOnly }, value));
  expect([words(false), words(true)]).toEqual([
    ["Off", "On"],
    ["No", "Yes"],
  ]);
  expect(switchText({ ...on, values: ["closed", "open"] }, "open")).toBe("open");
});
