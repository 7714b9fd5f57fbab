/**
 * What Home Assistant is told about a device: the message of its device-based MQTT discovery
 * (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
 */
import type {
  HomeAssistantComponent,
  HomeAssistantOptions,
  HomeAssistantPlatform,
} from "../../../../core/noun/home-assistant.ts";
import type { Key } from "../../../../core/noun/shape.ts";
import type { DescribedDevice, DescribedNoun } from "../described-device.ts";
import { longObject } from "../long-json.ts";
import { type Component, type Entity, entityOf } from "./components.ts";
import { refusalOf } from "./refusal.ts";
import { eitherText, wholeState } from "./templates.ts";
import { findThing, type RoleKey, thingIn } from "./things.ts";

/** A noun with what its author says to Home Assistant. */
export interface AnnouncedNoun extends DescribedNoun {
  readonly homeAssistant?: HomeAssistantOptions | undefined;
  /** Whether its keys are not known yet. The entities that Home Assistant has of it stay until they are. */
  readonly isUndescribed?: boolean;
}

/** A device and its topics. */
export interface AnnouncedDevice extends Pick<DescribedDevice, "title" | "version" | "model"> {
  /** Names the device in the ids of its entities, and never changes. */
  readonly id: string;
  /** The device's name at the broker, for the ids that people write in automations. */
  readonly label: string;
  /** As its maker names the device; each is undefined if nothing says it. */
  readonly maker?: string | undefined;
  readonly serial?: string | undefined;
  /** Where the device is; undefined if people say it in Home Assistant. */
  readonly area?: string | undefined;
  /** @returns a URL of the device's page, as far as it is known. */
  readonly address?: (() => string | undefined) | undefined;
  /** The topic with `online` and `offline`. */
  readonly status: string;
  /** @returns the topic of a noun's state. */
  topic(noun: string): string;
  /** @returns a key of another noun; undefined if there is none. */
  keyOf(noun: string, key: string): Key | undefined;
  /** Receives why Home Assistant would refuse an entity. Such an entity is left out. */
  refuse(noun: string, sentence: string): void;
  readonly nouns: Iterable<AnnouncedNoun>;
}

/** What helps to find a fault is no part of an area. Home Assistant shows such a counter to people who ask for it. */
const diagnostic = { entity_category: "diagnostic" };
const hidden = { ...diagnostic, enabled_by_default: false };

/** The types of triggers for which Home Assistant has words, by the key that counts them. */
const pressTypes: { readonly [key: string]: string } = {
  short: "button_short_press",
  long: "button_long_press",
  double: "button_double_press",
};

/** Home Assistant's short names of the keys that are used here, in one text: a table takes thrice the memory. */
const abbreviations =
  ",automation_type atype,availability avty,availability_mode avty_mode,brightness_command_template bri_cmd_tpl," +
  "brightness_command_topic bri_cmd_t,brightness_scale bri_scl,brightness_state_topic bri_stat_t," +
  "brightness_value_template bri_val_tpl,command_template cmd_tpl,command_topic cmd_t,default_entity_id def_ent_id," +
  "device_class dev_cla,enabled_by_default en,entity_category ent_cat,event_types evt_typ,icon ic," +
  "on_command_type on_cmd_type,options ops,payload pl,payload_off pl_off,payload_on pl_on,payload_press pl_prs," +
  "platform p,state_class stat_cla,state_off stat_off,state_on stat_on,state_topic stat_t," +
  "state_value_template stat_val_tpl,suggested_display_precision sug_dsp_prc,subtype stype,topic t," +
  "unique_id uniq_id,unit_of_measurement unit_of_meas,value_template val_tpl,";

/** @returns the short name of a key. */
function abbreviation(key: string): string {
  const at = abbreviations.indexOf(`,${key} `);
  return at < 0 ? key : abbreviations.slice(at + key.length + 2, abbreviations.indexOf(",", at + 1));
}

function abbreviate(component: Component): Component {
  return Object.fromEntries(Object.entries(component).map(([key, value]) => [abbreviation(key), value]));
}

/** @returns a component without the options that are null: Home Assistant takes null for a name alone. */
function without(component: Component, options: Component): Component {
  return Object.fromEntries(Object.entries(component).filter(([key]) => options[key] !== null || key === "name"));
}

/** @returns a name without the device's name at its beginning, which Home Assistant adds; null if nothing is left. */
function entityName(name: string, device: string): string | null {
  const rest = name.slice(device.length);
  const begins = device !== "" && name.slice(0, device.length).toLowerCase() === device.toLowerCase();
  if (!begins || !/^(?:$|[\s:,./_-])/.test(rest)) return name;
  const shorter = rest.replace(/^[\s:,./_-]+/, "");
  return shorter === "" ? null : entityName(shorter, device);
}

/** @returns the last part of an entity's id. */
function slug(...words: readonly string[]): string {
  return (
    words
      .map((word) => word.toLowerCase().replace(/[^a-z0-9]+/g, "_"))
      .join("_")
      .replace(/_+/g, "_")
      .replace(/^_|_$/g, "")
      .slice(0, 200) || "nound"
  );
}

/** @returns when an entity is available: while the device is, and while the condition holds if there is one. */
function availability(status: string, condition: string | undefined): Component {
  if (condition === undefined) return { availability: [{ t: status }] };
  const ofState = { t: "~", val_tpl: eitherText(condition, "online", "offline") };
  return { availability: [{ t: status }, ofState], availability_mode: "all" };
}

/** A component, with its id in the message. */
type Identified = readonly [id: string, component: Component];

/** The entities of one noun. */
class NounEntities {
  readonly device: AnnouncedDevice;
  readonly noun: AnnouncedNoun;
  /** The whole thing that the noun is; undefined if its keys are entities. */
  private readonly thing: HomeAssistantComponent | undefined;
  private keys: readonly (readonly [name: string, key: Key])[];

  constructor(device: AnnouncedDevice, noun: AnnouncedNoun) {
    const { shape = {} } = noun;
    this.device = device;
    this.noun = noun;
    this.thing = thingIn(noun.homeAssistant, Object.keys(shape).length);
    // A key that changes with time alone is not published for that: its entity would show an old value.
    this.keys = Object.entries(shape).filter(([, key]) => key.timeDependent !== true && key.homeAssistant !== false);
  }

  *all(): Generator<Identified> {
    const { methods, homeAssistant, isUndescribed } = this.noun;
    if (homeAssistant === false || isUndescribed === true) return;
    if (methods.includes("GET")) {
      if (this.thing !== undefined) yield* this.ofThing(this.thing, homeAssistant as Component);
      yield* this.ofKeys();
      yield* this.ofEvents();
    }
    yield* this.ofDefault();
  }

  /** One entity for the keys that have roles in it. The others have their own. */
  private *ofThing(component: HomeAssistantComponent, said: Component): Generator<Identified> {
    const { device, noun } = this;
    const { platform: _, ...options } = said;
    const own = this.keys.map(([name, key]): RoleKey => {
      const command = this.commandOf(name, key, undefined);
      return { name, key, topic: "~", command: command && `~/${command}` };
    });
    const thing = findThing(component, options, own, (path) => this.ofOther(path));
    if (typeof thing === "string") {
      device.refuse(noun.name, `Home Assistant needs for a ${component}: ${thing}`);
      return;
    }
    const { entity, taken, rest } = thing;
    this.keys = this.keys.filter(([name]) => !taken.has(name));
    yield* this.component({ platform: component, condition: wholeState, component: entity }, `:${component}`, [], rest);
  }

  /** @param path `cellar/celsius`. @returns a key of another noun, which is only read. */
  private ofOther(path: string): RoleKey | undefined {
    const at = path.indexOf("/");
    const [noun, name] = [path.slice(0, at).toLowerCase(), path.slice(at + 1)];
    const key = at < 0 ? undefined : this.device.keyOf(noun, name);
    return key && { name, key, topic: this.device.topic(noun), command: undefined };
  }

  private *ofKeys(): Generator<Identified> {
    const shown = this.keys.filter(([, key]) => key.counts !== "events");
    const plain = shown.filter(([, key]) => key.counts === undefined);
    for (const [name, key] of shown) {
      const ofNoun = this.noun.homeAssistant;
      const isFirst = name === this.keys[0]?.[0] && ofNoun !== false && this.thing === undefined;
      const said = { ...key.homeAssistant, ...(isFirst && ofNoun) };
      const { platform: asked, ...options } = said as Exclude<HomeAssistantOptions, false>;
      // The times of a noun are all as its author says.
      const isTime = key.type === "string" && key.format !== undefined && ofNoun !== false;
      const platform = (isTime ? (ofNoun?.["platform"] ?? asked) : asked) as HomeAssistantPlatform | undefined;
      const isAlone = Object.keys(this.noun.shape ?? {}).length === 1;
      const { device_class: deviceClass = key.deviceClass } = options;
      const command = this.commandOf(name, key, platform);
      const entity = entityOf({ name, key, isAlone, command, platform, deviceClass: deviceClass?.toString() });
      if (entity === undefined) continue;
      // A counter of a named class is a meter, which people look at.
      const isHidden = key.counts !== undefined && deviceClass === undefined;
      const category =
        key.diagnostic !== true || (key.counts !== undefined && !isHidden) ? {} : isHidden ? hidden : diagnostic;
      const { title = name } = key;
      const isOnly = plain.length === 1 && plain[0]?.[0] === name;
      const own = { ...category, ...options };
      yield* this.component(entity, `/${name}`, isOnly ? [] : [title], own, isOnly ? [] : [name]);
    }
  }

  /**
   * One entity for all keys whose steps are events, and a trigger for each. The entity is always available: when it
   * comes back, an automation that waits for its state would run.
   */
  private *ofEvents(): Generator<Identified> {
    const events = this.keys.filter(([, key]) => key.counts === "events");
    if (events.length === 0) return;
    const options = Object.assign({}, ...events.map(([, key]) => key.homeAssistant));
    const component = { state_topic: "~/event", event_types: events.map(([name]) => name) };
    const entity: Entity = { platform: "event", condition: undefined, component };
    yield* this.component(entity, ":event", ["event"], options, ["event"]);
    for (const [name] of events) yield this.trigger(name);
  }

  /** A device trigger (https://www.home-assistant.io/integrations/device_trigger.mqtt/): it has no state to come back. */
  private trigger(event: string): Identified {
    const { name } = this.noun;
    const trigger = {
      platform: "device_automation",
      "~": this.device.topic(name),
      automation_type: "trigger",
      type: pressTypes[event] ?? event,
      subtype: name,
      topic: "~/event",
      value_template: "{{value_json.event_type}}",
      payload: event,
    };
    return [`device_automation:${name}:${event}`, trigger];
  }

  /** A button for DELETE, where it changes something. */
  private *ofDefault(): Generator<Identified> {
    const { methods } = this.noun;
    const resets = methods.includes("PUT") || this.keys.some(([, key]) => key.counts !== undefined);
    if (!methods.includes("DELETE") || !resets) return;
    const component = {
      command_topic: "~/delete",
      payload_press: "",
      enabled_by_default: false,
      entity_category: "config",
    };
    yield* this.component({ platform: "button", condition: undefined, component }, ":delete", ["reset"]);
  }

  /** @returns where the key is set: a noun's only settable key by PUT, one of several by POST. */
  private commandOf(name: string, { readOnly }: Key, platform: string | undefined): "put" | "post" | undefined {
    const { shape = {}, updateShape, methods } = this.noun;
    if (readOnly === true) return undefined;
    const settable = Object.values(shape).filter((key) => key.readOnly !== true);
    if (settable.length === 1 && methods.includes("PUT") && platform !== "button" && platform !== "scene") return "put";
    const isTaken = updateShape === undefined || Object.hasOwn(updateShape, name);
    return methods.includes("POST") && isTaken ? "post" : undefined;
  }

  /**
   * @param id what the noun's name needs to be unique in the device. @param words what its title needs to be a name.
   * @param suffix what its name needs to be an entity's id. Without it, Home Assistant makes one from the titles.
   */
  private *component(
    { platform, condition, component }: Entity,
    id: string,
    words: readonly string[],
    options: Component = {},
    suffix?: readonly string[],
  ): Generator<Identified> {
    const { device, noun } = this;
    const { name, title = name } = noun;
    const place = name + id;
    const whole = without(
      {
        platform,
        "~": device.topic(name),
        name: entityName([title, ...words].join(" "), device.title),
        unique_id: `${device.id}/${place}`,
        default_entity_id: suffix && `${platform}.${slug(device.label, name, ...suffix)}`,
        ...component,
        ...(platform !== "event" && availability(device.status, condition)),
        ...options,
      },
      options,
    );
    // What nound says by itself is right, as far as it names no class.
    const isSaid = Object.keys(options).length > 0 || whole["device_class"] !== undefined;
    const refusal = isSaid ? refusalOf(platform, whole) : undefined;
    if (refusal === undefined) yield [`${platform}:${place}`, whole];
    else device.refuse(name, `Home Assistant would refuse the ${platform} ${place}: ${refusal}`);
  }
}

/** s for which a refused command is a problem. */
const problemTime = 60;

/** The last refusal of a command, whichever noun it was for: one sensor of the device. */
function problemOf({ id, status, label }: AnnouncedDevice): Identified {
  const topic = `${status}/+/problem`;
  const problem = {
    platform: "binary_sensor",
    name: "Refused command",
    unique_id: `${id}/:problem`,
    default_entity_id: `binary_sensor.${slug(label, "refused")}`,
    device_class: "problem",
    ...diagnostic,
    state_topic: topic,
    value_template: "ON",
    off_delay: problemTime,
    json_attributes_topic: topic,
    ...availability(status, undefined),
  };
  return ["binary_sensor::problem", problem];
}

/** The platforms of components, by their ids. */
export type Announced = ReadonlyMap<string, string>;

/** @returns the noun of a component's id, such as `switch:lamp/on`. */
function nounOf(id: string): string {
  return id.split(/[:/]/, 2)[1] ?? "";
}

function* allComponents(
  device: AnnouncedDevice,
  before: Announced,
  now: Map<string, string>,
): Generator<[string, string]> {
  const announce = ([id, component]: Identified): [string, string] => {
    now.set(id, String(component["platform"]));
    return [id, JSON.stringify(abbreviate(component))];
  };
  let takesCommands = false;
  const undescribed = new Set<string>();
  for (const noun of device.nouns) {
    if (noun.isUndescribed === true && noun.homeAssistant !== false) undescribed.add(noun.name);
    takesCommands ||= noun.methods.includes("PUT") || noun.methods.includes("POST");
    for (const one of new NounEntities(device, noun).all()) yield announce(one);
  }
  if (takesCommands) yield announce(problemOf(device));
  // Home Assistant removes an entity of which it is told nothing but its platform.
  for (const [id, platform] of before) {
    if (undescribed.has(nounOf(id))) now.set(id, platform);
    else if (!now.has(id)) yield [id, JSON.stringify({ p: platform })];
  }
}

/**
 * @param before what was announced before: the message removes what is no more.
 * @param now gets what the message announces, and is empty at first.
 * @returns the message as JSON, in texts that follow one another.
 */
export function discovery(device: AnnouncedDevice, before: Announced, now: Map<string, string>): Iterable<string> {
  const { id, title, version, maker, model, serial, area, address } = device;
  const about = { mf: maker, mdl: model, sn: serial, sa: area, sw: `nound ${version}`, cu: address?.() };
  const begin = {
    dev: { ids: [id], name: title, ...about },
    o: { name: "nound", sw: version },
    qos: 1,
  };
  return longObject(begin, [["cmps", longObject({}, allComponents(device, before, now))]]);
}

/** @returns what a message announces; nothing for one that is not ours. */
export function announcedBy(message: string): Announced {
  const announced = new Map<string, string>();
  let parsed: { readonly cmps?: { readonly [id: string]: { readonly [key: string]: unknown } } } | null;
  try {
    parsed = JSON.parse(message);
  } catch {
    return announced;
  }
  for (const [id, component] of Object.entries(parsed?.cmps ?? {})) {
    const { p, ...rest } = component ?? {};
    // One without anything else has been removed.
    if (typeof p === "string" && /^[a-z_]{1,32}$/.test(p) && Object.keys(rest).length > 0) announced.set(id, p);
  }
  return announced;
}
