/** A hundred rules on twenty nouns: the memory they take, and that they cost nothing while nothing changes. */
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Configuration, NounConfiguration } from "../harness/configuration.ts";
import { memoryNotJudged } from "../harness/environment.ts";
import { sendLoad } from "../harness/load.ts";
import { type NoundProcess, startNound } from "../harness/nound-process.ts";
import { comesToRest, ownMemory, processorTicks, processorTime } from "../harness/process-status.ts";
import { get } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
import { expectMedian, judgesTime } from "../harness/waiting-time.ts";

type Nouns = Configuration["nouns"];

function numbered(count: number, noun: (index: number) => NounConfiguration, name: string): Nouns {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, noun(index)]));
}

const lamp = { kind: "switch", key: "on", values: [0, 1], default: 0 } as const;
const lamps = numbered(20, () => lamp, "lamp");

/** Each waits for one of the nouns, and sets the next one. */
const rules = numbered(
  100,
  (index) => ({
    kind: "rule",
    when: { [`lamp${index % 20}`]: { on: 1 } },
    then: { [`PUT lamp${(index + 1) % 20}`]: { on: 0 } },
  }),
  "rule",
);

async function start(nouns: Nouns): Promise<NoundProcess> {
  const nound = forThisTest(await startNound({ nouns }));
  expect((await fetch(`http://${nound.address}/lamp0`)).status).toBe(200);
  await comesToRest(nound.pid);
  return nound;
}

const notJudged = memoryNotJudged === undefined ? "" : ` (${memoryNotJudged})`;

test.skipIf(memoryNotJudged !== undefined)(
  `they add at most 800 KB to what the process has of its own${notJudged}`,
  async () => {
    const [without, all] = [await start(lamps), await start({ ...lamps, ...rules })];
    // Not the resident memory: the kernel maps pages of the program's file 64 KB at a time.
    const added = ownMemory(all.pid) - ownMemory(without.pid);
    console.log(`a hundred rules add ${added} kB`);
    expect(added).toBeLessThanOrEqual(800);
  },
);

test.runIf(judgesTime)("on edges, they use no processor time while nothing changes (judged by test:time)", async () => {
  const inputs = numbered(20, (offset) => ({ kind: "gpio-input", chip: "gpiochip0", offset, key: "on" }), "lamp");
  const outputs = numbered(20, () => lamp, "output");
  const onEdges = numbered(
    100,
    (index) => ({
      kind: "rule",
      when: { [`lamp${index % 20}`]: { on: { changes: true } } },
      then: { [`POST output${index % 20}`]: {} },
    }),
    "rule",
  );
  const nouns: Nouns = { ...inputs, ...outputs, ...onEdges };
  const nound = forThisTest(await startNound({ nouns }, ["--simulate"]));
  await comesToRest(nound.pid);
  const before = processorTicks(nound.pid);
  await delay(5_000);
  expect(processorTicks(nound.pid) - before).toBe(0);
});

test.runIf(judgesTime)("a GET beside them takes at most 1.05 times as long (judged by test:time)", async () => {
  const [without, all] = [await start(lamps), await start({ ...lamps, ...rules })];
  const batch = Array.from({ length: 20 }, () => ({ bytes: get("/lamp0"), status: 200 }));
  const timeOf = async (nound: NoundProcess): Promise<number> => {
    const before = processorTime(nound.pid);
    await sendLoad(nound.address, batch, 20_000);
    return processorTime(nound.pid) - before;
  };
  await timeOf(without);
  await timeOf(all);
  const ratios: number[] = [];
  for (let round = 0; round < 15; round++) {
    const [alone, beside] = [await timeOf(without), await timeOf(all)];
    ratios.push(beside / alone);
  }
  const [median = Number.NaN] = ratios.toSorted((one, other) => one - other).slice(7);
  const listed = ratios.map((ratio) => ratio.toFixed(3)).join(", ");
  console.log(`a GET beside a hundred rules: ${median.toFixed(3)} in the median of ${listed}; load ${loadavg()[0]}`);
  expect(median).toBeLessThanOrEqual(1.05);
});

test.runIf(judgesTime)("they add at most 60 ms to the processor time of a start (judged by test:time)", async () => {
  const added: number[] = [];
  for (let round = 0; round < 7; round++) {
    const [without, all] = [await start(lamps), await start({ ...lamps, ...rules })];
    added.push(processorTime(all.pid) - processorTime(without.pid));
    await Promise.all([without.stop(), all.stop()]);
  }
  expectMedian("ms of a start with a hundred rules more than without", added, 60);
});
