/** What Home Assistant refuses in an entity that an author or a configuration has changed. */
import { deviceClassesOf } from "../../../../core/noun/device-classes.ts";
import type { HomeAssistantPlatform } from "../../../../core/noun/home-assistant.ts";
import { stateClassesOf, unitsOf } from "./classes.ts";
import type { Component } from "./components.ts";

const categories = ["config", "diagnostic"];

const isWord = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";

/** Options that many entities have: which values they take, in words and as a check. */
const options: { readonly [option: string]: readonly [expected: string, takes: (value: unknown) => boolean] } = {
  enabled_by_default: ["true or false", isFlag],
  entity_category: [categories.join(" or "), (value) => categories.includes(String(value))],
  expire_after: ["seconds", (value) => Number.isInteger(value) && Number(value) > 0],
  force_update: ["true or false", isFlag],
  icon: ["an icon such as mdi:door", (value) => /^[\w-]+:[\w-]+$/.test(String(value))],
  name: ["a text", isWord],
  suggested_display_precision: ["a number of decimals", (value) => Number.isInteger(value) && Number(value) >= 0],
  unit_of_measurement: ["a text", isWord],
};

/** @returns words as a list for people. */
function listed(words: readonly string[]): string {
  return words.map((word) => (word === "" ? "none" : word)).join(", ");
}

function refusedClass(platform: HomeAssistantPlatform, component: Component): string | undefined {
  const { device_class: given, unit_of_measurement: unit = "", state_class: stateClass } = component;
  const known = platform === "sensor" ? [...deviceClassesOf(platform), "enum"] : deviceClassesOf(platform);
  if (given !== undefined && known.length > 0 && !known.includes(String(given))) {
    return `a ${platform} has no device_class ${String(given)}`;
  }
  if (platform !== "sensor" && platform !== "number") return undefined;
  const deviceClass = given === undefined ? undefined : String(given);
  const units = deviceClass === undefined ? undefined : unitsOf(deviceClass);
  if (units !== undefined && !units.includes(String(unit))) {
    return `the device_class ${deviceClass} has the units ${listed(units)}, not ${listed([String(unit)])}`;
  }
  const stateClasses = stateClassesOf(deviceClass);
  if (stateClasses.length === 0 && unit !== "") return `the device_class ${deviceClass} has no unit`;
  if (stateClass !== undefined && !stateClasses.includes(String(stateClass))) {
    const possible = stateClasses.join(", ") || "none";
    return `the device_class ${deviceClass} has the state_class ${possible}, not ${String(stateClass)}`;
  }
  return undefined;
}

/** @returns a clause that says why Home Assistant would refuse the entity; undefined if it takes it. */
export function refusalOf(platform: HomeAssistantPlatform, component: Component): string | undefined {
  for (const [option, [expected, takes]] of Object.entries(options)) {
    const value = component[option];
    if (value !== undefined && value !== null && !takes(value)) {
      return `${option} is ${expected}, not ${JSON.stringify(value)}`;
    }
  }
  if (component["entity_category"] === "config" && /sensor$/.test(platform)) {
    return `a ${platform} cannot have the entity_category config`;
  }
  return refusedClass(platform, component);
}
