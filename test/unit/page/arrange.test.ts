/** Where the page puts nouns: groups, order, and three channels as one colour. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrange } from "../../../ts/page/arrange.ts";
import { NounView } from "../../../ts/page/noun-view.ts";
import { type Key, keysOf, type Noun, undescribedNoun } from "../../../ts/page/thing.ts";

function viewOf(name: string, rest: Partial<Noun> = {}): NounView {
  const noun = { ...undescribedNoun(name), title: name, ...rest };
  return new NounView(
    noun,
    () => {},
    () => {},
  );
}

function channel(colour: string): Key {
  const [key] = keysOf({ percent: 1 }, undescribedNoun("n"));
  if (key === undefined) throw new Error("There is no key.");
  return { ...key, colour };
}

/** @returns the titles of the groups, each with those of its cards. */
function shown(views: readonly NounView[]) {
  return arrange(views).map(({ title, cards }) => [title, cards.map((card) => card.title)]);
}

test("groups are in the order of their first nouns, then come nouns without a group, then simulated inputs", () => {
  const views = [
    viewOf("simulated.b", { isSimulated: true, group: "House", place: 0 }),
    viewOf("simulated.d", { isSimulated: true, group: "Garden", place: 0 }),
    viewOf("b", { group: "House", place: 1 }),
    viewOf("c", { place: 2 }),
    viewOf("d", { group: "Garden", order: -1, place: 3 }),
    viewOf("e", { group: "House", order: -2, place: 4 }),
    viewOf("f", { group: "Garden", order: -3, place: 5 }),
  ];
  expect(shown(views)).toEqual([
    ["Garden", ["f", "d"]],
    ["House", ["e", "b"]],
    ["Other", ["c"]],
    ["Simulated inputs", ["simulated.d", "simulated.b"]],
  ]);
  // Without any group, they need no title.
  expect(shown([viewOf("c")])).toEqual([["", ["c"]]]);
});

test("rules are the last of their group, and those in no group have one of their own, folded if they are many", () => {
  const keys = keysOf({ enabled: true, holds: false, runs: 0, last: null }, undescribedNoun("n"));
  const rule = (name: string, place: number, group = "") => viewOf(name, { keys, place, group });
  const views = [rule("r", 0), rule("s", 1, "House"), viewOf("a", { group: "House", place: 2 }), viewOf("b")];
  expect(shown(views)).toEqual([
    ["House", ["a", "s"]],
    ["Other", ["b"]],
    ["Rules", ["r"]],
  ]);
  expect(arrange(views).map(({ isFolded }) => isFolded)).toEqual([false, false, false]);
  const many = ["1", "2", "3", "4", "5"].map((name, place) => rule(name, place));
  expect(arrange(many).map(({ title, isFolded }) => [title, isFolded])).toEqual([["Rules", true]]);
});

test("every noun is on one card, whatever the groups, the orders and the colours", () => {
  const anyNoun = fc.record({
    group: fc.constantFrom("", "House", "Garden"),
    order: fc.integer({ min: -2, max: 2 }),
    isSimulated: fc.boolean(),
    keys: fc.array(fc.constantFrom("red", "green", "blue", "").map(channel), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(anyNoun, { maxLength: 12 }), (nouns) => {
      const views = nouns.map((noun, place) => viewOf(`n${place}`, { ...noun, place }));
      const cards = arrange(views).flatMap((group) => group.cards.flatMap((card) => card.views));
      expect(cards.map(({ noun }) => noun.name).toSorted()).toEqual(views.map(({ noun }) => noun.name).toSorted());
    }),
  );
});

test("the first red, green and blue of a group are one card, called by what their titles have in common", () => {
  const part = (colour: string, place: number, rest: Partial<Noun> = {}) =>
    viewOf(`Shelf light ${colour} ${place}`, { group: "Shelf", keys: [channel(colour)], place, ...rest });
  const three = [part("red", 0), part("green", 1), part("blue", 2)];
  expect(shown(three)).toEqual([["Shelf", ["Shelf light"]]]);
  const [group] = arrange(three);
  expect(group?.cards[0]?.colour?.map(({ view }) => view)).toEqual(three);
  expect(shown(three.slice(0, 2))).toEqual([["Shelf", ["Shelf light red 0", "Shelf light green 1"]]]);
  const readOnly = { ...channel("blue"), readOnly: true };
  expect(arrange([...three.slice(0, 2), part("blue", 2, { keys: [readOnly] })])[0]?.cards).toHaveLength(3);
});
