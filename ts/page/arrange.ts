/** Where nouns are on the page: their order, their groups, and which of them are one card. */

import type { NounView } from "./noun-view.ts";
import { texts } from "./texts.ts";
import type { Key } from "./thing.ts";

/** A key of a noun. */
export interface Channel {
  readonly view: NounView;
  readonly key: Key;
}

/** What a card shows. */
export interface CardPlan {
  readonly title: string;
  /** One noun, or those of a colour. */
  readonly views: readonly NounView[];
  /** Red, green and blue, if they are one colour. */
  readonly colour: readonly Channel[] | undefined;
}

/** Cards under a title; without one they are in no group. */
export interface Group {
  readonly title: string;
  /** Whether only its title shows, until a person opens it. */
  readonly isFolded: boolean;
  readonly cards: readonly CardPlan[];
}

const channels = ["red", "green", "blue"] as const;

/** @returns the words that all texts begin with. */
function commonBegin([first = "", ...others]: readonly string[]): string {
  const words = first.split(" ");
  while (words.length > 0 && !others.every((text) => `${text} `.startsWith(`${words.join(" ")} `))) words.pop();
  return words.join(" ");
}

/** @returns the colours of a group: its first red with its first green and its first blue, and so on. */
function coloursOf(views: readonly NounView[]): readonly (readonly Channel[])[] {
  const settable = views.flatMap((view) => view.keys.filter(({ readOnly }) => !readOnly).map((key) => ({ view, key })));
  const [reds = [], greens, blues] = channels.map((name) => settable.filter(({ key }) => key.colour === name));
  return reds.flatMap((red, index) => {
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
  const cards = views.flatMap((view): CardPlan[] => {
    const colour = colours.find((one) => one.some((channel) => channel.view === view));
    if (colour === undefined) return [{ title: view.noun.title, views: [view], colour }];
    if (colour[0]?.view !== view) return [];
    const members = [...new Set(colour.map((channel) => channel.view))];
    return [
      { title: commonBegin(members.map(({ noun }) => noun.title)) || title || texts.colour, views: members, colour },
    ];
  });
  return cards;
}

/** @returns the groups in the order of their first nouns, those in no group first and simulated inputs last. */
export function arrange(views: readonly NounView[]): readonly Group[] {
  const sorted = [...views].sort(
    ({ noun: one }, { noun: other }) =>
      one.order - other.order || (one.place < other.place ? -1 : +(one.place > other.place)),
  );
  const real = sorted.filter(({ noun }) => !noun.isSimulated);
  const titles = [...new Set(["", ...real.map(({ noun }) => noun.group)])];
  const groups = titles.map((title): Group => {
    const members = real.filter(({ noun }) => noun.group === title);
    return { title, isFolded: false, cards: cardsOf(title, members) };
  });
  const simulated = sorted.filter(({ noun }) => noun.isSimulated);
  return [...groups, { title: texts.simulated, isFolded: true, cards: cardsOf("", simulated) }].filter(
    ({ cards }) => cards.length > 0,
  );
}
