/** Which nouns are on, open, or in need of somebody: what the line at the top counts. */
import type { CardPlan, Group } from "./arrange.ts";
import { conditionOf } from "./condition.ts";
import { formOf } from "./form.ts";
import { isPressed, type NounView } from "./noun-view.ts";
import { type IconName, iconOf } from "./pictures.ts";
import { roleOf } from "./role.ts";
import { count } from "./say.ts";
import type { Key } from "./thing.ts";

/** @returns the key by which a person switches a noun on and off; undefined for a noun that is none such. */
export function powerOf(view: NounView): Key | undefined {
  if (roleOf(view.keys) !== undefined) return undefined;
  const power =
    view.dimmer?.power ?? formOf(view).main.find(({ readOnly, colour }) => !readOnly && colour === undefined);
  return power?.kind === "switch" && !isPressed(view, power) ? power : undefined;
}

/** @returns the keys of a light's colour. */
function channelsOf({ settable }: NounView): readonly Key[] {
  return settable.filter(({ colour }) => colour !== undefined);
}

/** Whether a noun is on, as far as that can be said of it. At 0, a lamp is dark, also while its output is on. */
export function isOn(view: NounView): boolean {
  const { keys, state } = view;
  const role = roleOf(keys);
  if (role === "rule") return state?.["enabled"] === true;
  if (role === "schedule") return state?.["active"] === true;
  if (role !== undefined) return false;
  const channels = channelsOf(view);
  const isLight = channels.length > 0;
  if (isLight && !channels.some((key) => Number(view.valueOf(key)) > (key.minimum ?? 0))) return false;
  const { main } = formOf(view);
  const power = powerOf(view);
  // What shines has no other switch.
  if (isLight && power === undefined) return true;
  const key = power ?? main[0];
  const { level } = view.dimmer ?? {};
  if (level && view.valueOf(level) === 0) return false;
  if (key?.kind === "switch") return view.valueOf(key) === key.values[1];
  const isLevel = key?.kind === "number" && !key.readOnly && key.unit === "%" && key.minimum === 0;
  return isLevel && Number(view.valueOf(key)) > 0;
}

/** Device classes of contacts, and of what must not be. */
const contacts = /^(?:door|window|garage_door|opening|lock)$/;
const alarms = /^(?:moisture|smoke|gas|carbon_monoxide|problem|safety|tamper|battery)$/;

const icons = new WeakMap<object, IconName>();

/** The picture of a noun, which is looked for once. */
export function pictureOf(view: NounView): IconName {
  const { noun } = view;
  const icon = icons.get(noun) ?? iconOf(view, formOf(view).main[0]);
  if (noun.keys !== undefined) icons.set(noun, icon);
  return icon;
}

/** The counts of the line at the top, by their texts. */
export type Count = "lampsOn" | "othersOn" | "opened" | "alarms" | "failingOnes";

/** @returns where a noun is counted; undefined for nowhere. */
export function countOf(view: NounView): Count | undefined {
  const { noun, keys } = view;
  if (noun.isSimulated || !noun.isRead) return undefined;
  const condition = conditionOf(view, undefined)?.name;
  if (view.isBroken || condition === "failing") return "failingOnes";
  if (!isOn(view) || roleOf(keys) !== undefined) return undefined;
  const [key] = formOf(view).main;
  const { deviceClass = "" } = key ?? {};
  if (contacts.test(deviceClass)) return "opened";
  if (powerOf(view) === undefined && key?.readOnly) return alarms.test(deviceClass) ? "alarms" : undefined;
  return pictureOf(view) === "lamp" ? "lampsOn" : "othersOn";
}

/** What needs somebody comes first: a phone has no room for all of them. */
const counts: readonly Count[] = ["failingOnes", "alarms", "opened", "lampsOn", "othersOn"];

/**
 * @param cards of nouns, of which those of one colour are one.
 * @returns what there is to say of a house, in a few words: each with the cards that it is about.
 */
export function summaryOf<Card extends Pick<CardPlan, "views">>(cards: readonly Card[]) {
  const named = cards.map((card) => {
    const names = card.views.map(countOf);
    return { card, name: counts.find((name) => names.includes(name)) };
  });
  return counts.map((name) => {
    const found = named.filter((one) => one.name === name).map(({ card }) => card);
    return { name, found, text: count(name, found.length) };
  });
}

/** @returns what the line at the top says, and of the groups what a person wants to see: all without a wish. */
export function filteredBy(all: readonly Group[], wanted: Count | undefined) {
  const summary = summaryOf(all.flatMap(({ cards }) => cards));
  const found = summary.find(({ name }) => name === wanted)?.found;
  const groups = all
    .map((group) => ({ ...group, cards: group.cards.filter((plan) => found?.includes(plan) ?? true) }))
    .filter(({ cards }) => cards.length > 0);
  return { summary, groups };
}

/** Pictures of what may go off with all of a room. A switch that is something else may be an alarm. */
const off: readonly IconName[] = ["lamp", "plug", "fan"];

/** @returns what of a room a person may switch off together: no guard of a noun speaks against it. */
export function switchableOff(views: readonly NounView[]): readonly NounView[] {
  return views.filter((view) => {
    const { noun } = view;
    const isFree = noun.guard === undefined && !noun.isConfirmed && !noun.isSimulated && view.state !== null;
    const isSwitched = powerOf(view) !== undefined || channelsOf(view).length > 0;
    return isFree && off.includes(pictureOf(view)) && isSwitched && isOn(view);
  });
}

/** Switches nouns off. */
export function switchOff(views: readonly NounView[]): void {
  for (const view of views) {
    const power = powerOf(view);
    if (power !== undefined) view.set(power.name, power.values[0] ?? null);
    else view.setAll(channelsOf(view).map(({ name, minimum = 0 }) => [name, minimum]));
  }
}
