/**
 * The law of guards for outputs of every kind, in any order of commands, failures, silences, reloads and crashes: a
 * guarded output is never on when nound switches off what its guard names, and otherwise for no longer than documented.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { When } from "../../../ts/core/noun/condition.ts";
import { type HandingNoun, leave } from "../../../ts/core/noun/left-state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { guardOrder } from "../../../ts/parts/guards/guard-order.ts";
import { guardsKey } from "../../../ts/parts/guards/part.ts";
import { GuardedDevice, settle } from "./device.ts";
import { type Hardware, type Kind, kinds, type Manner, type Process, poll } from "./hardware.ts";

/** Each guard names nouns before it. */
const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

/** ms that an operation may take: that of `GuardedDevice`. */
const nounTimeout = 2_000;
/**
 * ms that a guarded noun may be on without its condition, which has ended by itself: a reading is so old, another one
 * takes so long, and so does an operation before the DELETE, which is tried again after a second.
 */
const longest = poll + 3 * nounTimeout + 1_000;
/** ms for guarded nouns to go to their defaults at an end or a reload. */
const shutdownTimeout = 5_000;

const kind = fc.constantFrom(...(Object.keys(kinds) as Kind[]));
const house = fc.record({
  kinds: fc.tuple(kind, kind, kind),
  /** What the guards of `b` and of `c` name. */
  guards: fc.tuple(fc.constant(["a"] as Name[]), fc.subarray<Name>(["a", "b"], { minLength: 1 })),
});
type House = typeof house extends fc.Arbitrary<infer One> ? One : never;

const name = fc.constantFrom(...names);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant("on" as const), name }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant("off" as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("manner" as const),
      name,
      manner: fc.constantFrom<Manner>("works", "works", "refuses", "is silent"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("trips" as const), name }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant("wait" as const),
      time: fc.constantFrom<number>(0, 10, 30, 300, 2_500, 12_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("reload" as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("remove" as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("SIGTERM" as const, "SIGKILL" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A clock whose callbacks may throw: the loop only reports that. */
class LoopClock extends SimulatedClock {
  override setTimer(callback: () => void, delay: number): number {
    return super.setTimer(() => {
      try {
        callback();
      } catch {
        // As the loop does.
      }
    }, delay);
  }
}

class Run {
  readonly wrong: string[] = [];
  private readonly house: House;
  private readonly hardware: { readonly [name in Name]: Hardware };
  /** The nouns of the process. */
  private served: readonly Name[] = [];
  private process: Process = { clock: new LoopClock(), isDead: true };
  private device: GuardedDevice | undefined;
  /** ms of the processes before. */
  private before = 0;
  /** What has gone off by itself: the nouns whose guards name it follow. */
  private readonly fallen = new Set<Name>();
  /** Since when a guarded noun could have gone to its default, and has not; by the name. */
  private readonly since = new Map<Name, number>();

  constructor(house: House) {
    this.house = house;
    const [a, b, c] = house.kinds;
    this.hardware = { a: kinds[a](), b: kinds[b](), c: kinds[c]() };
    for (const name of names) {
      this.hardware[name].onChange = () => this.changed(name);
      this.hardware[name].onFall = () => void this.fallen.add(name);
    }
  }

  private get now(): number {
    return this.before + this.process.clock.now();
  }

  /** The nouns that a guard names, of a noun that is served. */
  private named(name: Name): readonly Name[] {
    const [b, c] = this.house.guards;
    const all = name === "a" ? [] : name === "b" ? b : c;
    return this.served.includes(name) ? all.filter((one) => this.served.includes(one)) : [];
  }

  private guardOf(name: Name): When | undefined {
    const conditions = this.named(name).map((one) => [one, this.hardware[one].condition] as const);
    return conditions.length === 0 ? undefined : Object.fromEntries(conditions);
  }

  private isBroken(name: Name): boolean {
    return this.hardware[name].isOn && this.named(name).some((one) => !this.hardware[one].isOn);
  }

  /** Something moves. */
  private changed(moved: Name): void {
    if (this.hardware[moved].isOn) this.fallen.delete(moved);
    for (const name of names) {
      const off = this.named(name).filter((one) => !this.hardware[one].isOn && !this.fallen.has(one));
      if (!this.hardware[name].isOn || off.length === 0) continue;
      this.wrong.push(`${name} is on after ${moved} went ${this.stateOf(moved)}`);
    }
  }

  private stateOf(name: Name): string {
    return this.hardware[name].isOn ? "on" : "off";
  }

  /** Another process begins. @param isFirst whether no earlier one has left hardware to it. */
  async start(served: readonly Name[], isFirst: boolean): Promise<void> {
    this.served = served;
    const process: Process = { clock: new LoopClock(), isDead: false };
    this.process = process;
    this.device = new GuardedDevice({}, process.clock);
    const { server } = this.device;
    const entries = served.map((name) => [name] as const);
    for (const [name] of guardOrder(entries, ([one]) => this.named(one))) {
      const hardware = this.hardware[name];
      // A cover that moves stops at the start of each process, and what a first process has gets its default.
      const isCover = this.house.kinds[names.indexOf(name)] === "cover";
      if (hardware.isOn && (isCover || (isFirst && hardware.isHeld))) this.fallen.add(name);
      const manner = isFirst ? "works" : hardware.manner;
      // Hardware that fails at a start has no noun, and a reload is refused.
      hardware.behave("works");
      server.register(name, hardware.make(process, this.guardOf(name), isFirst));
      hardware.behave(manner);
    }
    server.parts.find(guardsKey)?.start();
    this.since.clear();
    // A cover that is to open waits until its pause is over, and says already that it is opening.
    await this.device.pass(2);
  }

  /** The process leaves its states, as before a reload: a cover stops. */
  private leaveStates(): void {
    for (const name of this.served) {
      if (this.house.kinds[names.indexOf(name)] === "cover" && this.hardware[name].isOn) this.fallen.add(name);
      const noun = this.device?.server.nouns.find(name)?.original as HandingNoun | undefined;
      try {
        noun?.[leave]?.();
      } catch {
        // Then nothing is reloaded; here, the line is looked at all the same.
      }
    }
  }

  /** The process ends. */
  private stop(): void {
    this.before = this.now;
    this.process.isDead = true;
    for (const name of this.served) this.hardware[name].drop();
    this.device?.server.parts.find(guardsKey)?.end();
  }

  async take(one: Step): Promise<void> {
    const { device } = this;
    if (device === undefined) return;
    switch (one.what) {
      case "on":
      case "off":
        if (!this.served.includes(one.name)) return;
        device.ask(one.name, one.what === "on" ? "PUT" : "DELETE", one.what === "on" ? this.hardware[one.name].on : {});
        break;
      case "manner":
        this.hardware[one.name].behave(one.manner);
        break;
      case "trips":
        if (!this.hardware[one.name].isWatched) return;
        this.hardware[one.name].trip();
        break;
      case "wait":
        await this.pass(one.time);
        break;
      case "reload":
        this.leaveStates();
        this.stop();
        await this.start(this.served, false);
        break;
      case "remove":
        await this.remove(one.name);
        break;
      case "SIGKILL":
        this.stop();
        await this.start(this.served, false);
        break;
      case "SIGTERM":
        await this.end();
    }
    await settle();
  }

  private async pass(time: number): Promise<void> {
    for (let left = time; left >= 0; left -= 500) {
      await this.device?.pass(Math.min(500, left));
      this.look();
      if (left === 0) break;
    }
  }

  /** Looks whether something has been on without its condition for too long. */
  look(): void {
    for (const name of names) {
      const isLate = this.isBroken(name) && this.chain(name).every((one) => this.hardware[one].manner === "works");
      if (!isLate) this.since.delete(name);
      const since = this.since.get(name) ?? this.now;
      if (isLate) this.since.set(name, since);
      if (this.now > since + longest) this.wrong.push(`${name} is on without its condition for ${this.now - since} ms`);
    }
  }

  /** A noun, and all that must go to their defaults before it. */
  private chain(name: Name): readonly Name[] {
    return [name, ...names.filter((one) => this.named(one).includes(name)).flatMap((one) => this.chain(one))];
  }

  /** Waits for a promise; time passes. */
  private async until<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    for (let time = 0; !isOver && time <= shutdownTimeout; time += 100) await this.device?.pass(100);
    return await over;
  }

  /** SIGTERM, and a start after it. */
  private async end(): Promise<void> {
    const { device, served } = this;
    const guards = device?.server.parts.find(guardsKey);
    const isToFail = served.filter((name) => this.hardware[name].manner !== "works");
    if (guards !== undefined) await this.until(guards.finish(shutdownTimeout));
    // As the program closes its nouns.
    const nouns = served.map((name) => [name, device?.server.nouns.find(name)?.face] as const);
    for (const [name, noun] of guards?.inOrder(nouns) ?? nouns) {
      if (guards?.keeps(name) !== undefined) continue;
      try {
        noun?.close?.();
      } catch {
        // The others are closed all the same.
      }
      this.hardware[name].letGo();
    }
    // A cover stops only now.
    for (const name of served) {
      if (this.guardOf(name) === undefined || !this.hardware[name].isOn) continue;
      if (!this.chain(name).some((one) => isToFail.includes(one)))
        this.wrong.push(`${name} is on at the end of the process`);
    }
    this.stop();
    await this.start(names, true);
  }

  /** A reload that removes a noun, and then one that brings it back. */
  private async remove(removed: Name): Promise<void> {
    const guards = this.device?.server.parts.find(guardsKey);
    const next = this.served.filter((name) => name !== removed);
    this.leaveStates();
    const away =
      guards === undefined ? [] : await this.until(guards.release((name) => name !== removed, shutdownTimeout));
    if (away.length > 0) return;
    this.leaveStates();
    for (const name of this.served) {
      const isReleased = this.guardOf(name) !== undefined && [name, ...this.named(name)].includes(removed);
      if (isReleased && this.hardware[name].isOn)
        this.wrong.push(`${name} is on, and the next process has no guard of it`);
    }
    this.stop();
    // The keeper, or the next process, sets what it holds.
    if (this.hardware[removed].isHeld) {
      this.hardware[removed].behave("works");
      this.hardware[removed].trip();
    }
    await this.start(next, false);
    await this.device?.pass(100);
    this.stop();
    await this.start(names, false);
  }
}

async function play(house: House, turns: readonly (readonly Step[])[]): Promise<void> {
  const run = new Run(house);
  await run.start(names, true);
  for (const turn of turns) {
    for (const one of turn) await run.take(one);
    await run.take({ what: "wait", time: 10 });
  }
  for (const name of names) await run.take({ what: "manner", name, manner: "works" });
  await run.take({ what: "wait", time: 2 * longest });
  expect(run.wrong).toEqual([]);
}

const runs = Number(process.env["NOUND_ORDERS"] ?? 150);
const given = process.env["NOUND_SEED"];

test("an output of any kind is not on without its condition, whatever happens", async () => {
  const turns = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 20 });
  await fc.assert(fc.asyncProperty(house, turns, play), {
    numRuns: runs,
    ...(given !== undefined && { seed: Number(given) }),
    ...(process.env["NOUND_PATH"] !== undefined && { path: process.env["NOUND_PATH"], endOnFailure: true }),
  });
}, 3_600_000);

test("at the end, a cover stops after what needs it to move, also if that is still being set", async () => {
  const name = (one: Name) => ({ what: "on" as const, name: one });
  await play({ kinds: ["gpio-output", "cover", "modbus rtu"], guards: [["a"], ["b"]] }, [
    [name("a")],
    [name("b")],
    [{ what: "wait", time: 10 }, name("a")],
    [name("c"), { what: "SIGTERM" }, { what: "off", name: "a" }],
  ]);
});
