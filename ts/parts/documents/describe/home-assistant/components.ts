/**
 * The entity that a key of a state becomes: what Home Assistant reads in the state, and what it sends. The options are
 * those of its MQTT integration.
 */
import { deviceClassesOf } from "../../../../core/noun/device-classes.ts";
import type { HomeAssistantPlatform } from "../../../../core/noun/home-assistant.ts";
import type { Key } from "../../../../core/noun/shape.ts";
import type { Scalar } from "../../../../core/noun/state.ts";
import { twoValues } from "./choices.ts";
import { changeText, isPlainKey, reading, valueAt, wholeState } from "./templates.ts";
import { thingOf } from "./things.ts";
import { entityOfValue } from "./values.ts";

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

/** @returns "True" or "1", as a template writes a value. */
function pythonText(value: Scalar): string {
  return value === true ? "True" : value === false ? "False" : String(value);
}

function twoStates(entity: EntityKey, [off, on]: readonly [Scalar, Scalar]): Entity {
  const { name, key, command, isAlone } = entity;
  const { condition, read } = reading(entity, `${valueAt(name)} is ${typeof on}`, valueAt(name));
  const [onText, offText] = [pythonText(on), pythonText(off)];
  if (command === undefined) {
    return { platform: "binary_sensor", condition, component: { ...read, payload_on: onText, payload_off: offText } };
  }
  const commands = {
    command_topic: `~/${command}`,
    payload_on: changeText(name, on),
    payload_off: changeText(name, off),
  };
  // The commands of a key that is the whole state are its states.
  const isWhole = isAlone && isPlainKey(name) && key.optional !== true;
  const states = isWhole ? { state_topic: "~" } : { ...read, state_on: onText, state_off: offText };
  return { platform: "switch", condition, component: { ...states, ...commands } };
}

/** @returns the entity of a key; undefined for one that Home Assistant cannot show. */
export function entityOf(key: EntityKey): Entity | undefined {
  const entity = entityOfType(key);
  const { deviceClass } = key;
  if (deviceClass === undefined || entity === undefined) return entity;
  const { platform, component } = entity;
  if (Object.hasOwn(component, "device_class") || !deviceClassesOf(platform).includes(deviceClass)) return entity;
  return { ...entity, component: { ...component, device_class: deviceClass } };
}

function entityOfType(entity: EntityKey): Entity | undefined {
  const { name, key, command } = entity;
  const { platform } = entity;
  if (command !== undefined && (platform === "button" || platform === "scene")) {
    // The noun's own rule: an output with a pulse starts one, and a scene runs.
    const payload = platform === "button" ? { payload_press: "{}" } : { payload_on: "{}" };
    return { platform, condition: undefined, component: { command_topic: `~/${command}`, ...payload } };
  }
  const two = twoValues(key);
  if (command !== undefined && entity.platform === "light") {
    const role = two === undefined ? "brightness" : "on";
    const component = thingOf("light", { [role]: { name, key, topic: "~", command: `~/${command}` } });
    if (typeof component !== "string") return { platform: "light", condition: wholeState, component };
  }
  return two === undefined ? entityOfValue(entity) : twoStates(entity, two);
}
