/** What a configuration must have so that its device gives its first token away. */
import { expect, test } from "vitest";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import type { Json } from "../../../ts/settings/json.ts";

const button = { kind: "gpio-input", line: "GPIO4", key: "pressed", pairs: true };
const wheel = { kind: "input", device: "gpio-keys", channel: "REL_X", pairs: true };
const led = { kind: "switch", key: "led" };
const stateDirectory = "/var/lib/nound";
const access = { tokens: "/var/lib/nound/tokens" };
const place = (found: string) =>
  '$.access.tokens: expected a file in "stateDirectory", such as "/var/lib/nound/tokens", because nound writes it ' +
  `when it pairs, found ${found}`;

function read(configuration: { readonly [key: string]: Json }) {
  return readConfiguration({ nouns: { button }, stateDirectory, access, ...configuration });
}

test("a button or a start pairs, if the token file is where nound may write", () => {
  expect(read({}).pairing).toEqual({ button: "button", atStart: false });
  expect(read({ nouns: { led }, access: { ...access, pairs: true } }).pairing).toEqual({
    button: undefined,
    atStart: true,
  });
});

test.each<readonly [string, { readonly [key: string]: Json }, string]>([
  ["no token file", { access: {} }, place("nothing")],
  ["one in another folder", { access: { tokens: "/etc/nound/tokens" } }, place('"/etc/nound/tokens"')],
  ["one deeper", { access: { tokens: "/var/lib/nound/a/tokens" } }, place('"/var/lib/nound/a/tokens"')],
  ["no token file for a start", { nouns: { led }, access: { pairs: true } }, place("nothing")],
  [
    "two buttons",
    { nouns: { button, other: { ...button, line: "GPIO5" } } },
    "expected one button that pairs, found two",
  ],
  [
    "an axis",
    { nouns: { wheel } },
    "$.nouns.wheel.pairs: expected false for an axis, which nobody presses, found true",
  ],
])("%s is a mistake", (_what, configuration, sentence) => {
  expect(() => read(configuration)).toThrow(sentence);
});
