/**
 * Guards and covers on a PL061: what must not happen does not, whoever asks, through reloads and kills. Each change of
 * a pin is heard outside the guest, in the order in which the pins changed.
 */
import { expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import { type BoardConfiguration, type BoardNound, forAllTests, thisMachine } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const [relay, pump, valve, button] = [0, 1, 2, 4];

const commands = 1_000;
const reloads = 20;

/** @returns numbers from 0 up to a limit that look random, and are the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let last = seed;
  return (limit) => {
    last = (Math.imul(last, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((last / 2 ** 32) * limit);
  };
}

/** What a test sends, by whom: HTTP, or the broker. */
interface Clients {
  readonly nound: BoardNound;
  readonly broker: OtherClient;
}

/** Starts a broker, its client, and nound at it. @param make gives the configuration for each reload. */
async function start(make: (reload: number) => BoardConfiguration): Promise<Clients & { reload(): Promise<void> }> {
  const server = await Mosquitto.start();
  onTestFinished(() => server.stop());
  const broker = await OtherClient.connect(server.port);
  onTestFinished(() => broker.end());
  const mqtt = { server: `${thisMachine}:${server.port}`, id: "board" };
  const configuration = (reload: number) => ({ ...make(reload), mqtt });
  const nound = await board().startNound(configuration(0));
  await broker.hears("nound/board", "online");
  let count = 0;
  const reload = async () => {
    count += 1;
    // Each second one loses the process with the nouns on the way.
    const interfere = count % 2 === 0 ? async (kill: () => Promise<void>) => await kill() : undefined;
    await nound.reload(configuration(count), interfere);
  };
  return { nound, broker, reload };
}

/** Sends commands, and reloads between them. @param send sends one, by what its number says. */
async function sendAll(send: (index: number) => Promise<unknown>, reload: () => Promise<void>): Promise<void> {
  for (let index = 0; index < commands; index++) {
    await send(index).catch(() => undefined);
    if (index % (commands / reloads) === commands / reloads - 1) await reload();
  }
}

/** @returns how often two lines were in a state that must not be, and how often each line changed. */
async function judge(first: number, second: number, isWrong: (one: number, other: number) => boolean) {
  const levels = new Map([
    [first, 0],
    [second, 0],
  ]);
  const counts = new Map([
    [first, 0],
    [second, 0],
  ]);
  let wrong = 0;
  for (const { wire, level } of await board().pins.together(first, second)) {
    levels.set(wire, level);
    counts.set(wire, (counts.get(wire) ?? 0) + 1);
    if (isWrong(levels.get(first) ?? 0, levels.get(second) ?? 0)) wrong += 1;
  }
  return { wrong, changes: [counts.get(first) ?? 0, counts.get(second) ?? 0] as const };
}

test("a guarded output is never on while its condition is off, whoever sends 1,000 commands", {
  timeout: 900_000,
}, async () => {
  const output = (offset: number, more: object = {}) => ({
    kind: "gpio-output",
    chip: "gpiochip0",
    offset,
    key: "on",
    ...more,
  });
  const make = (reload: number): BoardConfiguration => ({
    nouns: {
      pump: output(pump, { title: `Pump ${reload}` }),
      heater: output(relay, { guard: { pump: { on: 1 } }, title: `Heater ${reload}` }),
      button: { kind: "gpio-input", chip: "gpiochip0", offset: button, key: "on", edges: "both" },
      heat: { kind: "rule", when: { button: { on: 1 } }, then: { "PUT pump": { on: 1 }, "PUT heater": { on: 1 } } },
      cool: { kind: "rule", when: { button: { on: 0 } }, then: { "POST pump": {} } },
    },
  });
  const { nound, broker, reload } = await start(make);
  await board().pins.together(relay, pump);
  const next = numbers(51);
  await sendAll(async () => {
    const noun = next(2) === 0 ? "pump" : "heater";
    const on = next(3) === 0 ? 0 : 1;
    const kind = next(10);
    if (kind === 0) await board().pins.drive(button, on === 1 ? 1 : 0);
    else if (kind < 4) await broker.publish(`nound/board/${noun}/set`, JSON.stringify({ on }));
    else if (kind === 4) await nound.delete(`/${noun}`);
    else if (kind === 5) await nound.post(`/${noun}`);
    else await nound.put(`/${noun}`, { on });
  }, reload);
  const { wrong, changes } = await judge(relay, pump, (heater, on) => heater === 1 && on === 0);
  console.log(`${commands} commands: the heater changed ${changes[0]} times, the pump ${changes[1]} times`);
  expect(wrong).toBe(0);
  await nound.stop(expect.any(String)); // it tells of the killed processes
  expect(Math.min(...changes)).toBeGreaterThan(commands / 20);
});

const times = { openTime: 4_000, closeTime: 3_500, pause: 300 };

const lines = { open: { chip: "gpiochip0", offset: relay }, close: { chip: "gpiochip0", offset: valve } };
const cover = (reload: number, more: object = {}): BoardConfiguration => ({
  stateDirectory: "/tmp/cover",
  nouns: { blind: { kind: "cover", ...lines, ...times, ...more, title: `Blind ${reload}` } },
});

test("the outputs of a cover are never on together, and a reversal takes its pause, in 1,000 commands", {
  timeout: 900_000,
}, async () => {
  const { nound, broker, reload } = await start(cover);
  await board().pins.together(relay, valve);
  const next = numbers(52);
  const states: readonly (() => State)[] = [
    () => ({ position: next(101) }),
    () => ({ moving: "opening" }),
    () => ({ moving: "closing" }),
    () => ({ moving: "stopped" }),
  ];
  await sendAll(async () => {
    const state = (states[next(states.length)] ?? states[0])?.() ?? {};
    const kind = next(4);
    if (kind === 0) await nound.post("/blind");
    else if (kind === 1) await broker.publish("nound/board/blind/set", JSON.stringify(state));
    else await nound.put("/blind", state);
    // So that some moves begin.
    if (next(8) === 0) await new Promise((resolve) => setTimeout(resolve, next(2 * times.pause)));
  }, reload);
  await nound.delete("/blind");
  const changes = await board().pins.together(relay, valve);
  const ended = new Map<number, number>();
  const on = new Set<number>();
  let overlaps = 0;
  let shortest = Number.POSITIVE_INFINITY;
  let reversals = 0;
  for (const { wire, level, stamp } of changes) {
    const other = wire === relay ? valve : relay;
    if (level === 0) {
      on.delete(wire);
      ended.set(wire, stamp);
      continue;
    }
    if (on.has(other)) overlaps += 1;
    on.add(wire);
    const end = ended.get(other);
    if (end !== undefined && end > (ended.get(wire) ?? 0)) {
      reversals += 1;
      shortest = Math.min(shortest, stamp - end);
    }
  }
  console.log(`${changes.length} changes, ${reversals} reversals, the shortest after ${shortest.toFixed(0)} ms`);
  await nound.stop(expect.any(String));
  expect(overlaps).toBe(0);
  expect(reversals).toBeGreaterThan(10);
  expect(shortest).toBeGreaterThanOrEqual(times.pause);
});

test("the outputs of a cover are one request of the kernel, which ends when a reload changes one of them", async () => {
  const on = (offset: number) => ({ kind: "gpio-output", chip: "gpiochip0", offset, key: "on" });
  const nouns = cover(0).nouns;
  const blindOn = (open: number, close: number) => ({
    blind: { ...nouns["blind"], open: { ...lines.open, offset: open }, close: { ...lines.close, offset: close } },
  });
  const { stateDirectory = "" } = cover(0);
  const nound = await board().startNound({ stateDirectory, nouns });
  expect(await nound.requests()).toEqual([[relay, valve]]);
  /** Reloads while an output is active. @returns how the three lines changed. */
  const reload = async (active: number, state: State, next: BoardConfiguration["nouns"], kills = false) => {
    expect((await nound.put(state["on"] === 1 ? "/one" : "/blind", state)).status).toBe(200);
    await eventually("an output is active", async () => (await board().pins.voltage(active)) === 1);
    await board().pins.together(relay, pump, valve);
    await nound.reload({ stateDirectory, nouns: next }, kills ? async (kill) => await kill() : undefined);
    return (await board().pins.together(relay, pump, valve)).map(({ wire, level }) => [wire, level]);
  };
  const opening = { moving: "opening" };
  const closing = { moving: "closing" };
  // The same lines, and a process that has died: nothing is requested again.
  expect(await reload(relay, opening, { ...nouns, blind: { ...nouns["blind"], title: "B" } })).toEqual([[relay, 0]]);
  expect(await reload(relay, opening, nouns, true)).toEqual([[relay, 0]]);
  expect(await nound.requests()).toEqual([[relay, valve]]);
  // One of them is another noun's now.
  expect(await reload(relay, opening, { ...blindOn(relay, pump), valve: on(valve) })).toEqual([[relay, 0]]);
  expect((await nound.requests()).toSorted()).toEqual([[relay, pump], [valve]]);
  // They have changed places.
  expect(await reload(pump, closing, blindOn(pump, relay))).toEqual([[pump, 0]]);
  expect(await nound.requests()).toEqual([[pump, relay]]);
  // Each is a noun's, and again a cover's.
  expect(await reload(pump, opening, { one: on(relay), other: on(pump) })).toEqual([[pump, 0]]);
  expect((await nound.requests()).toSorted()).toEqual([[relay], [pump]]);
  expect(await reload(relay, { on: 1 }, nouns)).toEqual([[relay, 0]]);
  expect(await nound.requests()).toEqual([[relay, valve]]);
  await nound.put("/blind", opening);
  await eventually("it moves", async () => (await board().pins.voltage(relay)) === 1);
  await nound.stop(expect.any(String));
});

const contact = (offset: number) => ({ kind: "gpio-input", chip: "gpiochip0", offset, key: "on", edges: "both" });

/** @returns how lines have changed since the last look: each line with its level, and ms since the first change. */
async function changesOf(...offsets: readonly number[]) {
  const changes = await board().pins.together(...offsets);
  return changes.map(({ wire, level, stamp }) => [wire, level, stamp - (changes[0]?.stamp ?? stamp)] as const);
}

test("an end switch ends a move, a hand makes the position unknown, and a storm moves the cover home", async () => {
  const [storm, bottom] = [button, 5];
  await board().pins.drive(bottom, 0);
  await board().pins.drive(storm, 0);
  const nouns = {
    storm: contact(storm),
    bottom: contact(bottom),
    blind: {
      ...{ kind: "cover", ...lines, ...times, boot: "default", stopAt: { close: { bottom: { on: 1 } } } },
      ...{ default: { position: 0 }, guard: { storm: { on: 0 } } },
    },
  };
  const nound = await board().startNound({ nouns });
  const has = (state: State) =>
    eventually(`the blind has ${JSON.stringify(state)}`, async () => {
      const { state: seen } = await nound.get("/blind");
      return Object.entries(state).every(([key, value]) => seen[key] === value);
    });
  await has({ position: null, moving: "stopped" });
  await changesOf(relay, valve);
  await nound.put("/blind", { moving: "closing" });
  await eventually("it closes", async () => (await board().pins.voltage(valve)) === 1);
  await board().pins.drive(bottom, 1);
  await has({ position: 0, moving: "stopped" });
  expect((await changesOf(relay, valve)).map(([wire, level]) => [wire, level])).toEqual([
    [valve, 1],
    [valve, 0],
  ]);
  // The same again, and what GET gave, move nothing.
  const { state } = await nound.get("/blind");
  await nound.put("/blind", state);
  await nound.put("/blind", { position: 0 });
  await board().pins.drive(bottom, 0);
  await has({ position: null, moving: "stopped" });
  expect(await changesOf(relay, valve)).toEqual([]);
  await nound.put("/blind", { moving: "opening" });
  await eventually("it opens", async () => (await board().pins.voltage(relay)) === 1);
  await board().pins.drive(storm, 1);
  await eventually("it goes home", async () => (await board().pins.voltage(valve)) === 1);
  expect((await nound.put("/blind", { moving: "opening" })).status).toBe(409);
  await board().pins.drive(bottom, 1);
  await has({ position: 0, moving: "stopped" });
  const home = await changesOf(relay, valve);
  expect(home.map(([wire, level]) => [wire, level])).toEqual([
    [relay, 1],
    [relay, 0],
    [valve, 1],
    [valve, 0],
  ]);
  expect((home[2]?.[2] ?? 0) - (home[1]?.[2] ?? 0)).toBeGreaterThanOrEqual(times.pause);
  await board().pins.drive(storm, 0);
  await nound.stop();
});

test("the button of a garage door is pressed once for a move, and not for the same position", async () => {
  const bottom = 5;
  const pulse = 200;
  await board().pins.drive(bottom, 1);
  const door = {
    ...{ kind: "cover", button: lines.open, ...times, openTime: 600, pulse, boot: "default" },
    stopAt: { close: { bottom: { on: 1 } } },
  };
  const nound = await board().startNound({ nouns: { bottom: contact(bottom), door } });
  const has = (position: number, moving: string) =>
    eventually(`the door is at ${position}, ${moving}`, async () => {
      const { state } = await nound.get("/door");
      return state["position"] === position && state["moving"] === moving;
    });
  await has(0, "stopped");
  await changesOf(relay);
  await nound.put("/door", { position: 0 });
  await nound.put("/door", { position: 100 });
  await eventually("the button is pressed", async () => (await board().pins.voltage(relay)) === 1);
  await board().pins.drive(bottom, 0);
  await has(100, "stopped");
  const changes = await changesOf(relay);
  expect(changes.map(([, level]) => level)).toEqual([1, 0]);
  expect(changes[1]?.[2]).toBeGreaterThanOrEqual(pulse - 1);
  await nound.put("/door", { position: 0 });
  await eventually("it has moved again", async () => {
    const { state } = await nound.get("/door");
    return state["moving"] === "closing";
  });
  await board().pins.drive(bottom, 1);
  await has(0, "stopped");
  await nound.stop();
  expect((await changesOf(relay)).map(([, level]) => level)).toEqual([1, 0]);
});

const moves = 200;

/** ms. A real shutter takes as long. */
const realTimes = { openTime: 20_000, closeTime: 18_000 };

test(`a cover knows its position within 2 % after ${moves} moves`, { timeout: 900_000 }, async () => {
  const nound = await board().startNound(cover(0, realTimes));
  /** Waits until the output of a direction has been active, and is not any more. */
  const hasMoved = (line: number) =>
    eventually("a move has ended", async () => (await board().pins.changes(line)).at(-1)?.level === 0);
  const knows = async () => Number((await nound.get("/blind")).state["position"]);
  await board().pins.changes(valve);
  await nound.put("/blind", { position: 0 });
  await hasMoved(valve);
  expect(await knows()).toBe(0);
  await board().pins.together(relay, valve);
  const next = numbers(53);
  for (let move = 0; move < moves; move++) {
    const known = await knows();
    // Never to an end, which would set it right, and always far enough to have the output active.
    const isOpening = known < 20 || (known < 80 && next(2) === 0);
    const line = isOpening ? relay : valve;
    await board().pins.changes(line);
    await nound.put("/blind", { position: known + (isOpening ? 1 : -1) * (4 + next(3)) });
    await hasMoved(line);
  }
  let position = 0;
  const since = new Map<number, number>();
  const changes = await board().pins.together(relay, valve);
  for (const { wire, level, stamp } of changes) {
    if (level === 1) since.set(wire, stamp);
    else if (wire === relay) position += (100 * (stamp - (since.get(wire) ?? stamp))) / realTimes.openTime;
    else position -= (100 * (stamp - (since.get(wire) ?? stamp))) / realTimes.closeTime;
  }
  const known = await knows();
  console.log(`after ${changes.length / 2} moves it is at ${position.toFixed(2)} % and knows ${known} %`);
  expect(changes.length).toBe(2 * moves);
  expect(Math.abs(position - known)).toBeLessThan(2);
});
