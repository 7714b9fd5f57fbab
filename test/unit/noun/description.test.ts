import { expect, test } from "vitest";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import { describeNoun } from "../../../ts/core/noun/description.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";

test("a noun gets a title, a description, and a word on each of its keys", () => {
  const lamp: Noun = new SwitchNoun({ key: "lamp" });
  const keys = { lamp: { title: "Lit", unit: "1", description: "1 is lit." } };
  expect(describeNoun(lamp, { title: "Lamp", description: "Above the stairs.", keys })).toBe(lamp);
  expect(lamp).toMatchObject({ title: "Lamp", description: "Above the stairs." });
  expect(lamp.shape).toEqual({ lamp: { type: "choice", values: [0, 1], ...keys.lamp } });
});

test("what is left out stays as the noun has it", () => {
  const level = { type: "integer", minimum: 0, unit: "cm", title: "Level" } as const;
  const tank = defineNoun({ title: "Tank", shape: { level }, get: () => ({ level: 0 }) });
  const homeAssistant = { icon: "mdi:waves" };
  describeNoun(tank, { description: "In the cellar.", keys: { level: { title: "Water" } }, homeAssistant });
  expect(tank.homeAssistant).toBe(homeAssistant);
  expect(tank.title).toBe("Tank");
  expect(tank.description).toBe("In the cellar.");
  expect(tank.shape).toEqual({ level: { ...level, title: "Water" } });
});

test("the shape of a change is described like that of a state", () => {
  const noun: Noun = Object.assign(new SwitchNoun({ key: "lamp" }), {
    updateShape: { lamp: { type: "choice", values: [1], optional: true } } as const,
  });
  describeNoun(noun, { keys: { lamp: { title: "Lit" } } });
  expect(noun.updateShape).toEqual({ lamp: { type: "choice", values: [1], optional: true, title: "Lit" } });
});

test("words for values and a device class are those of keys", () => {
  const contact: Noun = new SwitchNoun({ key: "window" });
  describeNoun(contact, { group: "House", order: 2, deviceClass: "window", labels: { window: { "0": "shut" } } });
  expect(contact).toMatchObject({ group: "House", order: 2 });
  expect(contact.shape).toEqual({
    window: { type: "choice", values: [0, 1], deviceClass: "window", labels: { "0": "shut" } },
  });
});

test("a word for a value that the key cannot have is refused with a sentence", () => {
  const contact = new SwitchNoun({ key: "window" });
  expect(() => describeNoun(contact, { labels: { window: { "2": "ajar" } } })).toThrow(
    new TypeError('The key "window" cannot have the value "2" of its labels; it takes 0 or 1.'),
  );
  expect(() => describeNoun(contact, { labels: { widow: { "0": "shut" } } })).toThrow('There is no key "widow"');
});

test("a key that the noun does not have is refused with a sentence", () => {
  const lamp = new SwitchNoun({ key: "lamp" });
  expect(() => describeNoun(lamp, { keys: { lmap: { title: "Lit" } } })).toThrow(
    new TypeError('There is no key "lmap" to describe; it has "lamp".'),
  );
  expect(() => describeNoun(lamp, { keys: { toString: {} } })).toThrow(TypeError);
});
