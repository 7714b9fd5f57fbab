/** Strings of narrow and wide characters. */
import type { Check } from "./check.ts";

export const strings: readonly Check[] = [
  ["a character of two units", () => ["😀".length, "😀".codePointAt(0), [..."a😀b"].length], [2, 128512, 3]],
  ["half a character", () => ["\ud800".isWellFormed(), "\ud800".toWellFormed()], [false, "\ufffd"]],
  ["case", () => ["straße".toUpperCase(), "ΑΣ".toLowerCase(), "İ".toLowerCase().length], ["STRASSE", "ας", 2]],
  [
    "normal forms",
    () => ["é".normalize("NFD").length, "e\u0301".normalize("NFC"), "ﬁ".normalize("NFKC")],
    [2, "é", "fi"],
  ],
  [
    "parts",
    () => ["abc".slice(-2), "a,b,,c".split(","), "abc".at(-1), "ab".padStart(4, "xy")],
    ["bc", ["a", "b", "", "c"], "c", "xyab"],
  ],
  [
    "search",
    () => ["banana".indexOf("an", 2), "banana".lastIndexOf("a"), "banana".replaceAll("an", "-")],
    [3, 5, "b--a"],
  ],
  ["narrow beside wide", () => ["é" + "€", "é€".indexOf("€"), "a" < "é", "é" < "€"], ["é€", 1, true, true]],
  ["a long rope", () => Array.from({ length: 5000 }, (_, i) => String(i % 10)).reduce((a, b) => a + b).length, 5000],
  ["keys in order", () => Object.keys({ b: 1, 2: 1, a: 1, 1: 1 }), ["1", "2", "b", "a"]],
  ["escapes of JSON", () => JSON.stringify('"\\\u0001\u2028é😀\ud800'), '"\\"\\\\\\u0001\u2028é😀\\ud800"'],
];
