/** A rule that chases itself comes to rest; a knob, a button and a hand do not look like that. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byItself } from "../../../ts/core/noun/noun-traits.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { RuledDevice, TestNoun } from "./device.ts";

/** A noun of another device, as a mirror shows it. */
class Mirrored extends TestNoun {
  readonly [byItself] = "mirror";
}

const follow = {
  when: { other: { on: { changes: true as const } } },
  then: [{ verb: "PUT", noun: "lamp", body: { on: "$other.on" } } as const],
};

/** Two devices whose lamps follow each other, some ms apart. */
class House {
  readonly clock = new SimulatedClock();
  readonly sides = [0, 1].map(() => {
    const lamp = new SwitchNoun({ key: "on" });
    const other = new Mirrored({ on: 0 });
    const device = new RuledDevice({ lamp, other }, { follow }, this.clock);
    return { lamp, other, device, moves: [] as number[] };
  });
  private readonly underway: { readonly due: number; readonly side: number; readonly state: State }[] = [];

  constructor(delay: number) {
    for (const [side, { lamp, moves, device }] of this.sides.entries()) {
      let last = JSON.stringify(lamp.getState());
      lamp.watch(() => {
        const state = lamp.getState();
        if (JSON.stringify(state) === last) return;
        last = JSON.stringify(state);
        moves.push(this.clock.now());
        this.underway.push({ due: this.clock.now() + delay, side: 1 - side, state });
      });
      device.start();
    }
    this.pass(1_000);
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 10) {
      this.clock.advance(10);
      while ((this.underway[0]?.due ?? Number.POSITIVE_INFINITY) <= this.clock.now()) {
        const { side, state } = this.underway.shift() as (typeof this.underway)[0];
        this.sides[side]?.other.become(state);
      }
    }
  }
}

describe("two lamps that follow each other", () => {
  test("come to rest within a minute, move at most 40 times, and a problem is told", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(20, 60, 150),
        fc.array(fc.record({ side: fc.nat(1), gap: fc.integer({ min: 2, max: 40 }) }), { minLength: 2, maxLength: 4 }),
        (delay, presses) => {
          const house = new House(delay);
          const [one] = house.sides;
          for (const { side, gap } of presses) {
            // The other device sees nothing of a hand that undoes a rule's move within the same millisecond.
            if (house.sides[side]?.moves.at(-1) === house.clock.now()) house.pass(10);
            house.sides[side]?.device.ask("POST", "lamp");
            house.pass(gap * 10);
          }
          house.pass(60_000);
          const moved = house.sides.map(({ moves }) => moves.length);
          house.pass(30_000);
          expect(house.sides.map(({ moves }) => moves.length)).toEqual(moved);
          expect(Math.max(...moved)).toBeLessThanOrEqual(40);
          expect(house.sides[1]?.lamp.getState()).toEqual(one?.lamp.getState());
          for (const { device } of house.sides) expect(device.reports.length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("follow a hand at once", () => {
    const house = new House(60);
    for (let presses = 0; presses < 10; presses++) {
      house.sides[0]?.device.ask("POST", "lamp");
      house.pass(500);
      expect(house.sides[1]?.lamp.getState()).toEqual(house.sides[0]?.lamp.getState());
    }
    expect(house.sides.flatMap(({ device }) => device.reports)).toEqual([]);
  });
});

test("a knob of another device that is turned, and a button that counts, are no chase", () => {
  const knob = new Mirrored({ percent: 0, short: 0 });
  const fan = new TestNoun({ percent: 0 });
  const turn = {
    when: { knob: { percent: { changes: true as const } } },
    then: [{ verb: "PUT", noun: "fan", body: { percent: "$knob.percent" } } as const],
  };
  const press = {
    when: { knob: { short: { changes: true as const } } },
    then: [{ verb: "PUT", noun: "fan", body: { percent: 0 } } as const],
  };
  const device = new RuledDevice({ knob, fan }, { turn, press }).start();
  for (let step = 1; step <= 100; step++) {
    knob.become({ percent: step, short: step });
    device.clock.advance(100);
  }
  expect(device.ask("GET", "turn")).toMatchObject({ runs: 100 });
  expect(device.reports).toEqual([]);
});

test("whoever acts by hand is not slowed by a chase", () => {
  const house = new House(60);
  const [one] = house.sides;
  one?.device.ask("POST", "lamp");
  house.pass(60);
  one?.device.ask("POST", "lamp");
  house.pass(4_000);
  const { runs } = (one?.device.ask("GET", "follow") ?? {}) as { readonly runs: number };
  one?.device.ask("POST", "follow");
  house.pass(150);
  expect(one?.device.ask("GET", "follow")).toMatchObject({ runs: runs + 1 });
});
