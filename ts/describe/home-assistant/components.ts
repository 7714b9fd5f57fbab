/**
 * The entity that a key of a state becomes: what Home Assistant reads in the state, and what it sends. The options are
 * those of its MQTT integration.
 */
import { deviceClassesOf } from "../../noun/device-classes.ts";
import type { HomeAssistantPlatform } from "../../noun/home-assistant.ts";
import type { Key, NumberKey } from "../../noun/shape.ts";
import type { Scalar } from "../../noun/state.ts";
import { choicesOf } from "./choices.ts";
import { type HomeAssistantUnit, stateClassOf, unitOf } from "./classes.ts";
import { changeTemplate, changeText, eitherText, isPlainKey, longestState, textWhile, valueAt } from "./templates.ts";
import { thingOf } from "./things.ts";
import { twoValues } from "./two-values.ts";

/** JSON of a component: its keys in the words of Home Assistant. */
export type Component = {
  readonly [key: string]: Scalar | undefined | readonly string[] | readonly Component[];
};

/** A key of a noun that becomes an entity. */
export interface EntityKey {
  readonly name: string;
  readonly key: Key;
  /** Whether the state has no other key. */
  readonly isAlone: boolean;
  /** Where a change is sent, below the noun's topic; undefined if the key is only read. */
  readonly command: "put" | "post" | undefined;
  /** The platform that was asked for; the one that fits, if it is undefined or does not fit. */
  readonly platform: HomeAssistantPlatform | undefined;
  /** The device class that was asked for; undefined for the one of the unit. */
  readonly deviceClass: string | undefined;
}

/** What an entity is, and the condition under which the state has a value for it. */
export interface Entity {
  readonly platform: HomeAssistantPlatform;
  /** Undefined if the state is not read. */
  readonly condition: string | undefined;
  readonly component: Component;
}

/** The condition under which a noun has a state. */
export const wholeState = "value_json is mapping";

/** The largest whole number that both sides have. */
const largest = Number.MAX_SAFE_INTEGER;

/**
 * @param test the condition under which the key has a value. @param expression that of the value.
 * @returns when the entity is available, and how its state is read. A noun that fails has the state `null`, and then
 * nothing is read. An optional key that can be set is unknown while it is absent: otherwise nobody could set it.
 */
function reading({ name, key, command }: EntityKey, test: string, expression: string) {
  const isOptional = key.optional === true;
  if (isOptional && command !== undefined) {
    const condition = `${wholeState} and (${valueAt(name)} is not defined or ${test})`;
    const absent = key.type === "string" ? "''" : "'None'";
    return { condition, read: { state_topic: "~", value_template: `{{${expression} if ${test} else${absent}}}` } };
  }
  // A part of a text that is null is an error.
  const template = textWhile(isOptional || key.type === "string" ? test : "value_json", expression);
  return { condition: test, read: { state_topic: "~", value_template: template } };
}

/** @returns "True" or "1", as a template writes a value. */
function pythonText(value: Scalar): string {
  return value === true ? "True" : value === false ? "False" : String(value);
}

function twoStates(entity: EntityKey, [off, on]: readonly [Scalar, Scalar]): Entity {
  const { name, key, command, isAlone } = entity;
  const { condition, read } = reading(entity, `${valueAt(name)} is ${typeof on}`, valueAt(name));
  if (command === undefined) {
    return {
      platform: "binary_sensor",
      condition,
      component: { ...read, payload_on: pythonText(on), payload_off: pythonText(off) },
    };
  }
  const commands = {
    command_topic: `~/${command}`,
    payload_on: changeText(name, on),
    payload_off: changeText(name, off),
  };
  if (isAlone && isPlainKey(name) && key.optional !== true) {
    // The commands are the states.
    return { platform: "switch", condition, component: { state_topic: "~", ...commands } };
  }
  return {
    platform: "switch",
    condition,
    component: { ...read, state_on: pythonText(on), state_off: pythonText(off), ...commands },
  };
}

/** The step of a slider; Home Assistant's least is 0.001. */
function stepOf(type: NumberKey["type"], range: number): number {
  return type === "integer" ? 1 : range >= 10 ? 0.1 : range >= 1 ? 0.01 : 0.001;
}

/** @returns the decimals of a step. */
function decimalsOf(step: number): number {
  return (String(step).split(".")[1] ?? "").length;
}

const mebibyte = 1_048_576;

const none: HomeAssistantUnit = { text: "" };

function usualStateClass(isCounter: boolean): string {
  return isCounter ? "total_increasing" : "measurement";
}

function measured(entity: EntityKey, number: NumberKey): Entity {
  const { name, key, command, deviceClass: asked } = entity;
  const bound = number.type === "integer" ? largest : Number.MAX_VALUE;
  const { minimum = -bound, maximum = bound, type, step } = number;
  const isSensor = command === undefined || minimum >= maximum;
  const value = valueAt(name);
  // Bytes of which the last million does not matter to people.
  const isLarge = isSensor && key.unit === "By" && (step ?? 0) >= mebibyte;
  const { condition, read } = reading(
    entity,
    `${value} is number`,
    isLarge ? `(${value}/${mebibyte})|round(1)` : value,
  );
  // The table of classes is not loaded for a number without a unit.
  const { text, deviceClass } = key.unit === undefined ? none : unitOf(isLarge ? "MiBy" : key.unit);
  const isCounter = key.counts !== undefined;
  const implied = isCounter && deviceClass === "volume_storage" ? "volume" : deviceClass;
  const named = asked !== undefined && deviceClassesOf("sensor").includes(asked) ? asked : implied;
  const shown = { ...read, unit_of_measurement: text === "" ? undefined : text, device_class: named };
  if (isSensor) {
    const precision = step === undefined ? undefined : isLarge ? 0 : decimalsOf(step);
    const component = {
      ...shown,
      state_class: named === undefined ? usualStateClass(isCounter) : stateClassOf(named, isCounter),
      suggested_display_precision: precision,
    };
    return { platform: "sensor", condition, component };
  }
  const range = { min: minimum, max: maximum, step: step ?? stepOf(type, maximum - minimum) };
  const write = { command_topic: `~/${command}`, command_template: changeTemplate(name, "value") };
  return { platform: "number", condition, component: { ...shown, ...range, ...write } };
}

/** The device classes of sensors that show a time as text. */
const moments = ["date", "timestamp", "uptime"];

function text(entity: EntityKey, maximumLength = longestState): Entity {
  const { name, command, deviceClass = "" } = entity;
  const value = valueAt(name);
  const { condition, read } = reading(entity, `${value} is string`, `${value}[:${longestState}]`);
  if (command === undefined || maximumLength === 0) {
    const device_class = moments.includes(deviceClass) ? deviceClass : undefined;
    return { platform: "sensor", condition, component: { ...read, device_class } };
  }
  const write = {
    max: Math.min(maximumLength, longestState),
    command_topic: `~/${command}`,
    command_template: changeTemplate(name, "value | tojson"),
  };
  return { platform: "text", condition, component: { ...read, ...write } };
}

/** @returns the entity of a key; undefined for one that Home Assistant cannot show. */
export function entityOf(key: EntityKey): Entity | undefined {
  const entity = entityOfType(key);
  const { deviceClass } = key;
  if (deviceClass === undefined || entity === undefined) return entity;
  if (Object.hasOwn(entity.component, "device_class")) return entity;
  if (!deviceClassesOf(entity.platform).includes(deviceClass)) return entity;
  return { ...entity, component: { ...entity.component, device_class: deviceClass } };
}

function entityOfType(entity: EntityKey): Entity | undefined {
  const { name, key, command } = entity;
  if (command !== undefined && entity.platform === "button") {
    // The noun's own rule: an output with a pulse starts one.
    return {
      platform: "button",
      condition: undefined,
      component: { command_topic: `~/${command}`, payload_press: "{}" },
    };
  }
  const two = twoValues(key);
  if (command !== undefined && entity.platform === "light") {
    const role = two === undefined ? "brightness" : "on";
    const component = thingOf("light", { [role]: { name, key, topic: "~", command: `~/${command}` } });
    if (typeof component !== "string") return { platform: "light", condition: wholeState, component };
  }
  if (two !== undefined) return twoStates(entity, two);
  switch (key.type) {
    case "integer":
    case "number":
      return measured(entity, key);
    case "string":
      return text(entity, key.maximumLength);
    case "choice": {
      const choices = choicesOf(name, key);
      if (choices === undefined) return undefined;
      const { options, writing } = choices;
      const { condition, read: state } = reading(entity, choices.condition, choices.reading);
      const read = { ...state, options };
      if (command === undefined) {
        return { platform: "sensor", condition, component: { ...read, device_class: "enum" } };
      }
      const write = { command_topic: `~/${command}`, command_template: changeTemplate(name, writing) };
      return { platform: "select", condition, component: { ...read, ...write } };
    }
    default:
      return undefined;
  }
}

/** @returns the condition as a template of an availability. */
export function availabilityTemplate(condition: string): string {
  return eitherText(condition, "online", "offline");
}
