/** A meter's pulses at 50 Hz on the clock of a board: each is counted, and the rate is right all the time. */
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virtPulses } from "./harness/virt-pulses.ts";

const board = forAllTests(virtPulses);

/** Half an hour of the board in `npm run test:pulses`. */
const pulses = isLong ? 100_000 : 3_000;
const each = 0.0005;
const perSecond = 50;
const watts = perSecond * each * 3_600_000;

const total = { key: "kilowattHours", each, unit: "kWh", interval: 60_000 };
const rate = { key: "watts", unit: "W", scale: 3_600_000, timeout: 60_000 };
const nouns = { grid: { kind: "gpio-input", line: "EDGE", key: "pulse", edges: "rising", total, rate } };

const meter = "/sys/module/reaction/parameters";

/** The pulses that are still to come: each has two edges. */
async function left(): Promise<number> {
  return Math.ceil(Number(await board().guest.read(`${meter}/left`)) / 2);
}

test(`${pulses} pulses at ${perSecond} Hz are counted, and their rate is right within 2 %`, {
  timeout: 3_600_000,
}, async () => {
  const nound = await board().startNound({ stateDirectory: "/tmp/state", nouns });
  await board().guest.write(`${meter}/period`, String(1_000_000 / perSecond / 2));
  await board().guest.write(`${meter}/spread`, "0");
  await board().guest.write(`${meter}/left`, String(2 * pulses));
  const rates: number[] = [];
  for (let rest = await left(); rest > 0; rest = await left()) {
    const { state } = await nound.get("/grid");
    // The rate of one pulse is unknown, and after the last one it falls.
    if (rest <= pulses - 3 && (await left()) > 0) rates.push(Number(state["watts"]));
    // Each question keeps the board from leaping over time.
    await setTimeout(pulses / 30);
  }
  await eventually(
    "the last pulse is counted",
    async () => Number((await nound.get("/grid")).state["edges"]) >= pulses,
  );
  const { state } = await nound.get("/grid");
  expect(state).toMatchObject({ edges: pulses, missed: 0, kilowattHours: Number((pulses * each).toPrecision(15)) });
  console.log(`${rates.length} rates from ${Math.min(...rates)} to ${Math.max(...rates)} W of ${watts} W`);
  expect(rates.length).toBeGreaterThan(10);
  expect(Math.min(...rates)).toBeGreaterThan(watts * 0.98);
  expect(Math.max(...rates)).toBeLessThan(watts * 1.02);
});
