/** Where nouns are on the page: their order, their groups, and which of them are one card. */

import type { NounView } from "./noun-view.ts";
import { roleOf } from "./role.ts";
import { say } from "./say.ts";
import type { Key } from "./thing.ts";

/** A key of a noun. */
export interface Channel {
  readonly view: NounView;
  readonly key: Key;
}

/** Red, green and blue. */
export type Colour = readonly [Channel, Channel, Channel];

/** What a card shows. */
export interface CardPlan {
  readonly title: string;
  /** One noun, or those of a colour. */
  readonly views: readonly [NounView, ...NounView[]];
  /** If they are one colour. */
  readonly colour: Colour | undefined;
}

/** Cards under a title; without one they are in no group. */
export interface Group {
  readonly title: string;
  /** Whether only its title shows, until a person opens it. */
  readonly isFolded: boolean;
  /** Whether it stands below all lanes of groups. */
  readonly isWide: boolean;
  readonly cards: readonly CardPlan[];
}

/** The most rules that a group of rules shows before a person opens it. */
const mostRules = 4;

const channels = ["red", "green", "blue"] as const;

/** @returns the words that all texts begin with. */
function commonBegin([first = "", ...others]: readonly string[]): string {
  const words = first.split(" ");
  while (words.length > 0 && !others.every((text) => `${text} `.startsWith(`${words.join(" ")} `))) words.pop();
  return words.join(" ");
}

/** @returns the colours of a group: its first red with its first green and its first blue, and so on. */
function coloursOf(views: readonly NounView[]): readonly Colour[] {
  const settable = views.flatMap((view) => view.settable.map((key) => ({ view, key })));
  const [reds = [], greens, blues] = channels.map((name) => settable.filter(({ key }) => key.colour === name));
  return reds.flatMap((red, index): Colour[] => {
    const [green, blue] = [greens?.[index], blues?.[index]];
    return green === undefined || blue === undefined ? [] : [[red, green, blue]];
  });
}

function cardsOf(title: string, views: readonly NounView[]): readonly CardPlan[] {
  // A noun is on one card.
  const taken = new Set<NounView>();
  const colours = coloursOf(views).filter((one) => {
    if (one.some(({ view }) => taken.has(view))) return false;
    for (const { view } of one) taken.add(view);
    return true;
  });
  return views.flatMap((view): CardPlan[] => {
    const colour = colours.find((one) => one.some((channel) => channel.view === view));
    if (colour === undefined) return [{ title: view.noun.title, views: [view], colour }];
    if (colour[0].view !== view) return [];
    const [, ...others] = new Set(colour.map((channel) => channel.view));
    const members = [view, ...others] as const;
    const common = commonBegin(members.map(({ noun }) => noun.title));
    return [{ title: common || title || say("colour"), views: members, colour }];
  });
}

/** Rules go behind what they act on. */
function rulesLast(views: readonly NounView[]): readonly NounView[] {
  const isRule = ({ keys }: NounView) => roleOf(keys) === "rule";
  return [...views.filter((view) => !isRule(view)), ...views.filter(isRule)];
}

/**
 * @returns the groups in the order of their first nouns, then the nouns in no group, which have a title only beside
 * groups, then rules without a group, and simulated inputs, by their groups.
 */
export function arrange(views: readonly NounView[]): readonly Group[] {
  const sorted = [...views].sort(
    ({ noun: one }, { noun: other }) =>
      one.order - other.order || (one.place < other.place ? -1 : +(one.place > other.place)),
  );
  const simulated = sorted.filter(({ noun }) => noun.isSimulated);
  const isLoose = ({ noun, keys }: NounView) => noun.group === "" && roleOf(keys) === "rule";
  const rules = sorted.filter((view) => !view.noun.isSimulated && isLoose(view));
  const others = sorted.filter((view) => !view.noun.isSimulated && !isLoose(view));
  const titles = [...new Set([...others.map(({ noun }) => noun.group).filter((title) => title !== ""), ""])];
  const groups = titles.map((title): Group => {
    const members = rulesLast(others.filter(({ noun }) => noun.group === title));
    const shown = title === "" && titles.length > 1 ? say("others") : title;
    return { title: shown, isFolded: false, isWide: false, cards: cardsOf(title, members) };
  });
  const places = [...simulated].sort(
    ({ noun: one }, { noun: other }) => titles.indexOf(one.group) - titles.indexOf(other.group),
  );
  return [
    ...groups,
    { title: say("rules"), isFolded: rules.length > mostRules, isWide: false, cards: cardsOf("", rules) },
    { title: say("simulated"), isFolded: false, isWide: true, cards: cardsOf("", places) },
  ].filter(({ cards }) => cards.length > 0);
}
