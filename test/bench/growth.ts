/**
 * How memory and the start grow with the number of nouns: one more of each kind, from 10 to 1,000. A house is as large
 * as its owner makes it, and what grows faster than its number would show nowhere else.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "./measurement.ts";
import { type BenchNoun, switches } from "./nouns.ts";
import { processorTime, residentMemory } from "./process-account.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median } from "./statistics.ts";
import { markdownTable } from "./table.ts";

/** How many there are, in turn. The first two and the last two give a slope each. */
const counts = [10, 100, 500, 1_000] as const;
/**
 * Starts of each, because a start takes some milliseconds of processor time, and some of those belong to the kernel.
 * All start once before any does again: a virtual machine keeps a speed for some seconds.
 */
const rounds = 8;
/** ms after the first answer, in which a server does what it has put off until then. */
const settleMilliseconds = 300;

/** What there is more and more of. */
interface Growing {
  readonly name: string;
  readonly title: string;
  readonly of: (index: number) => BenchNoun["configuration"];
}

const line = (index: number) => ({ kind: "gpio-output", key: "on", chip: "gpiochip0", offset: index });

const everything: readonly Growing[] = [
  { name: "switch", title: "switch", of: () => ({ kind: "switch", key: "on" }) },
  { name: "output", title: "output", of: line },
  { name: "guard", title: "output with a guard", of: (index) => ({ ...line(index), guard: { led: { led: 1 } } }) },
  {
    name: "rule",
    title: "rule",
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    of: () => ({ kind: "rule", when: { led: { led: 1 } }, then: { "PUT led1": { led: 1 } } }),
  },
  { name: "schedule", title: "schedule", of: () => ({ kind: "schedule", from: "07:00", to: "22:00" }) },
  {
    name: "sensor",
    title: "sensor",
    of: (index) => ({ kind: "sensor", device: `28-${index.toString(16).padStart(12, "0")}` }),
  },
];

/** @returns two switches, which rules and guards name, and so many nouns of a kind. The first is what is asked. */
function house({ of }: Growing, count: number): readonly BenchNoun[] {
  const more = Array.from({ length: count }, (_, index) => ({
    name: `noun${index}`,
    configuration: of(index),
    state: {},
  }));
  return [...switches(2), ...more];
}

/** What one server has used after its start. */
interface Used {
  readonly bytes: number;
  /** ns of processor time. */
  readonly time: number;
}

async function start(server: Server, nouns: readonly BenchNoun[], scratch: string): Promise<Used> {
  const setting = { name: "growth", nouns, isSimulated: true, idleConnections: 0, tokens: false };
  const running = await RunningServer.start(server, setting, scratch);
  try {
    await delay(settleMilliseconds);
    return { bytes: residentMemory(running.pid), time: processorTime(running.pid) };
  } finally {
    await running.stop();
  }
}

type Point = readonly [count: number, used: number];

/** @returns how much each of those has used that the second has more than the first. */
function slope(few: Point, many: Point): number {
  return (many[1] - few[1]) / (many[0] - few[0]);
}

/** @returns what one more uses from 500 to 1,000, and how much steeper that is than from 10 to 100. */
function slopes([ten, hundred, half, thousand]: readonly Point[]) {
  if (!(ten && hundred && half && thousand)) throw new RangeError("A slope needs four counts.");
  const each = slope(half, thousand);
  return { each, bend: (each / slope(ten, hundred)).toFixed(2) };
}

/**
 * @param names what is measured; all if empty.
 * @returns the table: bytes and processor time of the start for one more of each, and how much steeper both are from
 *   500 to 1,000 than from 10 to 100.
 * @throws Error for a name that is unknown.
 */
export async function measureGrowth(
  server: Server,
  scratch: string,
  progress: Progress,
  names: readonly string[] = [],
): Promise<string> {
  const unknown = names.filter((name) => !everything.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = everything.map(({ name }) => name).join(", ");
    throw new Error(`nothing grows by the name ${unknown.join(", ")}; there are: ${known}`);
  }
  const chosen = everything.filter(({ name }) => names.length === 0 || names.includes(name));
  const houses = chosen.map((growing) => counts.map((count) => ({ growing, count, used: [] as Used[] })));
  for (let round = 1; round <= rounds; round++) {
    for (const { growing, count, used } of houses.flat()) {
      progress(`${count} × ${growing.title}, ${round} of ${rounds}`);
      used.push(await start(server, house(growing, count), scratch));
    }
  }
  const rows = houses.map((ofOne, index) => {
    const bytes = ofOne.map(({ count, used }) => [count, median(used.map((one) => one.bytes))] as const);
    // Other programs only add to the time of a start.
    const times = ofOne.map(({ count, used }) => [count, Math.min(...used.map((one) => one.time))] as const);
    const [ofBytes, ofTime] = [slopes(bytes), slopes(times)];
    const { title } = chosen[index] as Growing;
    return [title, (ofBytes.each / 1e3).toFixed(2), ofBytes.bend, (ofTime.each / 1e6).toFixed(3), ofTime.bend];
  });
  return markdownTable(["one more", "KB", "500–1,000 : 10–100", "ms of the start", "500–1,000 : 10–100"], rows);
}
