/** `npx nound help`: every word of a configuration has an explanation. */
import { expect, test } from "vitest";
import { explanations } from "../../../cli/help.mjs";
import { keyNames } from "../../../tools/check/vocabulary.mjs";

test("every key of the schema has an explanation with its place", () => {
  const names = keyNames();
  expect(names.size).toBeGreaterThan(100);
  for (const name of names)
    expect(explanations(name).join("\n"), name).toMatch(new RegExp(`^${name}: .*\n {2}in `, "m"));
});

test("a kind is explained with its keys, and a limit with its range", () => {
  expect(explanations("led")[0]).toMatch(/^"kind": "led": a LED[^\n]*\n {2}device: /);
  expect(explanations("maxConnections")[0]).toMatch(
    /connections at once; integer, 1 to 4096\n {2}in limits of the conf/,
  );
});

test.each(["no-such-word", "toString", "../x", "."])("%s has none", (name) => {
  expect(explanations(name)).toEqual([]);
});
