/** What a configuration says of a cover reaches Home Assistant beside what the cover says itself. */
import { expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import "../../../ts/testing.ts";

const blind = {
  kind: "cover",
  ...{ open: { line: "GPIO4" }, close: { line: "GPIO5" }, openTime: 300, closeTime: 300, tiltTime: 300 },
  boot: "default",
};

const roles = { platform: "cover", position: "position", tilt: "tilt", state: "moving" };

test.each([
  ["a device class is added", { deviceClass: "awning" }, { ...roles, device_class: "awning" }],
  ["an option is added", { homeAssistant: { device_class: "gate" } }, { ...roles, device_class: "gate" }],
  ["another thing replaces it", { homeAssistant: { platform: "valve" } }, { platform: "valve" }],
  ["false leaves it out", { homeAssistant: false }, false],
])("%s", (_, said, expected) => {
  const name = parseNounName("blind");
  const plan = readConfiguration({ nouns: { blind: { ...blind, ...said } } }).nouns.get(name);
  const noun = plan?.build({
    name,
    report: () => {},
    openStore: () => world().storage.openStore("/tmp"),
  });
  if (typeof expected === "object") expect(noun?.homeAssistant).toMatchObject(expected);
  else expect(noun?.homeAssistant).toBe(expected);
  noun?.close?.();
});
