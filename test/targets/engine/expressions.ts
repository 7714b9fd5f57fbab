/** Regular expressions. */
import type { Check } from "./check.ts";

export const expressions: readonly Check[] = [
  ["groups", () => /(?<year>\d{4})-(?<month>\d\d)/.exec("on 2024-02-29")?.groups, { year: "2024", month: "02" }],
  ["look around", () => ["price 42€".match(/(?<=price )\d+(?=€)/)?.[0], /^(?!a)./.test("ab")], ["42", false]],
  ["back-references", () => [/(a+)b\1/.test("aabaa"), /^(?:(a)|b)*$/.exec("ab")?.[1] ?? null], [true, null]],
  ["laziness", () => ["<a><b>".match(/<.+?>/)?.[0], "<a><b>".match(/<.+>/)?.[0]], ["<a>", "<a><b>"]],
  ["properties of characters", () => "aβ中1".match(/\p{L}/gu), ["a", "β", "中"]],
  ["case of the whole of Unicode", () => [/ſ/iu.test("S"), /É/i.test("é"), /^[^x]$/u.test("😀")], [true, true, true]],
  ["sets", () => "a1_b".replace(/[\w--\d]/gv, "."), ".1.."],
  ["sticky", () => [..."aab".matchAll(/a/gy)].length, 2],
  ["replacement", () => "john smith".replace(/(\w+) (\w+)/, (_, a: string, b: string) => `${b}, ${a}`), "smith, john"],
  ["lines", () => "a\nb".match(/^b$/m)?.index, 2],
  ["no backtracking without end", () => /^(a|b|ab)*c$/.test("ab".repeat(8)), false],
];
