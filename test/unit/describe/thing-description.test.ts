import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import type { DescribedDevice } from "../../../ts/parts/documents/describe/described-device.ts";
import { openApi } from "../../../ts/parts/documents/describe/open-api.ts";
import { thingDescription } from "../../../ts/parts/documents/describe/thing-description.ts";
import { allMethods, application, described, device, relayBoard, wholeOf } from "./devices.ts";
import { anyNouns } from "./shapes.ts";

const official = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("wot-thing-description-types/schema/td-json-schema-validation.json"),
    "utf8",
  ),
);

const ajv = new Ajv({ strict: false, allErrors: true });
const { default: addFormats } = formats;
addFormats(ajv);
const isThingDescription = ajv.compile(official);

/** @returns the parsed description, once the official schema has passed it. */
function describe(subject: DescribedDevice) {
  const description = JSON.parse(wholeOf(thingDescription(subject)));
  isThingDescription(description);
  expect(isThingDescription.errors).toBeNull();
  return description;
}

test("the official schema passes the relay board with a noun of every kind, and refuses it without a title", () => {
  const description = describe(device(relayBoard().map(({ noun }) => noun)));
  expect(Object.keys(description.properties)).toHaveLength(relayBoard().length);
  expect(isThingDescription({ ...description, title: undefined })).toBe(false);
});

test("the official schema passes an application of three nouns", () => {
  const { properties, actions } = describe(
    device(application(), { id: "urn:uuid:9f1c0c6e-6f6b-4d1c-9d59-0d2b7c1f4a11" }),
  );
  expect(Object.keys(properties)).toEqual(["hall.thermostat-1", "lamp~2", "note"]);
  expect(Object.keys(actions)).toEqual(application().flatMap(({ name }) => [`${name}.update`, `${name}.reset`]));
});

test("a noun that takes any update says so, though its state has a shape", () => {
  const shape = { sent: { type: "integer", readOnly: true } } as const;
  const noun = { name: "hook", shape, takesAny: true, methods: allMethods };
  const { actions } = describe(device([noun]));
  expect(actions["hook.update"].input).toEqual({
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
  });
});

test("the official schema passes whatever the shapes", () => {
  fc.assert(
    fc.property(anyNouns, fc.boolean(), (nouns, tokens) => {
      describe(device(nouns, { demands: { tokens, hosts: false, origins: false } }));
    }),
  );
});

test("every state of the relay board is one of its property", async () => {
  const { properties } = describe(device(relayBoard().map(({ noun }) => noun)));
  for (const { noun, state } of relayBoard()) {
    const isState = new Ajv({ strict: false }).compile(properties[noun.name]);
    const found = await state;
    expect([isState(found), isState.errors]).toEqual([true, null]);
    if (noun.shape !== undefined) expect(isState({ ...(found as object), other: 1 })).toBe(false);
  }
});

test("words for people are in the description, under names of nound's own", () => {
  const fallsBack = { to: 0, after: 800, renewed: false } as const;
  const words = { labels: { "0": "closed", "1": "open" }, deviceClass: "door", diagnostic: true, fallsBack } as const;
  const shape = { open: { type: "choice", values: [0, 1], ...words } } as const;
  const place = { group: "House", order: -1, action: "Press" };
  const { properties } = describe(device([{ name: "it", shape, methods: allMethods, ...place }]));
  expect(properties.it).toMatchObject({ "nound:group": "House", "nound:order": -1, "nound:action": "Press" });
  expect(properties.it.properties.open).toEqual({
    type: "integer",
    enum: [0, 1],
    "nound:labels": words.labels,
    "nound:deviceClass": "door",
    "nound:diagnostic": true,
    "nound:fallsBack": fallsBack,
  });
});

test("a time of day says so, and a thermostat which keys are its own and which are of other nouns", () => {
  const shape = { at: { type: "string", format: "time" }, wanted: { type: "number" } } as const;
  const climate = { target: "wanted", current: "room/celsius" };
  const { properties } = describe(device([{ name: "it", shape, methods: allMethods, climate }]));
  expect(properties.it["nound:climate"]).toEqual(climate);
  expect(properties.it.properties.at).toMatchObject({ type: "string", "nound:format": "time" });
});

test("a property has its title, its unit, its range, and forms to read, to write and to observe", () => {
  const { properties, base } = describe(device(application()));
  const { title, description, type, required, forms, ...thermostat } = properties["hall.thermostat-1"];
  expect({ title, description, type, required }).toEqual({
    title: "Thermostat",
    description: "Heats the hall.",
    type: "object",
    required: ["target", "mode"],
  });
  expect(thermostat.properties).toEqual({
    target: { title: "Wanted", type: "number", minimum: 5, maximum: 30, unit: "Cel" },
    mode: { enum: ["auto", "off", 7, null] },
    label: { type: "string", maxLength: 2 },
    celsius: { oneOf: [{ type: "number" }, { type: "null" }], unit: "Cel", readOnly: true },
  });
  expect(base).toBe("http://192.0.2.7:8080/");
  expect(forms.map(({ href, op, subprotocol }: never) => [href, op, subprotocol])).toEqual([
    ["hall.thermostat-1", "readproperty", undefined],
    ["hall.thermostat-1", "writeproperty", undefined],
    ["hall.thermostat-1", ["observeproperty", "unobserveproperty"], "sse"],
  ]);
});

test("an update takes a change, a reset takes nothing, and each says its method", () => {
  const { actions } = describe(device([described("lamp", new SwitchNoun({ key: "lamp" }))]));
  expect(actions["lamp.update"]).toMatchObject({
    input: { type: "object", properties: { lamp: { enum: [0, 1] } }, additionalProperties: false },
    forms: [{ href: "lamp", op: "invokeaction", "htv:methodName": "POST", contentType: "application/json" }],
  });
  expect(actions["lamp.update"].input).not.toHaveProperty("required");
  expect(actions["lamp.reset"]).toMatchObject({ idempotent: true, forms: [{ "htv:methodName": "DELETE" }] });
  expect(actions["lamp.reset"]).not.toHaveProperty("input");
});

test("only what its reader may send is offered", () => {
  const lamp = new SwitchNoun({ key: "lamp" });
  const { properties, actions, forms } = describe(
    device([
      described("seen", lamp, ["GET"]),
      described("set", lamp, ["PUT"]),
      described("toggled", lamp, ["POST"]),
      described("forgotten", lamp, []),
    ]),
  );
  expect(Object.keys(properties)).toEqual(["seen", "set"]);
  expect(properties["seen"]).toMatchObject({ readOnly: true, observable: true });
  expect(properties["seen"]).not.toHaveProperty("writeOnly");
  expect(properties["set"]).toMatchObject({ writeOnly: true, observable: false });
  expect(properties["set"].forms).toHaveLength(1);
  expect(Object.keys(actions)).toEqual(["toggled.update"]);
  expect(forms.map(({ op }: { op: unknown }) => op)).toEqual([
    "readallproperties",
    ["observeallproperties", "unobserveallproperties"],
  ]);
  expect(describe(device([described("toggled", lamp, ["POST"])]))).not.toHaveProperty("forms");
});

test.each([
  [false, { none: { scheme: "nosec" } }, ["none"]],
  [true, { token: { scheme: "bearer", in: "header", name: "Authorization", format: "opaque" } }, ["token"]],
])("the security is what is in force: tokens %s", (tokens, definitions, security) => {
  const description = describe(device(application(), { demands: { tokens, hosts: true, origins: true } }));
  expect(description).toMatchObject({ securityDefinitions: definitions, security });
});

test("without an id in the configuration the description has none", () => {
  expect(describe(device(application()))).not.toHaveProperty("id");
  expect(describe(device(application(), { id: "urn:x:1" })).id).toBe("urn:x:1");
});

test("both descriptions mark a key that changes with time alone, and no other", () => {
  const shape = {
    age: { type: "integer", unit: "ms", readOnly: true, timeDependent: true },
    level: { type: "integer" },
  } as const;
  const aged = device([{ name: "n", shape, methods: allMethods }]);
  const thing = JSON.parse(wholeOf(thingDescription(aged)));
  expect(thing["@context"][1].nound).toBe("urn:x-nound:");
  expect(thing.properties.n.properties).toMatchObject({ age: { "nound:timeDependent": true } });
  expect(thing.properties.n.properties.level).toEqual({ type: "integer" });
  const { n } = JSON.parse(wholeOf(openApi(aged))).components.schemas;
  expect(n.properties).toMatchObject({ age: { "x-timeDependent": true, "x-unit": "ms" } });
  expect(n.properties.level).toEqual({ type: "integer" });
});
