/** What the line at the top counts, and what goes off together; the words of meters and the keys of dimmers. */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { arrange } from "../../../ts/page/arrange.ts";
import { type Count, countOf, pictureOf, summaryOf, switchableOff, switchOff } from "../../../ts/page/lit.ts";
import { NounView } from "../../../ts/page/noun-view.ts";
import { paths } from "../../../ts/page/pictures.ts";
import { switchText } from "../../../ts/page/say.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { readDescription } from "../../../ts/page/thing.ts";
import { icons } from "../../../ts/settings/icons.ts";

afterEach(() => void vi.unstubAllGlobals());

const forms = [{ op: "readproperty" }, { op: "writeproperty" }];
const level = { type: "integer", enum: [0, 1] };
const percent = { type: "number", minimum: 0, maximum: 100, unit: "%" };

const channel = { type: "integer", minimum: 0, maximum: 255 };
const channels = {
  r: { ...channel, "nound:colour": "red" },
  g: { ...channel, "nound:colour": "green" },
  b: { ...channel, "nound:colour": "blue" },
};

/** @returns the page's view of a noun with these keys. */
function viewOf(title: string, properties: object, state: State | null, rest: object = {}, name = "n"): NounView {
  const property = { title, properties, forms, ...rest };
  const [noun] = readDescription({ properties: { [name]: property } }, "").nouns;
  if (noun === undefined) return expect.fail();
  const view = new NounView(
    noun,
    () => {},
    () => {},
  );
  view.take(state);
  return view;
}

const contact = (deviceClass: string) => ({
  open: { ...level, readOnly: true, "nound:deviceClass": deviceClass },
});

test.each([
  [viewOf("Ceiling light", { on: level }, { on: 1 }), "lampsOn"],
  [viewOf("Ceiling light", { on: level }, { on: 0 }), undefined],
  [viewOf("Table lamp", { percent, enabled: { type: "boolean" } }, { percent: 40, enabled: true }), "lampsOn"],
  [viewOf("Table lamp", { percent, enabled: { type: "boolean" } }, { percent: 40, enabled: false }), undefined],
  [viewOf("Table lamp", { percent, enabled: { type: "boolean" } }, { percent: 0, enabled: true }), undefined],
  [viewOf("LED", { percent }, { percent: 1 }), "lampsOn"],
  [viewOf("Ribbon", channels, { r: 0, g: 9, b: 0 }), "lampsOn"],
  [viewOf("Ribbon", channels, { r: 0, g: 0, b: 0 }), undefined],
  [viewOf("Ribbon", { ...channels, on: level }, { r: 9, g: 0, b: 0, on: 1 }), "lampsOn"],
  [viewOf("Ribbon", { ...channels, on: level }, { r: 9, g: 0, b: 0, on: 0 }), undefined],
  [viewOf("Ribbon", { ...channels, on: level }, { r: 0, g: 0, b: 0, on: 1 }), undefined],
  [viewOf("Pump", { on: level }, { on: 1 }), "othersOn"],
  [viewOf("Window", contact("window"), { open: 1 }), "opened"],
  [viewOf("Cellar", contact("moisture"), { open: 1 }), "alarms"],
  [viewOf("Garden gate", { on: level }, { on: 1 }, { "nound:ask": true }), "opened"],
  [viewOf("Garden gate", { on: level }, { on: 0 }, { "nound:ask": true }), undefined],
  [viewOf("Garage", { on: level }, { on: 1 }), "othersOn"],
  [viewOf("Stairs", contact("motion"), { open: 1 }), undefined],
  [viewOf("Pump", { on: level }, null), "failingOnes"],
  [viewOf("Ceiling light", { on: level }, { on: 1 }, {}, "simulated.n"), undefined],
] as const)("%# is counted where it belongs", (view, count: Count | undefined) => {
  expect(countOf(view)).toBe(count);
});

test.each([
  ["Gartentor", {}, {}, "Open"],
  ["Drive", { "nound:icon": "door" }, {}, "Open"],
  ["Drive", {}, {}, "On"],
  ["Gate", { "nound:ask": false }, {}, "On"],
  ["Gate", {}, { "nound:deviceClass": "lock" }, "Unlocked"],
  ["Gate", {}, { "nound:labels": { "1": "Wide" } }, "Wide"],
  // A buzzer that is off tells nothing of its door.
  ["Door", {}, { "nound:fallsBack": { to: 0, after: 3_000, renewed: false } }, "On"],
])("what opens a house is open and not on: %s, %j, %j", (title, rest, key, word) => {
  const view = viewOf(title, { on: { ...level, ...key } }, { on: 1 }, { "nound:ask": true, ...rest });
  const [on] = view.keys;
  expect(on && switchText(on, 1)).toBe(word);
});

test("the line says how many there are, and which", () => {
  const lamps = [1, 1, 0].map((on) => viewOf("Lamp", { on: level }, { on }));
  const views = [...lamps, viewOf("Door", contact("door"), { open: 1 })];
  const summary = summaryOf(views.map((view) => ({ views: [view] as const })));
  expect(summary.filter(({ found }) => found.length > 0).map(({ text }) => text)).toEqual(["1 open", "2 lamps on"]);
  expect(summary.find(({ name }) => name === "lampsOn")?.found).toEqual(
    lamps.slice(0, 2).map((view) => ({ views: [view] })),
  );
});

test("whatever is switched off with a room is on, and is no alarm; nothing with a guard or a question is", () => {
  const noun = fc.record({
    title: fc.constantFrom("Lamp", "Deckenlicht", "Outdoor socket", "Fan", "Alarm", "Pump", "Heating", "Gate"),
    on: fc.constantFrom(0, 1),
    rest: fc.constantFrom({}, { "nound:guard": { door: { open: 0 } } }, { "nound:ask": true }),
  });
  fc.assert(
    fc.property(fc.array(noun), (nouns) => {
      const views = nouns.map(({ title, on, rest }) => viewOf(title, { on: level }, { on }, rest));
      const expected = views.filter((_, index) => {
        const { title, on, rest } = nouns[index] ?? expect.fail();
        return on === 1 && /Lamp|licht|socket|Fan/.test(title) && Object.keys(rest).length === 0;
      });
      expect(switchableOff(views)).toEqual(expected);
    }),
  );
});

test.each([
  ["Outdoor socket", "plug"],
  ["Outdoor light", "lamp"],
  ["Light at the door", "lamp"],
  ["Delight", "power"],
  ["Licht an der Tür", "lamp"],
  ["Deckenlichter", "lamp"],
  ["Außensteckdose", "plug"],
  ["Haustür", "door"],
  ["Kellerfenster", "window"],
  ["Türklingel", "bell"],
  ["Chauffage du salon", "flame"],
  ["Lámpara de la cocina", "lamp"],
  ["Éclairage", "lamp"],
  ["客厅灯", "lamp"],
  ["厨房窗", "window"],
  ["Fanfare", "power"],
] as const)("%s has the picture %s", (title, picture) => {
  expect(pictureOf(viewOf(title, { on: level }, { on: 0 }))).toBe(picture);
});

test("a noun has the picture that its configuration chooses, if the page has it", () => {
  expect(pictureOf(viewOf("Lamp", { on: level }, { on: 0 }, { "nound:icon": "fan" }))).toBe("fan");
  expect(pictureOf(viewOf("Lamp", { on: level }, { on: 0 }, { "nound:icon": "toString" }))).toBe("lamp");
});

/** What the page sends, in order. */
function sent(): object[] {
  const bodies: object[] = [];
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", (_path: string, { body = "{}" }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return new Promise(() => {});
  });
  return bodies;
}

test.each([
  [{ percent: 0, enabled: false }, "percent", 30, { percent: 30, enabled: true }],
  [{ percent: 0, enabled: false }, "enabled", true, { percent: 100, enabled: true }],
  [{ percent: 40, enabled: false }, "enabled", true, { percent: 40, enabled: true }],
  [{ percent: 40, enabled: true }, "percent", 0, { percent: 0, enabled: true }],
] as const)("a dimmer at %j whose %s becomes %j is %j", (state, key, value, whole) => {
  const bodies = sent();
  const view = viewOf("Lamp", { percent, enabled: { type: "boolean" } }, state);
  view.set(key, value);
  expect(bodies).toEqual([whole]);
});

test("a light that has channels alone goes off with its room", () => {
  const bodies = sent();
  const view = viewOf("Ribbon", channels, { r: 0, g: 9, b: 200 });
  switchOff(switchableOff([view]));
  expect(bodies).toEqual([{ r: 0, g: 0, b: 0 }]);
  expect(switchableOff([view])).toEqual([]);
});

test("a dimmer that goes on has its last level", () => {
  const bodies = sent();
  const view = viewOf("Lamp", { percent, enabled: { type: "boolean" } }, { percent: 35, enabled: true });
  view.take({ percent: 0, enabled: false });
  view.set("enabled", true);
  expect(bodies).toEqual([{ percent: 35, enabled: true }]);
});

test("what asks first sends nothing before its answer, and a stop at once", () => {
  const bodies = sent();
  const view = viewOf("Gate", { on: level }, { on: 0 }, { "nound:ask": true });
  view.set("on", 1);
  view.answer(false);
  expect([bodies, view.valueOf(view.keys[0] ?? expect.fail())]).toEqual([[], 0]);
  view.set("on", 1);
  view.answer(true);
  view.answer(true);
  expect(bodies).toEqual([{ on: 1 }]);
  const gate = viewOf(
    "Gate",
    { moving: { enum: ["opening", "stopped"] } },
    { moving: "opening" },
    { "nound:ask": true },
  );
  gate.set("moving", "stopped");
  expect(bodies).toHaveLength(2);
});

test("a meter tells what it has counted since midnight", () => {
  const total = { type: "number", minimum: 0, unit: "kWh", "nound:counts": "total" };
  const view = viewOf("Grid", { total }, { total: 20.5 });
  const [key] = view.keys;
  if (key === undefined) return expect.fail();
  const midnight = new Date().setHours(0, 0, 0, 0);
  const kept = new Map<string, string>();
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  });
  const yesterday = new Date(midnight - 1).setHours(0, 0, 0, 0);
  kept.set("nound.midnights", JSON.stringify({ "n/total": { [yesterday]: 12, [midnight - 9e8]: 1 } }));
  const rows = [
    [midnight - 60_000, 18],
    [Date.now(), 20],
  ].map(([time = 0, value]) => `${new Date(time).toISOString()},${value},${value},${value}\r\n`);
  const csv = `time,total,total min,total max\r\n${rows.join("")}`;
  view.history("total").load(csv, "total", Date.now() - performance.timeOrigin, performance.timeOrigin);
  expect(view.daysOf(key)).toEqual({ today: 2.5, yesterday: 6 });
  // What began after midnight does not tell what was then.
  const fresh = viewOf("Other", { total }, { total: 20.5 }, {}, "fresh");
  expect(fresh.daysOf(fresh.keys[0] ?? expect.fail())).toEqual({ today: undefined, yesterday: undefined });
  // A new meter, or one that was set.
  view.take({ total: 3 });
  expect(view.daysOf(key).today).toBeUndefined();
  expect(Object.keys(JSON.parse(kept.get("nound.midnights") ?? "{}")["n/total"])).toHaveLength(2);
});

/** @returns a channel of a colour. */
function channelOf(colour: string, level: number): NounView {
  const keys = { percent: { ...percent, "nound:colour": colour }, enabled: { type: "boolean" } };
  return viewOf(`Shelf ${colour}`, keys, { percent: level, enabled: true }, { "nound:group": "Shelf" }, colour);
}

test("the channels of a colour are one lamp, which is on while one of them shines", () => {
  const told = (...levels: readonly number[]) => {
    const views = ["red", "green", "blue"].map((colour, index) => channelOf(colour, levels[index] ?? 0));
    const cards = arrange(views).flatMap((group) => group.cards);
    return summaryOf(cards)
      .filter(({ found }) => found.length > 0)
      .map(({ text }) => text);
  };
  expect(told(80, 0, 30)).toEqual(["1 lamp on"]);
  expect(told(0, 0, 0)).toEqual([]);
});

test("a button that counts only presses has rung when a count became larger last", () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const counts = Object.fromEntries(
    ["short", "long", "double"].map((name) => [name, { type: "integer", readOnly: true, "nound:counts": "events" }]),
  );
  const keys = { pressed: { ...level, readOnly: true }, ...counts };
  const state = { pressed: 0, short: 3, long: 0, double: 0 };
  const bell = viewOf("Bell", keys, state);
  expect(bell.sincePress).toBe(undefined);
  vi.spyOn(performance, "now").mockReturnValue(600_000);
  bell.take({ ...state, long: 1 });
  vi.spyOn(performance, "now").mockReturnValue(900_000);
  // A reset rings nothing.
  bell.take({ ...state, short: 0, long: 0 });
  expect(bell.sincePress).toBe(300_000);
  vi.restoreAllMocks();
});

test("each card is in one count at most, and each count has cards that are so, whatever the order of the nouns", () => {
  const noun = fc.record({
    title: fc.constantFrom("Lamp", "Fan", "Pump", "Door"),
    colour: fc.constantFrom(undefined, "red", "green", "blue"),
    on: fc.constantFrom(0, 1, null),
    group: fc.constantFrom("", "Hall"),
  });
  fc.assert(
    fc.property(fc.array(noun, { maxLength: 12 }), (nouns) => {
      const views = nouns.map(({ title, colour, on, group }, index) => {
        const keys = colour === undefined ? { on: level } : { on: { ...level, "nound:colour": colour } };
        return viewOf(title, keys, on === null ? null : { on }, { "nound:group": group }, `n${index}`);
      });
      const cards = arrange(views).flatMap((group) => group.cards);
      const summary = summaryOf(cards);
      const found = summary.flatMap((one) => one.found);
      expect(new Set(found).size).toBe(found.length);
      // A noun is found with its card, and a card only if one of its nouns is counted.
      const counted = cards.filter((card) => card.views.some((view) => countOf(view) !== undefined));
      expect(new Set(found)).toEqual(new Set(counted));
      for (const { name, found, text } of summary) {
        expect(Number.parseInt(text, 10)).toBe(found.length);
        for (const card of found) expect(card.views.map(countOf)).toContain(name);
      }
    }),
  );
});

test("each picture that a configuration may choose is one of the page's", () => {
  expect(Object.keys(paths)).toEqual(expect.arrayContaining([...icons]));
});
