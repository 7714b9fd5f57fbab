/** Judges a discovery message as Home Assistant does, and what people would have to say about its entities. */

import { deviceClassesOf } from "../../../ts/core/noun/device-classes.ts";
import { stateClassesOf, unitsOf } from "../../../ts/parts/documents/describe/home-assistant/classes.ts";
import {
  abbreviations,
  availabilityEntryKeys,
  deviceAbbreviations,
  deviceKeys,
  entityKeys,
  inherited,
  messageKeys,
  originAbbreviations,
  originKeys,
  platforms,
  triggerKeys,
} from "./words.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lengthened(object: Json | undefined, names: { readonly [short: string]: string }): JsonObject {
  if (!isObject(object)) return {};
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [Object.hasOwn(names, key) ? String(names[key]) : key, value]),
  );
}

/** Replaces `~` in the topics of a component. */
function withTopics(component: JsonObject): JsonObject {
  const { "~": base, ...rest } = component;
  if (typeof base !== "string") return rest;
  const expand = (text: string): string =>
    text.startsWith("~") ? base + text.slice(1) : text.endsWith("~") ? text.slice(0, -1) + base : text;
  const expanded = (key: string, value: Json): Json => {
    if (key.endsWith("topic") && typeof value === "string") return expand(value);
    if (key !== "availability" || !Array.isArray(value)) return value;
    return (value as readonly JsonObject[]).map((entry) => ({ ...entry, topic: expand(String(entry["topic"])) }));
  };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, expanded(key, value)]));
}

/** A component with the long names of its keys, its whole topics, and what it inherits. */
export interface ReadComponent {
  readonly id: string;
  readonly platform: string;
  /** Nothing for a component that is removed. */
  readonly config: JsonObject | undefined;
}

function readComponent(id: string, given: Json, message: JsonObject): ReadComponent {
  const long = lengthened(given, abbreviations);
  const entries = long["availability"];
  const { platform, ...config } = withTopics({
    ...long,
    ...(Array.isArray(entries) && { availability: entries.map((entry) => lengthened(entry, abbreviations)) }),
  });
  if (Object.keys(config).length === 0) return { id, platform: String(platform), config: undefined };
  const shared = inherited.filter((key) => Object.hasOwn(message, key) && !Object.hasOwn(config, key));
  const origin = lengthened(message["origin"], originAbbreviations);
  const device = lengthened(message["device"], deviceAbbreviations);
  return {
    id,
    platform: String(platform),
    config: { ...Object.fromEntries(shared.map((key) => [key, message[key] as Json])), ...config, origin, device },
  };
}

function readMessage(payload: string): JsonObject {
  const message = lengthened(JSON.parse(payload) as Json, abbreviations);
  const entries = message["availability"];
  if (!Array.isArray(entries)) return message;
  return { ...message, availability: entries.map((entry) => lengthened(entry, abbreviations)) };
}

/** @returns the components of a message as Home Assistant reads them. */
export function componentsOf(payload: string): readonly ReadComponent[] {
  const message = readMessage(payload);
  const components = message["components"];
  if (!isObject(components)) return [];
  return Object.entries(components).map(([id, component]) => readComponent(id, component, message));
}

type Report = (mistake: string) => void;

function checkKeys(what: string, object: JsonObject, known: readonly string[], report: Report): void {
  for (const key of Object.keys(object)) if (!known.includes(key)) report(`${what} has the unknown key ${key}`);
}

/** Topics that a client may publish to: without wildcards, and not empty. */
function checkTopic(what: string, topic: Json | undefined, report: Report): void {
  const wild = /^(?:state|json_attributes)_topic$/.test(what) ? /[#\0]/ : /[+#\0]/;
  const isValid = typeof topic === "string" && topic !== "" && !wild.test(topic) && Buffer.byteLength(topic) < 256;
  if (!isValid) report(`${what} is no topic: ${JSON.stringify(topic)}`);
}

function checkTrigger(config: JsonObject, report: Report): void {
  checkKeys("a trigger", config, [...triggerKeys.required, ...triggerKeys.optional, "encoding"], report);
  for (const key of triggerKeys.required) if (typeof config[key] !== "string") report(`${key} is missing`);
  checkTopic("a trigger's topic", config["topic"], report);
}

/** An event that comes back from unavailable is one for an automation that waits for its state. */
function checkAvailability(name: string, config: JsonObject, report: Report): void {
  if (name === "event") {
    if (config["availability"] !== undefined) report("an event is unavailable at times");
    return;
  }
  const entries = config["availability"];
  if (!Array.isArray(entries) || entries.length === 0) {
    report("it is available whether the device is there or not");
    return;
  }
  for (const entry of entries as readonly JsonObject[]) {
    checkKeys("an availability", entry, availabilityEntryKeys, report);
    checkTopic("an availability's topic", entry["topic"], report);
  }
  const { availability_mode: mode = "latest" } = config;
  if (!["all", "any", "latest"].includes(String(mode))) report(`there is no availability_mode ${mode}`);
  if (entries.length > 1 && mode !== "all") report("one topic alone makes it available");
}

function checkSensor(config: JsonObject, report: Report): void {
  const { device_class: deviceClass, options, state_class: stateClass, unit_of_measurement: unit } = config;
  if (options !== undefined) {
    if (!Array.isArray(options) || options.length === 0) report("options is no list, or an empty one");
    if (deviceClass !== "enum") report("options without the device_class enum");
    if (stateClass !== undefined || unit !== undefined) report("options with a state_class or a unit");
  } else if (deviceClass === "enum") report("an enum without options");
  const allowed = stateClassesOf(deviceClass === undefined ? undefined : String(deviceClass));
  if (stateClass !== undefined && !allowed.includes(String(stateClass))) {
    report(`the device_class ${deviceClass} with the state_class ${stateClass}`);
  }
}

function checkUnit({ device_class: deviceClass, unit_of_measurement: unit }: JsonObject, report: Report): void {
  if (unit !== undefined && (typeof unit !== "string" || unit.trim() === "")) report("a unit is no text");
  if (deviceClass === undefined) return;
  if (deviceClass !== "enum" && !deviceClassesOf("sensor").includes(String(deviceClass))) {
    report(`there is no device_class ${deviceClass}`);
  }
  const units = unitsOf(String(deviceClass));
  if (units?.includes(String(unit ?? "")) === false) report(`the device_class ${deviceClass} in ${unit}`);
}

function checkRange(config: JsonObject, report: Report): void {
  const { min = 1, max = 100, step = 1 } = config;
  if (![min, max, step].every((number) => typeof number === "number")) report("a bound is no number");
  if (Number(min) >= Number(max)) report(`min ${min} is not below max ${max}`);
  if (Number(step) < 0.001) report(`the step ${step} is below 0.001`);
}

function checkText(config: JsonObject, report: Report): void {
  const { min = 0, max = 255 } = config;
  if (!(Number(min) < Number(max) && Number(max) <= 255)) report(`a text of ${min} to ${max} characters`);
}

function checkComponent({ platform: name, config }: ReadComponent, report: Report): void {
  if (name === "device_automation") {
    if (config !== undefined) checkTrigger(config, report);
    return;
  }
  const platform = Object.hasOwn(platforms, name) ? platforms[name] : undefined;
  if (platform === undefined) report(`there is no platform ${name}`);
  if (platform === undefined || config === undefined) return;
  checkKeys("it", config, [...entityKeys, ...platform.required, ...platform.optional, "state_topic"], report);
  for (const key of platform.required) if (config[key] === undefined) report(`${key} is missing`);
  for (const [key, value] of Object.entries(config)) if (key.endsWith("topic")) checkTopic(key, value, report);
  for (const [key, value] of Object.entries(config)) {
    if (/payload|template|state_o/.test(key) && typeof value !== "string") report(`${key} is no text`);
  }
  checkAvailability(name, config, report);
  const { unique_id: id, name: title, entity_category: category, device_class: deviceClass } = config;
  const { default_entity_id: entityId } = config;
  if (typeof id !== "string" || id === "") report("it has no unique_id");
  if (title !== null && (typeof title !== "string" || title === "")) report("it has no name");
  if (entityId !== undefined && !new RegExp(`^${name}\\.[a-z0-9_]+$`).test(String(entityId))) {
    report(`${entityId} is no id of a ${name}`);
  }
  if (category !== undefined && !["config", "diagnostic"].includes(String(category))) {
    report(`there is no entity_category ${category}`);
  }
  if (category === "config" && /sensor$/.test(name)) report("a sensor is not for configuring");
  if (platform.deviceClasses === undefined) checkUnit(config, report);
  else if (deviceClass !== undefined && !platform.deviceClasses.includes(String(deviceClass))) {
    report(`there is no device_class ${deviceClass} of a ${name}`);
  }
  if (name === "sensor") checkSensor(config, report);
  if (name === "number") checkRange(config, report);
  if (name === "text") checkText(config, report);
}

/**
 * @param topic where the message is published. @param payload the message.
 * @returns what Home Assistant refuses, drops or warns of, and what its people would complain of: none for a good one.
 */
export function checkDiscovery(topic: string, payload: string): readonly string[] {
  const mistakes: string[] = [];
  if (!/^.+\/device\/[a-zA-Z0-9_-]+\/config$/.test(topic))
    mistakes.push(`${topic} is no topic of a device's discovery`);
  const message = readMessage(payload);
  const report: Report = (mistake) => mistakes.push(mistake);
  checkKeys("the message", message, messageKeys, report);
  const device = lengthened(message["device"], deviceAbbreviations);
  const origin = lengthened(message["origin"], originAbbreviations);
  checkKeys("the device", device, deviceKeys, report);
  checkKeys("the origin", origin, originKeys, report);
  if (!Array.isArray(device["identifiers"]) || device["identifiers"].length === 0)
    report("the device has no identifier");
  if (typeof device["name"] !== "string") report("the device has no name");
  if (typeof origin["name"] !== "string") report("the origin has no name");
  if (!isObject(message["components"])) report("there are no components");
  const ids = new Set<string>();
  for (const component of componentsOf(payload)) {
    checkComponent(component, (mistake) => report(`${component.id}: ${mistake}`));
    const { platform, config } = component;
    if (config === undefined || platform === "device_automation") continue;
    const id = `${platform} ${config["unique_id"]}`;
    if (ids.has(id)) report(`${component.id}: another ${platform} has its unique_id`);
    ids.add(id);
    const title = String(config["name"] ?? "").toLowerCase();
    const owner = String(device["name"]).toLowerCase();
    if (owner !== "" && title.startsWith(owner) && /^(?:$|[\s:,./_-])/.test(title.slice(owner.length))) {
      report(`${component.id}: its name repeats the device's`);
    }
  }
  return mistakes;
}
