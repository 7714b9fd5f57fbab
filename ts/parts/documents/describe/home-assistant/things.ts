/**
 * Whole things: a noun whose keys are one entity of Home Assistant, such as a thermostat. A table says which options of
 * its MQTT integration each role of a thing is.
 */
import type { HomeAssistantComponent, HomeAssistantOptions } from "../../../../core/noun/home-assistant.ts";
import type { Key } from "../../../../core/noun/shape.ts";
import { choicesOf, twoValues } from "./choices.ts";
import type { Component } from "./components.ts";
import { changesTemplate, changeText, eitherChange, eitherText, textWhile, valueAt } from "./templates.ts";

/** A key that has a role. */
export interface RoleKey {
  readonly name: string;
  readonly key: Key;
  /** Of the state that has the key. */
  readonly topic: string;
  /** The topic that sets the key; undefined if it is only read. */
  readonly command: string | undefined;
}

/** The keys of a thing, by their roles. */
export type Roles = { readonly [role: string]: RoleKey };

/** How a role is written. The options are those of the MQTT integration. */
interface Row {
  /** The options of the topic and the template of the state. */
  readonly state: readonly [topic: string, template: string];
  /** Those of the command; none for a key that is only read. */
  readonly command?: readonly [topic: string, template?: string];
  /** For two states: the options of both commands, and the words of both states, if these are not the commands. */
  readonly payloads?: readonly [on: string, off: string];
  readonly words?: readonly [on: string, off: string];
  /** For a number: the options of its range. */
  readonly range?: { readonly minimum?: string; readonly maximum?: string; readonly step?: string };
  /** For a choice: the option of the list, the words that it may have, and those of a key with two values. */
  readonly list?: string;
  readonly options?: string;
  readonly pair?: readonly [off: string, on: string];
  /** Options that the role needs besides. */
  readonly fixed?: Component;
  /** Whether a key has the role if the author names none. */
  finds?(key: Key, isSet: boolean): boolean;
}

const isTwo = (key: Key, isSet: boolean) => isSet && twoValues(key) !== undefined;
const isLevel = (key: Key, isSet: boolean) => isSet && key.colour === undefined && maximumOf(key) > 0;
const isTemperature = ({ unit = "" }: Key) => ["Cel", "[degF]", "K"].includes(unit);
const modes = "auto off cool heat dry fan_only heat_cool";

/** @returns the options of a role whose topics and templates are named by its stem and by one of these words. */
const named = (stem: string, template: "value_template" | "state_template"): Pick<Row, "state" | "command"> => ({
  state: [`${stem}_state_topic`, `${stem}_${template}`],
  command: [`${stem}_command_topic`, `${stem}_command_template`],
});

const onOff: Row = {
  state: ["state_topic", "state_value_template"],
  command: ["command_topic"],
  payloads: ["payload_on", "payload_off"],
  finds: isTwo,
};
const openClosed: Row = {
  state: ["state_topic", "value_template"],
  command: ["command_topic"],
  payloads: ["payload_open", "payload_close"],
  words: ["open", "closed"],
  finds: isTwo,
};
const preset: Row = { ...named("preset_mode", "value_template"), list: "preset_modes" };
const positions = { minimum: "position_closed", maximum: "position_open" } as const;

const table: { readonly [component in HomeAssistantComponent]: { readonly [role: string]: Row } } = {
  light: {
    on: onOff,
    brightness: {
      ...named("brightness", "value_template"),
      range: { maximum: "brightness_scale" },
      finds: isLevel,
    },
    effect: { ...named("effect", "value_template"), list: "effect_list" },
  },
  fan: {
    on: onOff,
    percentage: { ...named("percentage", "value_template"), range: { maximum: "speed_range_max" }, finds: isLevel },
    preset,
  },
  climate: {
    target: {
      ...named("temperature", "state_template"),
      range: { minimum: "min_temp", maximum: "max_temp", step: "temp_step" },
      finds: (key, isSet) => isSet && isTemperature(key),
    },
    current: {
      state: ["current_temperature_topic", "current_temperature_template"],
      range: {},
      finds: (key, isSet) => !isSet && isTemperature(key),
    },
    humidity: { state: ["current_humidity_topic", "current_humidity_template"], range: {} },
    mode: {
      ...named("mode", "state_template"),
      list: "modes",
      options: modes,
      pair: ["off", "heat"],
      finds: (key, isSet) => isSet && (twoValues(key) !== undefined || optionsOf("", key, modes) !== undefined),
    },
    action: {
      state: ["action_topic", "action_template"],
      options: "off heating cooling drying idle fan preheating defrosting",
      pair: ["idle", "heating"],
    },
    preset,
  },
  cover: {
    position: {
      state: ["position_topic", "position_template"],
      command: ["set_position_topic", "set_position_template"],
      range: positions,
      fixed: { payload_stop: null },
      finds: isLevel,
    },
    tilt: {
      state: ["tilt_status_topic", "tilt_status_template"],
      command: ["tilt_command_topic", "tilt_command_template"],
      range: { minimum: "tilt_min", maximum: "tilt_max" },
    },
    open: { ...openClosed, fixed: { payload_stop: null } },
    state: { state: ["state_topic", "value_template"], options: "open opening closed closing stopped" },
  },
  valve: {
    position: {
      state: ["state_topic", "value_template"],
      command: ["command_topic", "command_template"],
      range: positions,
      fixed: { reports_position: true },
      finds: isLevel,
    },
    open: openClosed,
  },
  lock: {
    locked: {
      ...openClosed,
      payloads: ["payload_lock", "payload_unlock"],
      words: ["LOCKED", "UNLOCKED"],
    },
  },
};

const colours = ["red", "green", "blue"] as const;

/**
 * @param keys how many keys the noun has: the light of one key is the entity of that key.
 * @returns the whole thing that a noun is; undefined if its keys are entities.
 */
export function thingIn(options: HomeAssistantOptions | undefined, keys: number): HomeAssistantComponent | undefined {
  if (options === undefined || options === false) return undefined;
  const { platform = "" } = options;
  if (platform === "light" && keys < 2) return undefined;
  return Object.hasOwn(table, platform as string) ? (platform as HomeAssistantComponent) : undefined;
}

/** @returns the roles of a component, and for each whether a key has it if the author names none. */
function rolesOf(component: HomeAssistantComponent): { readonly [role: string]: Row["finds"] } {
  const rows = Object.entries(table[component]).map(([role, { finds }]) => [role, finds] as const);
  const own = colours.map((colour) => [colour, (key: Key, isSet: boolean) => isSet && key.colour === colour] as const);
  return Object.fromEntries<Row["finds"]>(component === "light" ? [...rows, ...own] : rows);
}

function maximumOf(key: Key): number {
  const isNumber = key.type === "integer" || key.type === "number";
  return isNumber && key.minimum === 0 ? (key.maximum ?? 0) : 0;
}

/** @returns the options of a choice, and how they are read and written; undefined if it has others than these words. */
function optionsOf(name: string, key: Key, words: string | undefined) {
  if (key.type !== "choice") return undefined;
  // Labels may be in the language of the house.
  return [{ values: key.values }, key]
    .map((choice) => choicesOf(name, choice))
    .find((choice) => choice?.options.every((option) => words?.split(" ").includes(option) ?? true));
}

type Written = { -readonly [option in keyof Component]: Component[option] };

/** @returns a clause that says which key the role expects; undefined if it has been written. */
function writeRole(
  written: Written,
  row: Row,
  { name, key, topic, command }: RoleKey,
  absent: string,
): string | undefined {
  const value = valueAt(name);
  const [stateTopic, stateTemplate] = row.state;
  const [commandTopic, commandTemplate] = row.command ?? [];
  if (commandTopic !== undefined && command === undefined) return "a key that can be set";
  const two = twoValues(key);
  const template = (test: string, expression: string) => textWhile(test, expression, absent);
  let reading: string | undefined;
  let writing = "value";
  if (row.payloads !== undefined) {
    if (two === undefined) return "a key with two values";
    const [on, off] = [changeText(name, two[1]), changeText(name, two[0])];
    Object.assign(written, { [row.payloads[0]]: on, [row.payloads[1]]: off });
    reading =
      row.words === undefined
        ? eitherChange(value, name, on, off)
        : template(`${value} is ${typeof two[1]}`, `('${row.words[0]}' if ${value} else '${row.words[1]}')`);
  } else if (row.range !== undefined) {
    if (key.type !== "integer" && key.type !== "number") return "a number";
    const { minimum, maximum, step } = row.range;
    const isWhole = maximum !== undefined && step === undefined;
    if (isWhole && (key.maximum === undefined || (key.minimum ?? 0) >= key.maximum)) return "a number with a range";
    const limits = [
      [minimum, key.minimum],
      [maximum, key.maximum],
      [step, key.step ?? (key.type === "integer" ? 1 : 0.5)],
    ] as const;
    for (const [option, limit] of limits) if (option !== undefined) written[option] = limit;
    reading = template(`${value} is number`, isWhole && key.type === "number" ? `${value}|round|int` : value);
  } else if (two !== undefined && row.pair !== undefined) {
    const [off, on] = row.pair;
    if (row.list !== undefined) written[row.list] = [off, on];
    reading = template(`${value} is ${typeof two[1]}`, `('${on}' if ${value} else '${off}')`);
    writing = `'${JSON.stringify(two[1])}' if value == '${on}' else '${JSON.stringify(two[0])}'`;
  } else {
    const choices = optionsOf(name, key, row.options);
    if (choices === undefined) return row.options === undefined ? "a choice" : `a choice of ${row.options}`;
    if (row.list !== undefined) written[row.list] = choices.options;
    reading = template(choices.condition, choices.reading);
    writing = choices.writing;
  }
  written[stateTopic] = topic;
  written[stateTemplate] = reading;
  if (commandTopic !== undefined) written[commandTopic] = command;
  if (commandTemplate !== undefined) written[commandTemplate] = changesTemplate([[name, writing]]);
  Object.assign(written, row.fixed);
  return undefined;
}

/** A light of three colours, each of which has its own range; Home Assistant's go to 255. */
function writeColour(written: Written, three: readonly RoleKey[]): string | undefined {
  const [first] = three;
  if (first === undefined) return undefined;
  if (three.length < 3 || three.some(({ key, command }) => command === undefined || maximumOf(key) === 0)) {
    return "red, green and blue: three numbers from 0 that can be set";
  }
  const scaled = (expression: string, from: number, to: number) =>
    from === to ? expression : `(${expression}*${to}/${from})|round|int`;
  const values = three.map(({ name }) => valueAt(name));
  const test = values.map((value) => `${value} is number`).join(" and ");
  const shown = three.map(({ name, key }) => `{{${scaled(valueAt(name), maximumOf(key), 255)}}}`).join(",");
  written["rgb_state_topic"] = first.topic;
  written["rgb_value_template"] = `{%if ${test}%}${shown}{%endif%}`;
  written["rgb_command_topic"] = first.command;
  written["rgb_command_template"] = changesTemplate(
    three.map(({ name, key }, index) => [name, scaled(colours[index] ?? "", 255, maximumOf(key))]),
  );
  return undefined;
}

/** A light or a fan without a key for on and off: 0 is off. @param keys its numbers. */
function writeOnOff(written: Written, component: "light" | "fan", keys: readonly RoleKey[]): void {
  const [first] = keys;
  if (first === undefined) return;
  const texts = (value: (key: Key) => number) =>
    JSON.stringify(Object.fromEntries(keys.map(({ name, key }) => [name, value(key)])));
  const isDimmed = component === "light" && keys.some(({ key }) => maximumOf(key) > 1);
  const off = texts(() => 0);
  // One that is dimmed is turned on by its brightness, and "ON" is only its state.
  const on = isDimmed ? "ON" : texts(maximumOf);
  const test = keys.map(({ name }) => `${valueAt(name)} is number and ${valueAt(name)} > 0`).join(" or ");
  written["state_topic"] = first.topic;
  written["state_value_template"] =
    keys.length === 1 ? eitherChange(test, first.name, on, off) : eitherText(test, on, off);
  written["command_topic"] = first.command;
  written["payload_off"] = off;
  if (!isDimmed) written["payload_on"] = on;
  else written["on_command_type"] = "brightness";
}

/** A cover without a key for open and closed: its position is set. */
function writePositions(written: Written, { name, key, command }: RoleKey): void {
  const { minimum = 0, maximum = 100 } = key as { readonly minimum?: number; readonly maximum?: number };
  written["command_topic"] = command;
  written["payload_open"] = changeText(name, maximum);
  written["payload_close"] = changeText(name, minimum);
}

/** A cover with a position tells by its state alone whether it moves. It is unknown while nobody knows the position. */
function writeCoverState(written: Written, position: RoleKey, state: RoleKey): void {
  const { minimum = 0 } = position.key as { readonly minimum?: number };
  const [where, moving] = [valueAt(position.name), valueAt(state.name)];
  const stands = `('closed' if ${where}==${minimum} else 'open') if ${where} is number else 'None'`;
  written["value_template"] = textWhile(`${moving} is string`, `(${moving} if ${moving}!='stopped' else ${stands})`);
}

/**
 * @param roles the keys of the thing.
 * @returns its options, or a clause that says what is missing.
 */
export function thingOf(component: HomeAssistantComponent, roles: Roles): Component | string {
  const written: Written = {};
  for (const [role, row] of Object.entries(table[component])) {
    const thing = roles[role];
    const expected = thing && writeRole(written, row, thing, component === "climate" ? "'None'" : "''");
    if (expected !== undefined) return `${role} is ${expected}`;
  }
  const three = component === "light" ? colours.flatMap((colour) => roles[colour] ?? []) : [];
  const expected = writeColour(written, three);
  if (expected !== undefined) return expected;
  const { on, brightness, percentage, position, open, state, target, current, mode } = roles;
  if (component === "light" || component === "fan") {
    const numbers = [brightness, percentage].flatMap((one) => one ?? []);
    if (on === undefined) writeOnOff(written, component, numbers.length === 0 ? three : numbers);
    // One that has only two levels has no brightness.
    if (brightness !== undefined && maximumOf(brightness.key) === 1) {
      for (const option of Object.keys(written)) if (option.startsWith("brightness_")) delete written[option];
    }
  } else if (component === "cover" && position !== undefined && open === undefined) {
    writePositions(written, position);
    if (state !== undefined) writeCoverState(written, position, state);
  } else if (component === "climate") {
    if (target === undefined && current === undefined) return "target or current is missing";
    const { unit } = (target ?? current)?.key ?? {};
    written["temperature_unit"] = unit === "[degF]" ? "F" : "C";
    if (mode === undefined)
      Object.assign(written, { modes: ["heat"], mode_state_topic: "~", mode_state_template: "heat" });
    return written;
  }
  return written["command_topic"] === undefined
    ? `no key of the noun is ${Object.keys(rolesOf(component)).join(" or ")}`
    : written;
}

/**
 * @param options what the author says: keys for roles, and options of the entity.
 * @param own the keys of the noun. @param other finds a key of another noun.
 * @returns the thing, the noun's keys that have roles, and the options that name none; or a clause that says what is
 *   missing.
 */
export function findThing(
  component: HomeAssistantComponent,
  options: Component,
  own: readonly RoleKey[],
  other: (path: string) => RoleKey | undefined,
) {
  const rest: Written = { ...options };
  const roles: { [role: string]: RoleKey } = {};
  for (const [role, finds] of Object.entries(rolesOf(component))) {
    const asked = rest[role];
    delete rest[role];
    // A position says whether it is open.
    const isSaid = role === "open" && roles["position"] !== undefined;
    const found =
      asked !== undefined
        ? (own.find(({ name }) => name === asked) ?? other(String(asked)))
        : own.find(({ key, command }) => !isSaid && finds?.(key, command !== undefined));
    if (found !== undefined) roles[role] = found;
    else if (asked !== undefined) return `there is no key ${JSON.stringify(asked)}`;
  }
  const entity = thingOf(component, roles);
  if (typeof entity === "string") return entity;
  const used = Object.values(roles);
  return { entity, taken: new Set(own.filter((one) => used.includes(one)).map(({ name }) => name)), rest };
}
