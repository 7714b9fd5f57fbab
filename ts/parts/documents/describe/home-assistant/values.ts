/** The entity of a key that has more than two values: a number, a text or a choice. */
import { deviceClassesOf } from "../../../../core/noun/device-classes.ts";
import type { NumberKey } from "../../../../core/noun/shape.ts";
import { choicesOf } from "./choices.ts";
import { stateClassOf, unitOf } from "./classes.ts";
import type { Entity, EntityKey } from "./components.ts";
import { changesTemplate, longestState, reading, textWhile, valueAt } from "./templates.ts";

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

/** @returns where a key is set, and how. @param expression of the JSON of `value`. */
function writing({ name, command }: EntityKey, expression: string) {
  return { command_topic: `~/${command}`, command_template: changesTemplate([[name, expression]]) };
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
  const { text, deviceClass } = key.unit === undefined ? { text: "" } : unitOf(isLarge ? "MiBy" : key.unit);
  const implied = isCounter && deviceClass === "volume_storage" ? "volume" : deviceClass;
  const named = asked !== undefined && deviceClassesOf("sensor").includes(asked) ? asked : implied;
  const shown = { ...read, unit_of_measurement: text === "" ? undefined : text, device_class: named };
  if (isSensor) {
    const usual = isCounter ? "total_increasing" : "measurement";
    const component = {
      ...shown,
      state_class: named === undefined ? usual : stateClassOf(named, isCounter),
      suggested_display_precision: step && (isLarge ? 0 : decimalsOf(step)),
    };
    return { platform: "sensor", condition, component };
  }
  const range = { min: minimum, max: maximum, step: step ?? stepOf(type, maximum - minimum) };
  return { platform: "number", condition, component: { ...shown, ...range, ...writing(entity, "value") } };
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
  const max = Math.min(maximumLength, longestState);
  return { platform: "text", condition, component: { ...read, max, ...writing(entity, "value | tojson") } };
}

/** A time of the clock, which Home Assistant has with its seconds. While the key is one of the sun, it is unknown. */
function timeOfDay(entity: EntityKey): Entity {
  const value = valueAt(entity.name);
  const { condition } = reading(entity, `${value} is string`, value);
  const template = textWhile(`${value} is string and ${value}|length==5`, value, "'None'");
  const commands = writing(entity, "(value|string)[:5] | tojson");
  return { platform: "time", condition, component: { state_topic: "~", value_template: template, ...commands } };
}

/** @returns the entity of such a key; undefined for one that Home Assistant cannot show. */
export function entityOfValue(entity: EntityKey): Entity | undefined {
  const { name, key, command } = entity;
  switch (key.type) {
    case "integer":
    case "number":
      return measured(entity, key);
    case "string":
      return entity.platform === "time" && command !== undefined && key.format !== undefined
        ? timeOfDay(entity)
        : text(entity, key.maximumLength);
    case "choice": {
      const choices = choicesOf(name, key);
      if (choices === undefined) return undefined;
      const { options } = choices;
      const { condition, read } = reading(entity, choices.condition, choices.reading);
      return command === undefined
        ? { platform: "sensor", condition, component: { ...read, options, device_class: "enum" } }
        : { platform: "select", condition, component: { ...read, options, ...writing(entity, choices.writing) } };
    }
    default:
      return undefined;
  }
}
