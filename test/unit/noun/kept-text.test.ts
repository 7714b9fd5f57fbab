import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { KeptText } from "../../../ts/core/noun/kept-text.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";

let clock: SimulatedClock;
let store: SimulatedStore;
let errors: unknown[];

beforeEach(() => {
  clock = new SimulatedClock();
  store = new SimulatedStore();
  errors = [];
});

function make(): KeptText {
  return new KeptText({ store, clock }, { name: "it", interval: 1_000, onError: (error) => errors.push(error) });
}

test("knows what was kept before, and nothing when nothing was", () => {
  expect(make().text).toBeUndefined();
  store.texts.set("it", "1");
  expect(make().text).toBe("1");
});

test("writes the first text at once", () => {
  make().keep("1");
  expect(store.texts.get("it")).toBe("1");
});

test("writes nothing that is there already", () => {
  store.texts.set("it", "1");
  const kept = make();
  kept.keep("1");
  kept.keep("0");
  kept.keep("1");
  expect(store.writes).toBe(1);
  clock.advance(1_000);
  expect(store.texts.get("it")).toBe("1");
});

test("a flush writes at once what waits, and leaves no timer", () => {
  const kept = make();
  kept.keep("1");
  kept.keep("0");
  kept.flush();
  expect(store.texts.get("it")).toBe("0");
  expect(clock.running).toBe(0);
  kept.flush();
  expect(store.writes).toBe(2);
});

test("a store that fails is reported, and tried again after the interval", () => {
  const kept = make();
  store.failure = new Error("No space left on device");
  kept.keep("1");
  expect(errors).toEqual([store.failure]);
  clock.advance(1_000);
  expect(errors).toHaveLength(2);
  store.failure = undefined;
  clock.advance(1_000);
  expect(store.texts.get("it")).toBe("1");
  expect(errors).toHaveLength(2);
});

test("however it is used, writes are an interval apart, and an interval later the last text is there", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: fc.constantFrom("0", "1", "2"), wait: fc.nat(1_500) })), (steps) => {
      clock = new SimulatedClock();
      store = new SimulatedStore();
      const moments: number[] = [];
      const write = store.write.bind(store);
      store.write = (name, text) => {
        moments.push(clock.now());
        write(name, text);
      };
      const kept = make();
      for (const { text, wait } of steps) {
        kept.keep(text);
        clock.advance(wait);
      }
      clock.advance(1_000);
      expect(store.texts.get("it")).toBe(steps.at(-1)?.text);
      for (const [i, moment] of moments.slice(1).entries()) {
        expect(moment - (moments[i] ?? 0)).toBeGreaterThanOrEqual(1_000);
      }
    }),
  );
});
