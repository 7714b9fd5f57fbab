/**
 * Random hours of a cover with a motor that starts late and rolls on, that is blocked, that a hand moves; with end
 * switches that bounce, fail and stick, guards that break, and power cuts. What a cover knows is so.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { House } from "./cover-house.ts";

const { NOUND_ORDERS: given } = process.env;
const runs = Number(given ?? 60);
/**
 * Hours in which a cover was wrong once: by a late start, a switch that is stuck, a hand right after a restart, slats
 * that were blocked.
 */
const wrong = [-901225294, 1182336443, -772653316, 242494010, 1241951777, -894105331, -594425841, 627543484];
const hour = 3_600_000;
const ends = { open: 100, close: 0 } as const;

const percent = (random: () => number) => Math.floor(random() * 101);

/** One thing that happens. */
function happen(house: House): void {
  const { random } = house;
  const kind = random();
  const tilt = random() < 0.5 && house.times.tiltTime !== undefined ? { tilt: percent(random) } : {};
  if (kind < 0.35)
    house.ask({ ...tilt, ...(random() < 0.5 || !("tilt" in tilt) ? { position: percent(random) } : {}) });
  else if (kind < 0.5) house.ask({ moving: random() < 0.5 ? "opening" : "closing" });
  else if (kind < 0.58) house.ask({ moving: "stopped" });
  else if (kind < 0.66) house.ask({});
  else if (kind < 0.72) house.ask(house.cover.getState());
  else if (kind < 0.78) house.hand(random() < 0.3 ? 0 : random() < 0.4 ? 100 : random() * 100);
  else if (kind < 0.82) {
    house.isBlocked = !house.isBlocked;
    // No switch tells it, unless it shall come to one.
    house.isExcused = true;
  } else if (kind < 0.86) {
    const one = house.switches[random() < 0.5 ? "open" : "close"];
    if (one !== undefined) one.state = random() < 0.4 ? "works" : random() < 0.5 ? "dead" : "stuck";
    house.isExcused = true;
    house.tellAll();
  } else if (kind < 0.93) house.breakGuard(!house.isBroken);
  else house.restart(random() < 0.5);
}

/** @returns in how many of all steps the position was known. */
function anHour(house: House): readonly [known: number, all: number] {
  let known = 0;
  let all = 0;
  while (house.clock.now() < hour) {
    happen(house);
    house.pass(house.random() < 0.3 ? house.random() * 2_000 : house.random() * 300_000);
    all += 1;
    if (house.cover.getState()["position"] !== null && !house.isExcused) known += 1;
  }
  return [known, all];
}

function presses(house: House): void {
  const { random } = house;
  house.isBusy = true;
  for (let press = 0; press < 40; press++) {
    if (random() < 0.5) {
      house.press(true);
      house.press(false);
    } else {
      house.ask(random() < 0.5 ? { moving: random() < 0.5 ? "opening" : "closing" } : { position: percent(random) });
    }
    house.pass(random() < 0.5 ? random() * 2_000 : random() * 60_000);
  }
  house.ask({ moving: "stopped" });
  house.pass(1.3 * Math.max(house.times.openTime, house.times.closeTime) + 2_000);
  // Somebody may have moved it from one place in the middle to another, which no switch tells.
  const { position, moving } = house.cover.getState();
  expect(moving).toBe("stopped");
  const end = Object.values(ends).find((one) => Math.abs(house.position - one) <= 0.3);
  if (end === undefined) expect(Object.values(ends)).not.toContain(position);
  else expect([end, null]).toContain(position);
  // It is where it shall be, whatever was before: at most two commands later.
  for (let command = 0; command < 3; command++) {
    house.ask({ moving: "closing" });
    house.pass(3 * 60_000);
  }
  expect(house.cover.getState()).toMatchObject({ position: 0, moving: "stopped" });
  expect(house.position).toBeLessThanOrEqual(0.3);
}

test("in any hour, what a cover knows is so, and nothing moves that nobody has asked for", () => {
  let known = 0;
  let all = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const [some, more] = anHour(new House(seed, "outputs"));
      known += some;
      all += more;
    }),
    { numRuns: runs, examples: wrong.map((seed): [number] => [seed]) },
  );
  // Otherwise this would show nothing.
  expect(known / all).toBeGreaterThan(0.3);
});

test("after any presses of its only button, by hand and by command, a garage door is right within one stroke", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => presses(new House(seed, "button"))),
    // Once, a door that a hand had brought back to its switch stood 4 % beside it.
    { numRuns: runs, examples: [[-2029167094]] },
  );
});

test("slats are right within 5 % after 200 moves", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const house = new House(seed, "outputs", { tiltTime: 1_500 });
      house.ask({ position: 50 });
      house.pass(120_000);
      for (let move = 0; move < 200; move++) {
        house.ask(house.random() < 0.9 ? { tilt: percent(house.random) } : { position: percent(house.random) });
        house.pass(120_000);
      }
      expect(house.cover.getState()["tilt"]).not.toBeNull();
    }),
    // Once, the last move came to a switch that bounced.
    { numRuns: Math.ceil(runs / 30), examples: [[459996044]] },
  );
});
