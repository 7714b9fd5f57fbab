/** The description of another device, which is not trusted: what is taken over of it, and what is refused. */
import { expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { thingDescription } from "../../../ts/parts/documents/describe/thing-description.ts";
import { DescriptionReader } from "../../../ts/parts/mirror/description-reader.ts";
import { describedNoun } from "../../../ts/parts/mirror/foreign-noun.ts";

const shape: Shape = {
  on: { type: "choice", values: [0, 1], labels: { "0": "off", "1": "on" } },
  level: { type: "number", minimum: 0, maximum: 9.5, unit: "Cel", nullable: true },
  count: { type: "integer", minimum: 0, readOnly: true, counts: "total" },
  text: { type: "string", maximumLength: 80, optional: true, title: 'a "quoted" {text}\\' },
  flag: { type: "boolean" },
  red: { type: "number", minimum: 0, maximum: 255, colour: "red" },
  lit: { type: "choice", values: [0, 1], fallsBack: { to: 0, after: 90_000, renewed: true } },
  at: { type: "string", format: "sun" },
};

const device = {
  title: "Porch",
  id: undefined,
  base: "http://porch/",
  version: "1",
  model: undefined,
  kernel: "",
  isSimulated: false,
  demands: { tokens: false, hosts: false, origins: false },
  documents: [],
  hasPage: true,
};

function describe(nouns: readonly object[]): string {
  const described = nouns.map((noun) => ({ methods: ["GET", "PUT", "POST", "DELETE"], ...noun }));
  return Array.from(thingDescription({ ...device, nouns: described } as never)).join("");
}

function readIn(text: string, name: string, parts: readonly string[] = [text]): ReturnType<typeof describedNoun> {
  const reader = new DescriptionReader(new Set([name]));
  for (const part of parts) reader.take(part);
  expect(reader.isComplete).toBe(true);
  const update = reader.textOf("actions", `${name}.update`);
  return describedNoun(reader.textOf("properties", name), update, 64);
}

const thing = describe([
  { name: "lamp", shape },
  { name: "bell", title: "Bell", shape, action: "Ring", hops: 2 },
]);

test("a shape comes back as it was described, wherever the description is cut", () => {
  const expected = readIn(thing, "bell");
  expect(expected).toMatchObject({ title: "Bell", settable: true, takesAny: false, action: "Ring", hops: 2 });
  expect(expected.shape).toEqual(shape);
  expect(readIn(thing, "bell", [...thing])).toEqual(expected);
  for (let cut = 1; cut < thing.length; cut += 7) {
    expect(readIn(thing, "bell", [thing.slice(0, cut), thing.slice(cut)])).toEqual(expected);
  }
});

test("a noun of which nobody can set anything is read-only, and one without a shape takes any state", () => {
  const text = describe([
    { name: "sensor", shape, methods: ["GET", "DELETE"] },
    { name: "any", shape: undefined },
  ]);
  expect(readIn(text, "sensor").settable).toBe(false);
  expect(readIn(text, "any")).toMatchObject({ shape: undefined, takesAny: true });
});

test("texts for people lose what is no character, and their ends", () => {
  const { title } = readIn(describe([{ name: "bell", title: `<b>\u001b[1m\n${"x".repeat(1_000)}`, shape }]), "bell");
  expect(title).toMatch(/^<b> \[1m x{190,192}$/);
});

test("a description that has no such noun says so", () => {
  expect(() => readIn(thing, "cellar")).toThrow("has no noun of this name");
});

const flag = { type: "boolean" } as const;

function property(keys: object): string {
  return JSON.stringify({ type: "object", properties: keys });
}

test.each([
  [
    "10,000 keys",
    property(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, { type: "boolean" }]))),
  ],
  ["a key that is a prototype", '{"properties":{"__proto__":{"type":"boolean"}}}'],
  ["a key of a thousand letters", property({ ["x".repeat(1_000)]: { type: "boolean" } })],
  ["a key without a type", property({ on: {} })],
  ["a key that is a list", property({ on: [] })],
  ["a choice of objects", property({ on: { enum: [{}] } })],
  ["a choice of nothing", property({ on: { enum: [] } })],
  ["a choice of 65 values", property({ on: { enum: Array.from({ length: 65 }, (_, n) => n) } })],
  ["a bound that is a text", property({ on: { type: "number", minimum: "0" } })],
  ["a value to fall back to that is an object", property({ on: { ...flag, "nound:fallsBack": { to: {}, after: 1 } } })],
  ["a time to fall back after that is a text", property({ on: { ...flag, "nound:fallsBack": { to: 0, after: "1" } } })],
  ["hops that are a text", '{"properties":{},"nound:hops":"1"}'],
  ["half a text", '{"properties":'],
])("%s are not taken over", (_, text) => {
  expect(() => describedNoun(text, undefined, 64)).toThrow("describes the noun in a way that cannot be used");
});

test("a text without end is refused before it is kept", () => {
  const reader = new DescriptionReader(new Set(["bell"]));
  const take = () => {
    reader.take('{"properties":{"bell":{"title":"');
    for (let count = 0; count < 100; count++) reader.take("x".repeat(1_000));
  };
  expect(take).toThrow("too long");
});

test("a noun whose description is too long is not kept, and the nouns beside it are", () => {
  const reader = new DescriptionReader(new Set(["bell", "door"]));
  reader.take('{"properties":{"bell":{"enum":[');
  for (let count = 0; count < 100; count++) reader.take(`${count === 0 ? "" : ","}"${"x".repeat(1_000)}"`);
  reader.take(']},"door":{"type":"object"}}}');
  expect(reader.textOf("properties", "bell")).toBe("");
  expect(reader.textOf("properties", "door")).toBe('{"type":"object"}');
  expect(() => describedNoun("", undefined, 64)).toThrow("cannot be used: it is too long");
});
