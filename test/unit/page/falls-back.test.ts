/** What the page knows of a value that falls back by itself. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { formOf } from "../../../ts/page/form.ts";
import { answerTime, NounView } from "../../../ts/page/noun-view.ts";
import { readDescription } from "../../../ts/page/thing.ts";
import { thingDescription } from "../../../ts/parts/documents/describe/thing-description.ts";
import { described, device, wholeOf } from "../describe/devices.ts";
import { output, simulatedLine } from "../nouns/simulated-line.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @returns the page's view of an output, as the device describes it, and its one key. */
function viewOf(options: { readonly pulse?: number; readonly lease?: number | "asked" }) {
  const clock = new SimulatedClock();
  const noun = new GpioOutputNoun({ line: simulatedLine(clock, output).line, clock }, { key: "on", ...options });
  const text = wholeOf(thingDescription(device([described("it", noun)])));
  const [it] = readDescription(JSON.parse(text), "").nouns;
  if (it === undefined) throw new Error("There is no noun.");
  const view = new NounView(
    it,
    () => {},
    () => {},
  );
  const [key] = view.keys;
  if (key === undefined) throw new Error("There is no key.");
  return { view, rest: () => view.rest(key) };
}

test("a pulse that the page sees begin has its exact time", () => {
  const { view, rest } = viewOf({ pulse: 800 });
  expect(view.noun.action).toBe("Press");
  view.take({ on: 0 });
  expect(rest()).toBeUndefined();
  view.take({ on: 1 });
  vi.advanceTimersByTime(300);
  expect(rest()).toEqual({ time: expect.closeTo(500, 3), isExact: true });
  view.take({ on: 0 });
  expect([rest(), view.isCounting]).toEqual([undefined, false]);
});

test("of a lease that began before the page, it is only known how long it may last", () => {
  const { view, rest } = viewOf({ lease: 30_000 });
  expect(view.noun.action).toBeUndefined();
  view.take({ on: 1 });
  vi.advanceTimersByTime(10_000);
  expect(rest()).toEqual({ time: 30_000, isExact: false });
});

test("a lease that is over and still there has been renewed by somebody else", () => {
  const { view, rest } = viewOf({ lease: 30_000 });
  view.take({ on: 0 });
  view.take({ on: 1 });
  vi.advanceTimersByTime(30_000);
  expect(rest()).toEqual({ time: 30_000, isExact: false });
});

test("setting a lease again begins its time again, and setting a pulse again does not", async () => {
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("fetch", async () => new Response('{"on":1}', { status: 200 }));
  for (const [options, time] of [
    [{ lease: 30_000 }, 30_000],
    [{ pulse: 30_000 }, 20_000],
  ] as const) {
    const { view, rest } = viewOf(options);
    view.take({ on: 0 });
    view.take({ on: 1 });
    vi.advanceTimersByTime(10_000);
    view.set("on", 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(rest()).toEqual({ time: expect.closeTo(time, 3), isExact: true });
  }
});

test("on for a time that the device keeps: one request, then what is left; a switch alone ends it", async () => {
  vi.stubGlobal("location", { pathname: "/" });
  const bodies: string[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    // The page also reads the state again.
    if (typeof body === "string") bodies.push(body);
    return new Response(bodies.at(-1), { status: 200 });
  });
  const { view } = viewOf({ lease: "asked" });
  view.take({ on: 0 });
  const { power, time } = view.timer ?? {};
  if (power === undefined || time === undefined) throw new Error("There is no timer.");
  expect([power.name, time.name, formOf(view).name]).toEqual(["on", "remaining", "toggle"]);
  view.setAll([
    ["on", 1],
    ["remaining", 1_800],
  ]);
  await vi.advanceTimersByTimeAsync(answerTime);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(view.valueOf(time)).toBe(1_790);
  view.set("on", 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(view.valueOf(time)).toBeUndefined();
  expect(bodies).toEqual(['{"on":1,"remaining":1800}', '{"on":1}']);
});

test("a noun that takes no time has no timer", () => {
  for (const options of [{}, { pulse: 5 }, { lease: 5 }]) expect(viewOf(options).view.timer).toBeUndefined();
});
