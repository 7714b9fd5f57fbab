/** States of nouns in memory that survive the process. */
import { beforeEach, expect, test } from "vitest";
import { restored } from "../../../ts/hardware/nouns/kept-state.ts";
import { LedNoun } from "../../../ts/hardware/nouns/led-noun.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { SimulatedSysfs } from "../../../ts/native/simulated/sysfs.ts";
import { openStore } from "../../../ts/nound.ts";
import { advance, reset, storedTexts } from "../../../ts/testing.ts";

beforeEach(reset);

const folder = "/var/lib/my-device";
const shape = { wanted: { type: "number", minimum: 5, maximum: 30 } } as const;

/** @returns the noun of a process, and what it has reported. */
function begin(key = "wanted") {
  const reports: string[] = [];
  const report = (error: unknown) => reports.push(String(error));
  const noun = new ValueNoun<{ readonly [key: string]: (typeof shape)["wanted"] }>({
    shape: { [key]: shape.wanted },
    default: { [key]: 20 },
  });
  return { noun: restored(noun, { name: "heating", report }, openStore(folder)), reports };
}

test("a state is what it was, and a DELETE is kept as well", async () => {
  const first = begin();
  first.noun.setState({ wanted: 23 });
  expect(begin().noun.getState()).toEqual({ wanted: 23 });
  await advance(1_000);
  first.noun.deleteState();
  expect(begin().noun.getState()).toEqual({ wanted: 20 });
  expect(first.reports).toEqual([]);
});

test("flash memory is written once a second at most, and the last state when the program ends", () => {
  const { noun } = begin();
  for (const wanted of [21, 22, 23]) noun.setState({ wanted });
  expect(storedTexts(folder).get("state-heating")).toBe('{"wanted":21}');
  noun.close?.();
  expect(storedTexts(folder).get("state-heating")).toBe('{"wanted":23}');
});

test.each([
  ["a damaged text", '{"wanted":2'],
  ["no text", ""],
  ["a state that the shape no longer allows", '{"wanted":31}'],
])("%s is reported, and the noun has its default", (_, text) => {
  storedTexts(folder).set("state-heating", text);
  const { noun, reports } = begin();
  expect(noun.getState()).toEqual({ wanted: 20 });
  expect(reports).toEqual([
    expect.stringContaining("the state that was kept cannot be restored, so this is the default"),
  ]);
});

test("a switch keeps its state too", () => {
  const switchOf = () =>
    restored(new SwitchNoun({ key: "on" }), { name: "away", report: expect.unreachable }, openStore(folder));
  switchOf().updateState({});
  expect(switchOf().getState()).toEqual({ on: 1 });
});

test("a LED is what it was given last, not what others made of it, and one that was left alone is not touched", () => {
  const leds = new SimulatedSysfs();
  const keeping = { name: "green", report: () => undefined };
  const begin = (isLeft = false) => {
    const inherited = { brightness: 0, trigger: "none" };
    const noun = new LedNoun(leds.openDevice("leds", "green"), isLeft ? { inherited } : { default: { brightness: 0 } });
    return restored(noun, keeping, openStore(folder), isLeft);
  };
  begin().setState({ brightness: 40, trigger: "none" });
  const folderOfLed = leds.openDevice("leds", "green");
  folderOfLed.attributes.set("brightness", "7");
  expect(begin(true).getState()).toMatchObject({ brightness: 7 });
  const next = begin();
  expect(next.getState()).toMatchObject({ brightness: 40 });
  expect(next.deleteState()).toMatchObject({ brightness: 0 });
});
