/** The entity of a key that has more than two values: a number, a text or a choice. */
import { deviceClassesOf } from "../../noun/device-classes.ts";
import type { NumberKey } from "../../noun/shape.ts";
import { choicesOf } from "./choices.ts";
import { type HomeAssistantUnit, stateClassOf, unitOf } from "./classes.ts";
import type { Entity, EntityKey } from "./components.ts";
import { reading } from "./reading.ts";
import { changeTemplate, longestState, valueAt } from "./templates.ts";

/** The largest whole number that both sides have. */
const largest = Number.MAX_SAFE_INTEGER;

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
  const isCounter = key.counts !== undefined;
  // A total is measured, and set when a meter is replaced.
  const isSensor = command === undefined || isCounter || minimum >= maximum;
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

/** @returns the entity of such a key; undefined for one that Home Assistant cannot show. */
export function entityOfValue(entity: EntityKey): Entity | undefined {
  const { name, key, command } = entity;
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
