/** docs/nound.schema.json: what an editor completes and marks by is what `--check` refuses by. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { getLanguageService, type LanguageService, TextDocument } from "vscode-json-languageservice";
import { withDescriptions } from "../../../tools/api/descriptions.mjs";
import { configurationSchema, readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { demonstration } from "../../../ts/program/daemon/demonstration.ts";
import { type Json, parseJson } from "../../../ts/settings/json.ts";
import { isList, isObject } from "../../../ts/settings/setting.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const schema = JSON.parse(read("docs/nound.schema.json"));
const isConfiguration = new Ajv({ strict: false }).compile(schema);

test("docs/nound.schema.json is what `npm run api` writes", () => {
  expect(read("docs/nound.schema.json")).toBe(`${JSON.stringify(withDescriptions(configurationSchema()), null, 2)}\n`);
});

test("each key of a noun has the words of its row on the page of kinds, for editors and LuCI", () => {
  const kinds: readonly {
    if: { properties: { kind: { const: string } } };
    then: { properties: Record<string, object> };
  }[] = schema.properties.nouns.additionalProperties.allOf;
  for (const { if: condition, then } of kinds)
    for (const [key, node] of Object.entries(then.properties).filter(([key]) => key !== "kind")) {
      const place = `${condition.properties.kind.const}.${key}`;
      expect(node, place).toHaveProperty("description", expect.stringMatching(/^(?!as (?:above|for ))./));
    }
  expect(schema.properties.nouns.additionalProperties.properties.kind.enumDescriptions).not.toContain("");
});

const files = execFileSync("git", ["ls-files", "**/nound.json"], { cwd: root, encoding: "utf8" }).trim().split("\n");

/** Whole configurations, and single nouns, which have a kind. */
const documented = ["docs/configuration.md", "docs/nouns.md"]
  .flatMap((path) => [...read(path).matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => parseJson(text)))
  .map((example) => (isObject(example) && "kind" in example ? { nouns: { example } } : example));

test("every configuration in the repository is one of the schema", () => {
  expect(files.length).toBeGreaterThan(3);
  expect(documented.length).toBeGreaterThan(7);
  for (const configuration of [...files.map((path) => parseJson(read(path))), ...documented, demonstration()]) {
    expect([isConfiguration(configuration), isConfiguration.errors]).toEqual([true, null]);
  }
});

/** What one place does not show: nobody but `--check` can tell. */
const beyondShape = [
  /expected (?:hardware that no other noun uses|a name of its own)/,
  /expected (?:none|nothing|one) (?:beside|together with|without)/,
  /expected (?:a code of the kernel|false for an axis|the name of the input device)/,
  /expected a value together with/,
  /expected a device class of Home Assistant/,
  /expected another (?:key|line|name)/,
  /expected a (?:value|noun) other than/,
  /expected a noun that the rule does not change/,
  /expected "chip" and "offset"/,
  /expected the line's offset/,
  /expected a user together with/,
  /expected the path of a folder, because/,
  /expected a file in "stateDirectory"/,
  /expected one button that pairs/,
  /expected another header/,
  /expected a state of the (?:shape|noun)/,
  /expected room for the/,
  /expected at least the minimum/,
  /default: expected one of .*, found/,
  // An editor judges an address and a host by their characters alone.
  /expected an? (?:address|host|origin) /,
  /expected a path of at most 107 bytes/,
  /expected at (?:most|least) .*, where the condition begins/,
  /expected conditions, or /,
  /expected the output that (?:opens|closes)/,
  /expected an end switch together with/,
  /expected another noun than/,
  /expected "position" or "tilt"/,
  /expected nothing together with "(?:at|changes)"/,
];

/** @returns why the configuration is refused, undefined if it is not. The schema knows no word of earlier versions. */
function refusalOf(configuration: Json): string | undefined {
  try {
    return readConfiguration(configuration).former?.join("\n");
  } catch (error) {
    return String(error);
  }
}

function expectAgreement(configuration: Json): void {
  const refusal = refusalOf(configuration);
  const said = JSON.stringify([configuration, refusal, isConfiguration(configuration), isConfiguration.errors]);
  if (refusal === undefined) expect(isConfiguration(configuration), said).toBe(true);
  else if (isConfiguration(configuration))
    expect(
      beyondShape.some((why) => why.test(refusal)),
      said,
    ).toBe(true);
}

const seeds: readonly Json[] = [
  parseJson(read("examples/relay-board/nound.json")),
  parseJson(read("examples/tls-proxy/nound.json")),
  demonstration(),
  ...documented,
];

/** The places of a configuration, each as the keys that lead to it. */
function places(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner: [string | number, Json][] = isList(value)
    ? value.map((item, index) => [index, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...inner.flatMap(([key, item]) => places(item, [...path, key]))];
}

/** @returns the configuration with something else at a place; without it where `other` is undefined. */
function changed(value: Json, [key, ...rest]: readonly (string | number)[], other: Json | undefined): Json | undefined {
  if (key === undefined) return other;
  if (isList(value)) {
    const items = value.map((item, index) => (index === key ? changed(item, rest, other) : item));
    return items.filter((item): item is Json => item !== undefined);
  }
  if (!isObject(value)) return other;
  const entries = Object.entries({ ...value, [key]: changed(value[key] ?? null, rest, other) });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const others: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<Json | undefined>(undefined, null, true, false, "", 0, 1, -1, 0.5, 1e300, {}, [], [1], { a: 1 }),
  fc.constantFrom<Json | undefined>("switch", "value", "gpio-input", "as-is", "auto", "none", "0660", "127.0.0.1:80"),
  fc.integer({ min: -10, max: 100_000_000 }),
  fc.string({ maxLength: 8 }),
);

const change = fc.record({
  seed: fc.constantFrom(...seeds),
  place: fc.nat(),
  addition: fc.option(fc.oneof(fc.constantFrom("$comment", "title", "shape", "access", "default"), fc.string())),
  other: others,
});

test("what is changed anywhere is refused by the schema and by --check, or by neither", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
      const [{ seed } = { seed: null }] = changes;
      const configuration = changes.reduce<Json>((value, { place, addition, other }) => {
        const all = places(value);
        const path = all[place % all.length] ?? [];
        return changed(value, addition === null ? path : [...path, addition], other) ?? null;
      }, seed);
      expectAgreement(configuration);
    }),
    { numRuns: 3_000 },
  );
});

const led = { kind: "switch", key: "led" };

test.each<[string, Json]>([
  ["no noun", { nouns: {} }],
  ["a comment alone", { nouns: { $comment: "none yet" } }],
  ["a name that is none", { nouns: { "a b": led } }],
  ["an unknown kind", { nouns: { led: { kind: "swich", key: "led" } } }],
  ["an unknown key", { nouns: { led: { ...led, defualt: 1 } } }],
  ["a missing key", { nouns: { led: { kind: "switch" } } }],
  ["a limit out of its range", { limits: { maxConnections: 0 }, nouns: { led } }],
  ["an address without a port", { listen: "127.0.0.1", nouns: { led } }],
  ["an unknown key of the file", { Listen: "127.0.0.1:80", nouns: { led } }],
  ["a comment that is no string", { $comment: 1, nouns: { led } }],
  ["no object", []],
])("%s is marked and refused", (_, configuration) => {
  expect(isConfiguration(configuration)).toBe(false);
  expect(refusalOf(configuration)).toMatch(/^ConfigurationError: /);
});

const uri = "file:///nound.json";

function editor(): LanguageService {
  const service = getLanguageService({});
  service.configure({ validate: true, schemas: [{ uri: "nound.schema.json", fileMatch: ["nound.json"], schema }] });
  return service;
}

function open(text: string) {
  const document = TextDocument.create(uri, "json", 1, text);
  const service = editor();
  return { service, document, json: service.parseJSONDocument(document) };
}

test("an editor completes the kinds of nouns, and then the keys of that kind", async () => {
  const complete = async (text: string) => {
    const { service, document, json } = open(text.replace("|", ""));
    const list = await service.doComplete(document, document.positionAt(text.indexOf("|")), json);
    return list?.items.map(({ label }) => label) ?? [];
  };
  const kinds = await complete('{ "nouns": { "led": { "kind": | } } }');
  expect(kinds).toEqual(expect.arrayContaining(['"switch"', '"value"', '"gpio-output"', '"led"', '"pwm"', '"sensor"']));
  const keys = await complete('{ "nouns": { "led": { "kind": "pwm", | } } }');
  expect(keys).toEqual(expect.arrayContaining(["chip", "channel", "frequency", "default", "title", "keys"]));
  expect(keys).not.toContain("lease");
});

test('an editor marks "swich", and nothing in the relay board', async () => {
  const text = '{ "nouns": { "led": { "kind": "swich", "key": "led" } } }';
  const { service, document, json } = open(text);
  const [mark, ...more] = await service.doValidation(document, json);
  expect(more).toEqual([]);
  expect(document.getText(mark?.range)).toBe('"swich"');
  const board = open(read("examples/relay-board/nound.json"));
  expect(await board.service.doValidation(board.document, board.json)).toEqual([]);
});
