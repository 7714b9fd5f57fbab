/** Rules on a PL061, over both interfaces of the kernel: from a pin that is driven outside to one that is heard there. */
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const button = 4;
const relay = 0;

/** ms between two runs of a rule, and some. */
const pause = 150;

/** ms that half of the moves may take. */
const mostMedian = 5;

const moves = 100;

beforeEach(() => board().pins.drive(button, 0));

/** Drives the button, and waits until the relay has moved. @returns the ms from the one to the other. */
async function follow(level: 0 | 1): Promise<number> {
  await board().pins.changes(relay);
  const begin = performance.now();
  await board().pins.drive(button, level);
  let moved = await board().pins.changes(relay);
  await eventually("the relay has moved", async () => {
    moved = [...moved, ...(await board().pins.changes(relay))];
    return moved.length > 0;
  });
  expect(moved.map((change) => change.level)).toEqual([level]);
  return (moved[0]?.time ?? 0) - begin;
}

describe.each(["gpiod", "sysfs"] as const)("by %s", (gpioBackend) => {
  const nouns = {
    button: { kind: "gpio-input", chip: "gpiochip0", offset: button, key: "on", edges: "both" },
    relay: { kind: "gpio-output", chip: "gpiochip0", offset: relay, key: "on" },
    follow: {
      kind: "rule",
      when: { button: { on: 1 } },
      then: { "PUT relay": { on: 1 } },
      else: { "PUT relay": { on: 0 } },
    },
  };

  test(`a line moves another within ${mostMedian} ms, without a client`, { timeout: 120_000 }, async () => {
    const nound = await board().startNound({ gpioBackend, nouns });
    const times: number[] = [];
    for (let move = 0; move < moves; move++) {
      await delay(pause);
      times.push(await follow(move % 2 === 0 ? 1 : 0));
    }
    const sorted = times.toSorted((one, other) => one - other);
    const [median = 0, most = 0] = [sorted[moves / 2], sorted.at(-1)];
    console.log(
      `${gpioBackend}: a line moves another in ${median.toFixed(2)} ms, median of ${moves}; ${most.toFixed(0)} at most`,
    );
    expect(median).toBeLessThan(mostMedian);
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
