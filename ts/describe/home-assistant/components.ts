/**
 * The entity that a key of a state becomes: what Home Assistant reads in the state, and what it sends. The options are
 * those of its MQTT integration.
 */
import type { HomeAssistantPlatform } from "../../noun/home-assistant.ts";
import type { Key, NumberKey } from "../../noun/shape.ts";
import type { Scalar } from "../../noun/state.ts";
import { choicesOf, longestState } from "./choices.ts";
import { changeTemplate, changeText, eitherChange, eitherText, isPlainKey, textWhile, valueAt } from "./templates.ts";
import { stateClassOf, unitOf } from "./units.ts";

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
}

/** What an entity is, and the condition under which the state has a value for it. */
export interface Entity {
  readonly platform: HomeAssistantPlatform;
  /** Undefined if the state is not read. */
  readonly condition: string | undefined;
  readonly component: Component;
}

/** The largest whole number that both sides have. */
const largest = Number.MAX_SAFE_INTEGER;

/** @returns the values off and on; undefined for a key that has others. */
function twoValues(key: Key): readonly [Scalar, Scalar] | undefined {
  if (key.type === "boolean") return [false, true];
  const isBit = key.type === "choice" && key.values.length === 2 && key.values.includes(0) && key.values.includes(1);
  return isBit ? [0, 1] : undefined;
}

/** A noun that fails has the state `null`, and then nothing is read. Home Assistant takes a key that is null for unknown. */
function reading(key: Key, condition: string, expression: string): Component {
  return { state_topic: "~", value_template: textWhile(key.optional === true ? condition : "value_json", expression) };
}

/** @returns "True" or "1", as a template writes a value. */
function pythonText(value: Scalar): string {
  return value === true ? "True" : value === false ? "False" : String(value);
}

function twoStates({ name, key, command, platform, isAlone }: EntityKey, [off, on]: readonly [Scalar, Scalar]): Entity {
  const condition = `${valueAt(name)} is ${key.type === "boolean" ? "boolean" : "number"}`;
  const read = reading(key, condition, valueAt(name));
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
  if (isAlone && isPlainKey(name)) {
    // The commands are the states.
    const component = { state_topic: "~", ...commands };
    return { platform: platform === "light" ? platform : "switch", condition, component };
  }
  if (platform === "light") {
    const { payload_on, payload_off } = commands;
    const template = eitherChange(valueAt(name), name, payload_on, payload_off);
    return { platform, condition, component: { state_topic: "~", state_value_template: template, ...commands } };
  }
  return {
    platform: "switch",
    condition,
    component: { ...read, state_on: pythonText(on), state_off: pythonText(off), ...commands },
  };
}

/** A brightness: 0 is off. */
function light(name: string, maximum: number, command: string): Entity {
  const value = valueAt(name);
  const condition = `${value} is number`;
  const isDimmed = maximum > 1;
  // One that is dimmed is turned on by its brightness, and "ON" is only its state.
  const on = isDimmed ? "ON" : changeText(name, maximum);
  const off = changeText(name, 0);
  const component = {
    state_topic: "~",
    state_value_template: eitherChange(`${condition} and ${value} > 0`, name, on, off),
    command_topic: `~/${command}`,
    payload_on: isDimmed ? undefined : on,
    payload_off: off,
    ...(isDimmed && {
      on_command_type: "brightness",
      brightness_scale: maximum,
      brightness_state_topic: "~",
      brightness_value_template: textWhile("value_json", value),
      brightness_command_topic: `~/${command}`,
      brightness_command_template: changeTemplate(name, "value"),
    }),
  };
  return { platform: "light", condition, component };
}

/** The step of a slider; Home Assistant's least is 0.001. */
function stepOf(type: NumberKey["type"], range: number): number {
  return type === "integer" ? 1 : range >= 10 ? 0.1 : range >= 1 ? 0.01 : 0.001;
}

function measured({ name, key, command, platform }: EntityKey, number: NumberKey): Entity {
  const { minimum = -largest, maximum = largest, type } = number;
  if (command !== undefined && platform === "light" && minimum === 0 && maximum > 0) {
    return light(name, maximum, command);
  }
  const condition = `${valueAt(name)} is number`;
  const { text, deviceClass } = unitOf(key.unit ?? "");
  const isCounter = key.counts !== undefined;
  const unit = {
    unit_of_measurement: text === "" ? undefined : text,
    device_class: isCounter && deviceClass === "volume_storage" ? "volume" : deviceClass,
  };
  const read = { ...reading(key, condition, valueAt(name)), ...unit };
  if (command === undefined || minimum >= maximum) {
    return {
      platform: "sensor",
      condition,
      component: { ...read, state_class: stateClassOf(deviceClass, isCounter) },
    };
  }
  const range = { min: minimum, max: maximum, step: stepOf(type, maximum - minimum) };
  const write = { command_topic: `~/${command}`, command_template: changeTemplate(name, "value") };
  return { platform: "number", condition, component: { ...read, ...range, ...write } };
}

function text({ name, command }: EntityKey, maximumLength = longestState): Entity {
  const value = valueAt(name);
  const condition = `${value} is string`;
  // A slice of null is an error, so the value must be there.
  const read = { state_topic: "~", value_template: textWhile(condition, `${value}[:${longestState}]`) };
  if (command === undefined || maximumLength === 0) return { platform: "sensor", condition, component: read };
  const write = {
    max: Math.min(maximumLength, longestState),
    command_topic: `~/${command}`,
    command_template: changeTemplate(name, "value | tojson"),
  };
  return { platform: "text", condition, component: { ...read, ...write } };
}

/** @returns the entity of a key; undefined for one that Home Assistant cannot show. */
export function entityOf(entity: EntityKey): Entity | undefined {
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
      const { condition, options, writing } = choices;
      const read = { ...reading(key, condition, choices.reading), options };
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
