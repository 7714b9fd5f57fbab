/** What the page makes of a Thing Description, which is written by ts/parts/documents/describe. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { humanize, keysOf, readDescription, undescribedNoun } from "../../../ts/page/thing.ts";
import { thingDescription } from "../../../ts/parts/documents/describe/thing-description.ts";
import { device, wholeOf } from "../describe/devices.ts";
import { anyNouns, anyShape } from "../describe/shapes.ts";

const methods = ["GET", "PUT", "POST", "DELETE"] as const;

function nounOf(shape: Shape | undefined, rest: object = {}) {
  const [noun] = readDescription(
    JSON.parse(wholeOf(thingDescription(device([{ name: "n", shape, methods, ...rest }])))),
    "",
  ).nouns;
  if (noun === undefined) throw new Error("There is no noun.");
  return noun;
}

test("every noun and every key of a description is on the page, under its title or its name", () => {
  fc.assert(
    fc.property(anyNouns, (given) => {
      const described = device(given);
      const { title, nouns } = readDescription(JSON.parse(wholeOf(thingDescription(described))), "nowhere");
      expect(title).toBe(described.title);
      const offered = described.nouns.filter(({ methods }) => methods.length > 0);
      expect(nouns.map(({ name }) => name).toSorted()).toEqual(offered.map(({ name }) => name).toSorted());
      for (const { name, title: given, shape } of offered) {
        const noun = nouns.find((one) => one.name === name);
        if (noun?.isRead || noun?.isPut) expect(noun.title).toBe(given ?? humanize(name));
        if (noun?.isRead || noun?.isPut) expect(noun.keys?.map((key) => key.name)).toEqual(shape && Object.keys(shape));
      }
    }),
  );
});

test("a key is set by the control of its kind, unless it is read-only", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      for (const key of nounOf(shape).keys ?? []) {
        const declared = shape[key.name];
        expect(key.readOnly).toBe(declared?.readOnly === true);
        expect(key.unit).toBe(declared?.unit);
        if (declared?.type === "boolean") expect([key.kind, key.values]).toEqual(["switch", [false, true]]);
        if (declared?.type === "number")
          expect([key.kind, key.minimum, key.maximum]).toEqual(["number", declared.minimum, declared.maximum]);
        if (declared?.type === "string") expect(key.kind).toBe("text");
      }
    }),
  );
});

test.each([
  [{ type: "choice", values: [0, 1] }, "switch"],
  [{ type: "choice", values: ["off", "on"] }, "switch"],
  [{ type: "choice", values: ["closed", "open"], readOnly: true }, "switch"],
  // Two words that no position of a switch shows.
  [{ type: "choice", values: ["closed", "open"] }, "choice"],
  [{ type: "string", format: "time" }, "time"],
  [{ type: "choice", values: ["auto", null] }, "choice"],
  [{ type: "choice", values: ["low", "middle", "high"] }, "choice"],
  [{ type: "integer", minimum: 0, maximum: 1 }, "switch"],
  [{ type: "integer", minimum: 0, maximum: 2 }, "number"],
  [{ type: "number", minimum: 0, maximum: 1 }, "number"],
] as const)("%j is a %s", (key, kind) => {
  expect(nounOf({ a: key }).keys?.[0]?.kind).toBe(kind);
});

test("POST takes a key by itself where its change has the shape of its state", () => {
  const level = { type: "integer", minimum: 0 } as const;
  const isPosted = (rest: object) => nounOf({ level }, rest).keys?.map((key) => key.isPosted);
  expect(isPosted({})).toEqual([true]);
  expect(isPosted({ updateShape: { level: { ...level, minimum: -9 } } })).toEqual([false]);
  expect(isPosted({ updateShape: { by: level } })).toEqual([false]);
  expect(isPosted({ methods: ["GET", "PUT"] })).toEqual([false]);
});

test("what may not be asked of a noun has no control", () => {
  const shape = { on: { type: "boolean" } } as const;
  expect(nounOf(shape, { methods: ["GET"] })).toMatchObject({
    isPut: false,
    isPosted: false,
    isReset: false,
    keys: [{ readOnly: true }],
  });
  expect(nounOf(shape, { methods: ["GET", "POST"] })).toMatchObject({
    isPut: false,
    isPosted: true,
    keys: [{ readOnly: false }],
  });
  expect(nounOf(shape, { methods: ["POST"] })).toMatchObject({ isRead: false, isPosted: true, action: "Update" });
});

test("nothing of a description is taken for granted", () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.record({ properties: fc.jsonValue(), actions: fc.jsonValue() }),
    fc.record({
      properties: fc.dictionary(
        fc.string(),
        fc.record({ properties: fc.dictionary(fc.string(), fc.jsonValue()), forms: fc.jsonValue() }),
      ),
      actions: fc.dictionary(fc.string(), fc.record({ input: fc.jsonValue() })),
    }),
  );
  fc.assert(fc.property(odd, (value) => void readDescription(value, "x")));
});

test("a state without a shape has a key for each of its values", () => {
  const state: State = { on: true, level: 1.5, text: "a", none: null };
  const keys = keysOf(state, undescribedNoun("n"));
  expect(keys.map(({ name, kind, readOnly }) => [name, kind, readOnly])).toEqual([
    ["on", "switch", false],
    ["level", "number", false],
    ["text", "text", false],
    ["none", "text", false],
  ]);
});

test.each([
  ["sinceEdge", "Since edge"],
  ["simulated.button", "Simulated button"],
  ["load15", "Load 15"],
  ["led_green-2", "Led green 2"],
  ["a", "A"],
  ["~", "~"],
])("the name %s is shown as %s", (name, shown) => {
  expect(humanize(name)).toBe(shown);
});
