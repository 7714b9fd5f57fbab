/** Rules on a PL061, over both interfaces of the kernel: from a pin that is driven outside to one that is heard there. */
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { judgesTime } from "../harness/waiting-time.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const button = 4;
const relay = 0;
const pump = 1;

/** ms between two runs of a rule, and some. */
const pause = 150;

const moves = 100;

/** How much longer than a client's PUT a rule may take. The load of this machine slows down both. */
const mostRatio = 2;

beforeEach(() => board().pins.drive(button, 0));

/** Does something, and waits until an output has moved. @returns the ms from the one to the other. */
async function timeToMove(output: number, level: 0 | 1, act: () => Promise<unknown>): Promise<number> {
  await board().pins.changes(output);
  const begin = performance.now();
  await act();
  let moved = await board().pins.changes(output);
  await eventually("the output has moved", async () => {
    moved = [...moved, ...(await board().pins.changes(output))];
    return moved.length > 0;
  });
  expect(moved.map((change) => change.level)).toEqual([level]);
  return (moved[0]?.time ?? 0) - begin;
}

/** Drives the button, and waits until the relay has moved. */
async function follow(level: 0 | 1): Promise<number> {
  return await timeToMove(relay, level, () => board().pins.drive(button, level));
}

/** @returns the middle one. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe.each(["gpiod", "sysfs"] as const)("by %s", (gpioBackend) => {
  const nouns = {
    button: { kind: "gpio-input", chip: "gpiochip0", offset: button, key: "on", edges: "both" },
    relay: { kind: "gpio-output", chip: "gpiochip0", offset: relay, key: "on" },
    pump: { kind: "gpio-output", chip: "gpiochip0", offset: pump, key: "on" },
    follow: {
      kind: "rule",
      when: { button: { on: 1 } },
      then: { "PUT relay": { on: 1 } },
      else: { "PUT relay": { on: 0 } },
    },
  };

  test("a line moves another as fast as a client's PUT does", { timeout: 180_000 }, async () => {
    const nound = await board().startNound({ gpioBackend, nouns });
    const rule: number[] = [];
    const client: number[] = [];
    for (let move = 0; move < moves; move++) {
      const level = move % 2 === 0 ? 1 : 0;
      await delay(pause);
      rule.push(await follow(level));
      client.push(await timeToMove(pump, level, () => nound.put("/pump", { on: level })));
    }
    const [byRule, byClient] = [median(rule), median(client)];
    const times = [byRule, byClient].map((time) => time.toFixed(2));
    console.log(`${gpioBackend}: a line moves another in ${times[0]} ms, a PUT in ${times[1]} ms, medians of ${moves}`);
    if (judgesTime) expect(byRule).toBeLessThan(mostRatio * byClient);
    expect((await nound.get("/follow")).state).toMatchObject({ runs: moves + 1, failed: 0 });
  });

  test("a line moves another while the network is down", async () => {
    await board().startNound({ gpioBackend, nouns });
    await board().setNetwork(false);
    try {
      for (const level of [1, 0, 1, 0] as const) {
        await delay(pause);
        await follow(level);
      }
    } finally {
      await board().setNetwork(true);
    }
  });
});
