import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { GpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import type { LineSettings } from "../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { input, simulatedLine } from "./simulated-line.ts";

function make(settings: Partial<LineSettings> = {}) {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...input, ...settings });
  const { edges = "none" } = settings;
  return { clock, pin, line, noun: new GpioInputNoun({ line, clock }, { key: "button", edges }) };
}

test("reads the level each time", () => {
  const { noun, pin } = make();
  expect(noun.getState()).toEqual({ button: 0 });
  pin.drive(1);
  expect(noun.getState()).toEqual({ button: 1 });
});

test.each([
  ["rising", 2],
  ["falling", 1],
] as const)("with edges %s counts no others, which it follows all the same", (edges, count) => {
  const { noun, pin } = make({ edges });
  pin.drive(1);
  pin.drive(0);
  pin.drive(1);
  expect(noun.getState()).toMatchObject({ edges: count, missed: 0 });
});

describe("of the edges that fall, those that rise are not counted", () => {
  const edge = (value: 0 | 1, sequence: number) => ({ value, timestamp: 0, sequence });

  test.each([
    ["one that was lost after a fall rose", [edge(0, 1), edge(0, 3)], { edges: 2, missed: 0 }],
    ["two that were lost after a fall are one of each", [edge(0, 1), edge(1, 4)], { edges: 1, missed: 1 }],
    ["three that were lost after a rise are two falls", [edge(0, 1), edge(1, 2), edge(1, 6)], { edges: 1, missed: 2 }],
    ["a fall too fast for the driver, between two rises, counts", [edge(1, 1), edge(1, 2)], { edges: 1, missed: 0 }],
  ] as const)("%s", (_name, events, counts) => {
    const { noun, line } = make({ edges: "falling" });
    for (const event of events) line.onEdge?.(event);
    expect(noun.getState()).toMatchObject(counts);
  });

  test("on a line that can report falls alone, each lost one was a fall, and the level is read every second", () => {
    const clock = new SimulatedClock();
    const { line } = simulatedLine(clock, { ...input, edges: "falling" });
    const setEdges = line.setEdges.bind(line);
    line.setEdges = (edges) => {
      if (edges === "both") throw new Error("not both");
      setEdges(edges);
    };
    const said: unknown[] = [];
    const hardware = { line, clock, report: (error: unknown) => said.push(error) };
    const noun = new GpioInputNoun(hardware, { key: "door", edges: "falling" });
    line.onEdge?.(edge(0, 1));
    line.onEdge?.(edge(0, 5));
    expect(noun.getState()).toMatchObject({ edges: 2, missed: 3 });
    expect([noun.poll, line.edges, said.map(String)]).toEqual([1_000, "falling", ["Error: not both"]]);
  });
});

test("counts the edges that the kernel's queue lost, those before the first one seen too", () => {
  const { noun, line, clock } = make({ edges: "both" });
  clock.advance(10);
  line.onEdge?.({ value: 1, timestamp: 4_200, sequence: 3 });
  expect(noun.getState()).toMatchObject({ edges: 1, missed: 2, sinceEdge: 5 });
  line.onEdge?.({ value: 0, timestamp: 5_000, sequence: 4 });
  line.onEdge?.({ value: 0, timestamp: 6_000, sequence: 10 });
  expect(noun.getState()).toMatchObject({ edges: 3, missed: 7 });
});

test("whatever happens between two readings, each gives the level, the counters and the time of now", () => {
  const happening = fc.oneof(
    fc.record({ level: fc.constantFrom<0 | 1>(0, 1), lost: fc.nat(1) }),
    fc.record({ wait: fc.nat(1) }),
    fc.constantFrom("read", "delete", "delete while the line fails"),
  );
  const property = fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
    const { pin, line, clock } = make();
    // The test reports the edges, because the simulated line loses none.
    const noun = new GpioInputNoun({ line, clock }, { key: "button", edges: "both" });
    const expected = { button: 0, edges: 0, missed: 0, sinceEdge: null as number | null };
    let sequence = 0;
    for (const each of happenings) {
      if (typeof each === "string") {
        if (each !== "read") Object.assign(expected, { edges: 0, missed: 0, sinceEdge: null });
        if (each === "read") expect(noun.getState()).toEqual(expected);
        else if (each === "delete") expect(noun.deleteState()).toEqual(expected);
        else {
          pin.failure = new Error("no");
          expect(() => noun.deleteState()).toThrow("no");
          pin.failure = undefined;
        }
      } else if ("wait" in each) {
        clock.advance(each.wait);
        if (expected.sinceEdge !== null) expected.sinceEdge += each.wait;
      } else {
        const { level, lost } = each;
        pin.drive(level);
        sequence += 1 + lost;
        line.onEdge?.({ value: level, timestamp: clock.now() * 1_000, sequence });
        Object.assign(expected, { button: level, sinceEdge: 0 });
        expected.edges += 1;
        expected.missed += lost;
      }
    }
    expect(noun.getState()).toEqual(expected);
  });
  fc.assert(property, { numRuns: 300 });
});

test("an edge that is younger than the loop's clock is 0 ms old", () => {
  const { noun, line } = make({ edges: "both" });
  line.onEdge?.({ value: 1, timestamp: 1_900, sequence: 1 });
  expect(noun.getState()).toMatchObject({ sinceEdge: 0 });
});

test("deleting resets the counters and nothing else; edges before it are not missed ones after it", () => {
  const { noun, pin } = make({ edges: "both" });
  pin.drive(1);
  expect(noun.deleteState()).toEqual({ button: 1, edges: 0, missed: 0, sinceEdge: null });
  pin.drive(0);
  expect(noun.getState()).toEqual({ button: 0, edges: 1, missed: 0, sinceEdge: 0 });
});

test("deleting resets the counters also if the line cannot be read then", () => {
  const { noun, pin, line } = make({ edges: "both" });
  line.onEdge?.({ value: 0, timestamp: 0, sequence: 2 });
  expect(noun.getState()).toMatchObject({ edges: 1, missed: 1 });
  pin.failure = new Error("no");
  expect(() => noun.deleteState()).toThrow("no");
  pin.failure = undefined;
  line.onEdge?.({ value: 0, timestamp: 0, sequence: 3 });
  expect(noun.getState()).toMatchObject({ edges: 1, missed: 0 });
});

test("the shape has the keys of the state, all read-only", () => {
  expect(make().noun.shape).toEqual({ button: { type: "choice", values: [0, 1], readOnly: true } });
  const { noun } = make({ edges: "both" });
  expect(Object.keys(noun.shape)).toEqual(Object.keys(noun.getState()));
  expect(Object.values(noun.shape).every((key) => key.readOnly === true)).toBe(true);
  expect(noun.shape["sinceEdge"]).toMatchObject({ type: "integer", minimum: 0, nullable: true, unit: "ms" });
});

test("deleting without counters reads the level", () => {
  const { noun, pin } = make();
  pin.drive(1);
  expect(noun.deleteState()).toEqual({ button: 1 });
});

test.each(["setState", "updateState"] as const)("%s is refused with a sentence, whatever it holds", (operation) => {
  const { noun } = make();
  expect(() => noun[operation]()).toThrow(StateError);
  expect(() => noun[operation]()).toThrow(/^This noun is an input, and cannot be set; /);
});

test("what the kernel refuses is thrown, and passes", () => {
  const { noun, pin } = make({ edges: "both" });
  pin.failure = new Error("no");
  expect(() => noun.getState()).toThrow("no");
  pin.failure = undefined;
  expect(noun.getState()).toMatchObject({ button: 0 });
});

describe("an input whose edges nobody counts", () => {
  test("is told by the kernel of each while somebody watches, and of none otherwise", () => {
    const { noun, pin, line } = make();
    const heard: unknown[] = [];
    const hear = () => void heard.push(noun.getState());
    expect(line.edges).toBe("none");
    const ends = [noun.watch(hear), noun.watch(() => undefined)];
    expect([line.edges, noun.poll]).toEqual(["both", undefined]);
    pin.drive(1);
    pin.drive(0);
    expect(heard).toEqual([{ button: 1 }, { button: 0 }]);
    ends[0]?.();
    expect(line.edges).toBe("both");
    ends[1]?.();
    expect(line.edges).toBe("none");
    pin.drive(1);
    expect(heard.length).toBe(2);
  });

  test("on a line without interrupts is read every `poll` ms, and that is said once", () => {
    const clock = new SimulatedClock();
    const { line, pin } = simulatedLine(clock, input);
    pin.hasInterrupt = false;
    const said: unknown[] = [];
    const noun = new GpioInputNoun({ line, clock, report: (error) => said.push(error) }, { key: "button", poll: 50 });
    expect(said).toEqual([]);
    for (let time = 0; time < 3; time++) {
      const end = noun.watch(() => undefined);
      expect(noun.poll).toBe(50);
      end();
    }
    expect(said.map(String)).toEqual([expect.stringContaining("it has no interrupt")]);
    expect(noun.getState()).toEqual({ button: 0 });
  });
});

test("at its end it gives the line back", () => {
  const { noun, pin } = make();
  noun.close();
  expect(pin.settings).toBeUndefined();
});

describe("with presses", () => {
  function button(edges: "none" | "both" = "none") {
    const clock = new SimulatedClock();
    const { line, pin } = simulatedLine(clock, { ...input, edges: "both" });
    const noun = new GpioInputNoun({ line, clock }, { key: "button", edges, presses: true, doublePress: 200 });
    const press = (duration: number) => {
      pin.drive(1);
      clock.advance(duration);
      pin.drive(0);
    };
    return { clock, noun, press };
  }

  test("it counts them beside the level, and beside the edges if these count", () => {
    const { noun } = button();
    expect(noun.getState()).toEqual({ button: 0, short: 0, long: 0, double: 0 });
    expect(Object.keys(noun.shape)).toEqual(Object.keys(noun.getState()));
    const both = button("both").noun;
    expect(both.getState()).toEqual({
      button: 0,
      edges: 0,
      missed: 0,
      sinceEdge: null,
      short: 0,
      long: 0,
      double: 0,
    });
    expect(Object.keys(both.shape)).toEqual(Object.keys(both.getState()));
  });

  test("it tells watchers of each press", () => {
    const { clock, noun, press } = button();
    const told: unknown[] = [];
    noun.watch?.(() => told.push(noun.getState()));
    press(600);
    expect(told).toEqual([
      { button: 1, short: 0, long: 0, double: 0 },
      { button: 1, short: 0, long: 1, double: 0 },
      { button: 0, short: 0, long: 1, double: 0 },
    ]);
    press(10);
    press(10);
    expect(noun.getState()).toEqual({ button: 0, short: 0, long: 1, double: 1 });
    press(10);
    clock.advance(200);
    expect(noun.getState()).toEqual({ button: 0, short: 1, long: 1, double: 1 });
    expect(told.at(-1)).toEqual(noun.getState());
  });

  test("a state with edges is new when a press counts in the moment of its edge", () => {
    const { noun, press } = button("both");
    press(0);
    press(0);
    expect(noun.getState()).toMatchObject({ edges: 4, double: 1, sinceEdge: 0 });
  });

  test("DELETE begins the counts again, and the end stops its timer", () => {
    const { clock, noun, press } = button();
    press(600);
    expect(noun.deleteState()).toEqual({ button: 0, short: 0, long: 0, double: 0 });
    press(10);
    noun.close();
    expect(clock.running).toBe(0);
  });
});
