/** The UCI configuration of the OpenWrt package, translated to the JSON one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfiguration } from "../../ts/program/configuration/configuration.ts";
import { parseJson } from "../../ts/settings/json.ts";
import { type Schema, valuesOf } from "./harness/configurations.ts";
import { project, RelocatedRoot } from "./harness/relocated-root.ts";
import { UciWriter } from "./harness/uci-of.ts";

const translation = join(project, "packaging/openwrt/nound/files/uci-to-json.sh");
const serviceOptions = "enabled interface listen port family mdns config";
const script = `. "$HARNESS/openwrt.sh"; . "${translation}"; nound_load && nound_print_json ${serviceOptions}`;
const schema: Schema = JSON.parse(readFileSync(join(project, "docs/nound.schema.json"), "utf8"));

let root: RelocatedRoot;
beforeEach(() => {
  root = new RelocatedRoot();
});
afterEach(() => root.remove());

function translate(uci: string) {
  root.write("etc/config/nound", uci);
  return root.run(script);
}

function translated(uci: string): unknown {
  const { status, stdout, stderr } = translate(uci);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

test("any configuration that the schema allows is the same after UCI, in UCI's words and in JSON's", () => {
  const { listen: _, $schema: __, $comment: ___, ...properties } = schema.properties ?? {};
  const { nouns = {}, ...others } = properties;
  const noun = valuesOf(schema, nouns.additionalProperties as Schema);
  const names = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._~-]{0,7}$/);
  const whole = valuesOf(schema, { type: "object", properties: others });
  const configuration = fc
    .tuple(whole, fc.dictionary(names, noun, { minKeys: 1, maxKeys: 3 }))
    .map(([rest, nouns]) => ({ ...(rest as object), nouns }));
  // What `uci export` prints is in the file: UCI's own programs are in the tests of systems.
  const exported = 'uci() { cat "$ROOT/etc/config/$2"; }';
  const reader = `. "$HARNESS/openwrt.sh"; . "${translation}"; ${exported}; nound_print_json`;
  fc.assert(
    fc.property(configuration, fc.boolean(), (json, prefersJson) => {
      root.write("etc/config/nound", new UciWriter(schema, prefersJson).write(json));
      const { status, stdout, stderr } = root.run(reader);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(JSON.parse(stdout)).toEqual(json);
    }),
    { numRuns: Number(process.env["NOUND_UCI_RUNS"] ?? 60) },
  );
});

const packaged = readFileSync(join(project, "packaging/openwrt/nound/files/nound.config"), "utf8");
const page = readFileSync(join(project, "docs/home-assistant.md"), "utf8");
const install = readFileSync(join(project, "docs/install.md"), "utf8");

test("a noun of every kind becomes what the example's JSON says of it", () => {
  const example = readFileSync(join(project, "examples/relay-board/nound.json"), "utf8");
  const { listen: _, ...expected } = JSON.parse(example, (key, value) => (key === "$comment" ? undefined : value));
  expect(translated(readFileSync(join(project, "test/packaging/relay-board.uci"), "utf8"))).toEqual(expected);
});

test.each([
  ["that the package brings", packaged, ["greeting"]],
  [
    "of its comments",
    packaged.replace(/^(\t?)#(?=config|\t|option|list)/gm, "$1"),
    ["greeting", "pump", "night", "status"],
  ],
  ["of the page on Home Assistant", /^```\n(config mqtt.*?)^```$/ms.exec(page)?.[1] ?? "", ["bell"]],
  ["of the page on installing", /^```\n(config nound.*?)^```$/ms.exec(install)?.[1] ?? "", ["pump", "status"]],
])("the configuration %s is right", (_, uci, nouns) => {
  expect([...readConfiguration(parseJson(translate(uci).stdout)).nouns.keys()]).toEqual(nouns);
});

test("words, lists and sections become objects, and an option where there is a list is its one item", () => {
  const uci = `config noun 'night'
	option kind 'rule'
	option at '22:30'
	option when 'lamp on 0'
	list then 'PUT note text=it is cold at=night'
	list then 'POST horn'
	option else 'DELETE note'
config noun 'frost'
	option kind 'rule'
	list at '06:00'
	list when 'room temperature below 4 until 6'
	list when 'button short changes'
	list when 'note text a = b'
config noun 'blind'
	option kind 'cover'
	list open 'line=GPIO17'
	list open 'activeLow=1'
	option close 'line=GPIO18'
	option stopAtOpen 'top pressed 1'
config noun
	option name 'hall-lamp'
	option kind 'switch'
	list key 'on'
	list labels 'on.0=dark'
	option homeAssistant 'icon=mdi:lamp'
	list guard 'pump on 1'
	list guard 'tank litres above $wish.litres + 5'
config noun 'climate'
	option kind 'value'
	list default 'target=20.5'
	list default 'code="17"'
config key
	option noun 'climate'
	option name 'target'
	option type 'number'
	option minimum '5'
config noun 'grid'
	option kind 'modbus'
	option unit '7'
config key
	option noun 'grid'
	option name 'limit'
	option unit '12'
	option writable 'yes'
	option homeAssistant 'off'
config mqtt
	option server 'b:1883'
	list group 'lamps'
	list tls 'authorities=/ca.pem'
	list tls 'keys=ab'
	list tls 'keys=cd'
	option homeAssistant 'yes'
`;
  expect(translated(uci)).toEqual({
    mqtt: {
      server: "b:1883",
      group: ["lamps"],
      tls: { authorities: "/ca.pem", keys: ["ab", "cd"] },
      homeAssistant: true,
    },
    nouns: {
      night: {
        kind: "rule",
        at: "22:30",
        when: { lamp: { on: 0 } },
        // biome-ignore lint/suspicious/noThenProperty: the word of a rule
        then: { "PUT note": { text: "it is cold", at: "night" }, "POST horn": {} },
        else: { "DELETE note": {} },
      },
      frost: {
        kind: "rule",
        at: ["06:00"],
        when: {
          room: { temperature: { below: 4, until: 6 } },
          button: { short: { changes: true } },
          note: { text: "a = b" },
        },
      },
      blind: {
        kind: "cover",
        open: { line: "GPIO17", activeLow: true },
        close: { line: "GPIO18" },
        stopAt: { open: { top: { pressed: 1 } } },
      },
      "hall-lamp": {
        kind: "switch",
        key: "on",
        labels: { on: { 0: "dark" } },
        homeAssistant: { icon: "mdi:lamp" },
        guard: { pump: { on: 1 }, tank: { litres: { above: "$wish.litres + 5" } } },
      },
      climate: {
        kind: "value",
        default: { target: 20.5, code: "17" },
        shape: { target: { type: "number", minimum: 5 } },
      },
      grid: { kind: "modbus", unit: 7, keys: { limit: { unit: "12", writable: true, homeAssistant: false } } },
    },
  });
});

test("lines that end as in DOS, and values of several lines, are read", () => {
  const uci =
    "config noun 'a'\r\n\toption kind 'switch'\r\n\toption key 'a'\r\n\toption title 'it'\\''s\n\"two\" lines'\r\n";
  root.write("etc/config/nound", uci);
  const { stdout } = root.run(`${script.replace("nound_load", 'uci() { cat "$ROOT/etc/config/$2"; }')}`);
  expect(JSON.parse(stdout)).toEqual({ nouns: { a: { kind: "switch", key: "a", title: 'it\'s\n"two" lines' } } });
});

test.each([
  ["option kind 'switch'\noption defualt '1'", "$.nouns.x.defualt: unknown key"],
  [
    "option kind 'gpio-output'\noption offset '5x'",
    '$.nouns.x.offset: expected a whole number from 0 to 65535, found "5x"',
  ],
  ["option kind 'gpio-output'\noption offset '9007199254740993'", 'found "9007199254740993"'],
  ["option kind 'gpio-output'\noption activeLow 'yess'", 'expected true or false, found "yess"'],
  ["option kind 'swich'\nlist default 'a=1'", 'found "swich"'],
  ["list default 'a=1'", "$.nouns.x"],
])("what UCI leaves to nound is refused by it: %s", (options, sentence) => {
  expect(() => readConfiguration(parseJson(translate(`config noun 'x'\n${options}`).stdout))).toThrow(sentence);
});

const rule = "config noun 'x'\noption kind 'rule'\n";
const led = "config noun 'x'\noption kind 'led'\n";
test.each([
  ["config nuon 'x'", "expected a section nound, limits, access, mqtt, "],
  ["config limits\nconfig limits", "there is more than one section limits; keep one"],
  ["config nound 'a'\nconfig nound 'b'", "there is more than one section nound; keep one"],
  [
    `${led}list device 'it'\\''s'\nlist device 'b'`,
    "device of x: expected one value, found a list of 2 (to keep the first: uci delete nound.x.device; " +
      "uci set nound.x.device='it'\\''s')",
  ],
  [
    "config noun\noption name 'a-b'\noption kind 'led'\nlist device 'c'\nlist device 'd'",
    "uci set nound.@noun[0].device='c'",
  ],
  ["config noun\noption kind 'led'", "@noun[0]: expected a name: config noun 'lamp', or option name 'hall-lamp'"],
  [`${led}option default 'on'`, "default of x: expected key=value, found on"],
  [`${led}list default 'a=1'\nlist default 'a=2'`, "default of x: a occurs twice"],
  [`${led}option default '{"brightness": 1'`, "default of x: expected key=value, found {"],
  [`${led}option default '{"brightness": 01}'`, 'default of x: expected JSON, found {"brightness": 01}'],
  [`${led}list labels 'brightness=low'`, "labels of x: expected brightness.KEY=VALUE, found brightness=low"],
  [`${led}config noun\noption name 'x'\noption kind 'led'`, "the nouns: x occurs twice"],
  [
    `${led}config key\noption noun 'x'\noption name 'a'\nconfig key\noption noun 'x'\noption name 'a'`,
    "the keys of x: a occurs twice",
  ],
  [
    `${led}option keys '{"a": {}}'\nconfig key\noption noun 'x'\noption name 'b'`,
    "keys: expected all of it as JSON, or nothing",
  ],
  [`${rule}list guard 'pump'`, "guard of x: expected a noun, a key and a value, found pump"],
  [`${rule}list when 'a b 1'\nlist when 'a b 2'`, "when of x: b occurs twice"],
  [`${rule}list then 'PUT'`, "then of x: expected a verb and a noun, found PUT"],
  [`${rule}list then 'PUT lamp on'`, "then of x: expected key=value, found on"],
  [`${rule}list then 'POST a'\nlist then 'POST a'`, "then of x: POST a occurs twice"],
])("what UCI leaves open is refused with a sentence: %s", (uci, sentence) => {
  const { status, stdout, stderr } = translate(uci);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(`nound: /etc/config/nound: ${sentence.startsWith("uci ") ? "" : sentence}`);
  expect(stderr).toContain(sentence);
});
