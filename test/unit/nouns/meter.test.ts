import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptText } from "../../../ts/core/noun/kept-text.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { GpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import { InputNoun } from "../../../ts/hardware/nouns/input-noun.ts";
import { keepTotal, Meter, type MeterOptions } from "../../../ts/hardware/nouns/meter.ts";
import type { InputSource } from "../../../ts/native/input.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { input, simulatedLine } from "./simulated-line.ts";

const interval = 600_000;
const energy: MeterOptions = {
  total: { key: "kilowattHours", scale: 0.0005, unit: "kWh", deviceClass: "energy" },
  rate: { key: "watts", unit: "W", scale: 3_600_000 },
};

function keep(clock: SimulatedClock, store: SimulatedStore): KeptText {
  return new KeptText({ store, clock }, { name: "total-grid", interval, onError: () => {} });
}

function make(options: MeterOptions = energy, span: 1 | 2 = 1) {
  const clock = new SimulatedClock();
  const store = new SimulatedStore();
  let changes = 0;
  const changed = () => {
    changes += 1;
  };
  const kept = options.total === undefined ? undefined : keep(clock, store);
  const meter = new Meter({ clock, kept, changed }, options, span);
  return { clock, store, meter, changes: () => changes };
}

test("each pulse adds to the total, exactly however many there are", () => {
  const { meter, clock } = make();
  for (let count = 0; count < 100_000; count++) {
    clock.advance(20);
    meter.pulse(clock.now());
  }
  expect(meter.values).toEqual({ kilowattHours: 50, watts: 90_000 });
});

test("the rate is that of the time between pulses, and falls as silence proves it", () => {
  const { meter, clock } = make({ rate: { key: "watts", scale: 1_800, timeout: 60_000 } });
  expect(meter.values).toEqual({ watts: null });
  meter.pulse(0);
  expect(meter.values).toEqual({ watts: null });
  clock.advance(1_000);
  meter.pulse(1_000);
  expect(meter.values).toEqual({ watts: 1_800 });
  clock.advance(1_000);
  expect(meter.values).toEqual({ watts: 1_800 });
  clock.advance(1_000);
  expect(meter.values).toEqual({ watts: 900 });
  clock.advance(57_999);
  expect(meter.values).toEqual({ watts: 30 });
  clock.advance(1);
  expect(meter.values).toEqual({ watts: 0 });
});

test("the rate of a signal of which both edges count does not depend on how long it is high", () => {
  const { meter } = make({ rate: { key: "hertz" } }, 2);
  for (const moment of [0, 30, 1_000, 1_030, 2_000]) meter.pulse(moment);
  expect(meter.values).toEqual({ hertz: 2 });
});

test("pulses that the kernel has lost count", () => {
  const { meter } = make({ total: { key: "litres", scale: 10 }, rate: { key: "perSecond" } });
  meter.pulse(0);
  meter.pulse(4_000, 4);
  expect(meter.values).toEqual({ litres: 50, perSecond: 10 });
});

test("without a pulse, the rate is 0 after the timeout and unknown before", () => {
  const { meter, clock } = make({ rate: { key: "watts" } });
  clock.advance(299_999);
  expect(meter.values).toEqual({ watts: null });
  clock.advance(1);
  expect(meter.values).toEqual({ watts: 0 });
});

test("a follower is told as the rate falls, a few times, and no timer is left at 0 or when nobody follows", () => {
  const { meter, clock, changes } = make({ rate: { key: "watts" } });
  meter.follow(true);
  meter.pulse(0);
  clock.advance(1_000);
  meter.pulse(1_000);
  clock.advance(299_999);
  expect(meter.values).not.toEqual({ watts: 0 });
  expect(changes()).toBeGreaterThan(10);
  expect(changes()).toBeLessThan(40);
  clock.advance(1);
  expect(meter.values).toEqual({ watts: 0 });
  expect(clock.running).toBe(0);
  meter.pulse(clock.now());
  expect(clock.running).toBe(1);
  meter.follow(false);
  expect(clock.running).toBe(0);
});

test("the total is written once an interval at most, and at the end", () => {
  const { meter, clock, store } = make({ total: { key: "litres" } });
  for (let count = 0; count < 100; count++) {
    clock.advance(60_000);
    meter.pulse(clock.now());
  }
  expect(store.writes).toBe(10);
  meter.close();
  expect(store.texts.get("total-grid")).toBe("100");
  expect(clock.running).toBe(0);
});

test("a PUT sets the total, from which pulses go on", () => {
  const { meter } = make({ total: { key: "litres", scale: 0.1 } });
  meter.pulse(0);
  meter.set({ litres: 1_234.5 });
  meter.pulse(1);
  expect(meter.values).toEqual({ litres: 1_234.6 });
});

test.each(["", "x", "-1", "NaN", "1e13", "Infinity"])("a kept text that no meter wrote is a total of 0: %j", (text) => {
  const { clock, store } = make();
  store.texts.set("total-grid", text);
  const meter = new Meter({ clock, kept: keep(clock, store), changed: () => {} }, energy, 1);
  expect(meter.values).toMatchObject({ kilowattHours: 0 });
});

test("the next process goes on with the total and the rate", () => {
  const { meter, clock, store } = make();
  meter.pulse(0);
  clock.advance(1_000);
  meter.pulse(1_000);
  const left = meter.leave();
  const next = new Meter({ clock, kept: keep(clock, store), changed: () => {} }, energy, 1);
  expect(next.values).toMatchObject({ kilowattHours: 0.001 });
  next.takeOver(left);
  expect(next.values).toEqual({ kilowattHours: 0.001, watts: 1_800 });
  next.takeOver({ total: "7", last: {} as never });
  expect(next.values).toEqual({ kilowattHours: 0.001, watts: 1_800 });
});

test("at any moment of a power cut, the total loses what an interval counted at most, and never grows", () => {
  const step = fc.record({ wait: fc.nat(200_000), pulses: fc.nat(5), put: fc.option(fc.nat(1_000), { freq: 10 }) });
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 40 }), { minLength: 1, maxLength: 4 }), (lives) => {
      const clock = new SimulatedClock();
      const store = new SimulatedStore();
      // The totals of the meter that was never cut, by moment.
      const truth: { moment: number; total: number }[] = [];
      for (const life of lives) {
        // After the cut, the timers of this process write nothing.
        let isCut = false;
        const disk = Object.assign(new SimulatedStore(), {
          read: (name: string) => store.read(name),
          write: (name: string, text: string) => {
            if (!isCut) store.write(name, text);
          },
        });
        const meter = new Meter({ clock, kept: keep(clock, disk), changed: () => {} }, { total: { key: "n" } }, 1);
        const started = Number(meter.values["n"]);
        if (truth.length > 0) {
          // What was counted when the cut came, and what had been counted an interval earlier.
          const now = clock.now();
          const at = (moment: number) => truth.filter((one) => one.moment <= moment).at(-1)?.total ?? 0;
          const since = truth.filter(({ moment }) => moment >= now - interval).map(({ total }) => total);
          expect([at(now - interval), ...since]).toContain(started);
        }
        truth.push({ moment: clock.now(), total: started });
        for (const { wait, pulses, put } of life) {
          clock.advance(wait);
          const note = () => truth.push({ moment: clock.now(), total: Number(meter.values["n"]) });
          if (put !== null) meter.set({ n: put });
          note();
          for (let count = 0; count < pulses; count++) {
            meter.pulse(clock.now());
            note();
          }
        }
        isCut = true;
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[MeterOptions, string]>([
  [{ total: { key: "n", scale: 0 } }, '"scale" of "total" is a number above 0; it is 0.'],
  [{ rate: { key: "n", scale: Number.NaN } }, '"scale" of "rate" is a number above 0; it is null.'],
  [{ total: { key: "n", interval: 0.5 } }, '"interval" is a whole number of ms from 1 on'],
])("options of an author that are none are refused: %j", (options, sentence) => {
  expect(() => keepTotal(options, undefined, { name: "n", report: () => {} })).toThrow(sentence);
});

test("an input line counts its edges into the total, which PUT and POST set and DELETE leaves", async () => {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...input, edges: "rising" });
  const store = new SimulatedStore();
  const options = { key: "pulse", edges: "rising", total: { key: "litres", scale: 10, unit: "L" } } as const;
  const noun = new GpioInputNoun({ line, clock, kept: keep(clock, store) }, options);
  expect(noun.settable).toBe(true);
  expect(noun.shape["litres"]).toMatchObject({ counts: "total", unit: "L" });
  pin.drive(1);
  pin.drive(0);
  pin.drive(1);
  expect(noun.getState()).toMatchObject({ litres: 20, edges: 2 });
  expect(noun.deleteState()).toMatchObject({ litres: 20, edges: 0 });
  expect(await noun.setState({ litres: 500 })).toMatchObject({ litres: 500 });
  expect(await noun.updateState({})).toMatchObject({ litres: 500 });
  const next = new GpioInputNoun({ line, clock, kept: keep(clock, store) }, options);
  next[takeOver](noun[leave]());
  expect(next.getState()).toMatchObject({ litres: 500 });
  noun.close();
  expect(store.texts.get("total-grid")).toBe("500");
});

test("an input line that counts presses adds one of each, and without a total a PUT is refused", () => {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...input, edges: "both" });
  const noun = new GpioInputNoun({ line, clock }, { key: "bell", presses: true, rate: { key: "perSecond" } });
  pin.drive(1);
  pin.drive(0);
  clock.advance(500);
  pin.drive(1);
  expect(noun.getState()).toMatchObject({ perSecond: 2, short: 1 });
  expect(() => noun.setState({ perSecond: 3 })).toThrow(StateError);
  expect(() => noun.updateState({})).toThrow(StateError);
});

test("a key of an input device adds a press to the total", async () => {
  const clock = new SimulatedClock();
  const source: InputSource<number> = { level: 0, onEvent: null, close: () => {} };
  const kept = keep(clock, new SimulatedStore());
  const place = { open: () => source, clock, report: () => {}, kept };
  const noun = new InputNoun(place, { key: "pressed", isAxis: false, total: { key: "visitors" } });
  source.onEvent?.(1, 1_000);
  source.onEvent?.(0, 2_000);
  source.onEvent?.(1, 3_000);
  expect(noun.getState()).toMatchObject({ visitors: 2 });
  expect(await noun.setState({ visitors: 7 })).toMatchObject({ visitors: 7 });
  noun.close();
  expect(clock.running).toBe(0);
});

test("a kept text that is no total is reported before it is lost", () => {
  for (const [text, reported] of [
    ["", 1],
    ["12abc", 1],
    ["-5", 1],
    ["1e13", 1],
    ["12.5", 0],
    [undefined, 0],
  ] as const) {
    const store = new SimulatedStore();
    if (text !== undefined) store.texts.set("total-grid", text);
    const reports: string[] = [];
    keepTotal(energy, store, { name: "grid", report: (error) => reports.push(String(error)) });
    expect([text, reports]).toHaveProperty("1.length", reported);
    if (reported === 1)
      expect(reports[0]).toBe(`Error: the kept total ${JSON.stringify(text)} is none: it begins at 0`);
  }
});
