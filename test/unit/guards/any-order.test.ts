/** The law of guards: whatever happens, in whatever order, a guarded noun is at its default while its guard is broken. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Condition, When } from "../../../ts/core/noun/condition.ts";
import { fill } from "../../../ts/core/noun/reference.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { guardsKey } from "../../../ts/parts/guards/part.ts";
import { nounsOfGuard } from "../../../ts/settings/conditions.ts";
import type { TestClient } from "../feeds/world.ts";
import { GuardedDevice, type LineLog, type Manner, settle } from "./device.ts";

/** The nouns of a chain: each guard may name any noun before it. */
const names = ["a", "b", "c", "d", "e"] as const;
type Name = (typeof names)[number];
const name = fc.constantFrom(...names);
const value = fc.nat(3);

/** Constants, or what another noun is. */
const conditionBy = (others: readonly string[]): fc.Arbitrary<Condition> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }) },
    { weight: 2, arbitrary: fc.record({ above: fc.constantFrom(0, 1) }) },
    { weight: 1, arbitrary: fc.record({ below: fc.constantFrom(1, 3) }) },
    { weight: 1, arbitrary: fc.constantFrom(...others.map((other) => ({ above: `$${other}.on - 1` }))) },
    { weight: 1, arbitrary: fc.constantFrom(...others.map((other) => ({ above: 0, below: `$${other}.on * 2 + 1` }))) },
  );

function guardOn(before: readonly string[]): fc.Arbitrary<When> {
  const named = fc.uniqueArray(fc.constantFrom(...before), { minLength: 1, maxLength: 2 });
  return named.chain((all) =>
    fc.tuple(...all.map((one) => conditionBy(before).map((on) => [one, { on }] as const))).map(Object.fromEntries),
  ) as fc.Arbitrary<When>;
}

const guards = fc
  .record({
    b: fc.oneof({ weight: 4, arbitrary: guardOn(["a"]) }, { weight: 1, arbitrary: fc.constant(undefined) }),
    c: fc.oneof({ weight: 4, arbitrary: guardOn(["a", "b"]) }, { weight: 1, arbitrary: fc.constant(undefined) }),
    d: fc.oneof({ weight: 4, arbitrary: guardOn(["b", "c"]) }, { weight: 1, arbitrary: fc.constant(undefined) }),
    e: fc.oneof({ weight: 4, arbitrary: guardOn(["c", "d"]) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  })
  .filter((all) => Object.values(all).some((guard) => guard !== undefined));
type Guards = typeof guards extends fc.Arbitrary<infer One> ? One : never;

const step = fc.oneof(
  // Requests, commands, rules and the page ask in the same way; an author's code calls the noun.
  { weight: 8, arbitrary: fc.record({ what: fc.constantFrom("PUT" as const, "call" as const), name, value }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom("POST" as const, "DELETE" as const), name, value }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("moves" as const), name, value }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("manner" as const),
      name,
      manner: fc.constantFrom<Manner>("at once", "at once", "slowly", "fails", "fails slowly"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom("ends" as const, "unreadable" as const), name }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("reads slowly" as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant("wait" as const), time: fc.constantFrom(0, 5, 20, 1_100, 2_100) }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant("drain" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom("reload" as const, "slow reload" as const, "replace" as const),
      name,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** @param of gives what a noun is. */
function holds(one: Condition, on: number, of: (name: string) => number): boolean {
  if (typeof one === "number") return on === one;
  const { above = -1, below = 9 } = one as { readonly above?: number | string; readonly below?: number | string };
  const [least, most] = [above, below].map((given) => Number(fill(given, ({ noun }) => of(noun))));
  return on > Number(least) && on < Number(most);
}

/** What the lines show, and why a guarded line may be on for this turn all the same. */
class Law {
  private readonly guards: Guards;
  private readonly isBusy: (one: Name) => boolean;
  private readonly lines = new Map<string, number>(names.map((one) => [one, 0]));
  /** The guarded nouns whose guard a noun has broken by itself: they follow by the end of the turn. */
  readonly excused = new Set<string>();
  readonly violations: string[] = [];

  /** @param isBusy says whether a noun has begun what takes time: its line may move long after it was allowed. */
  constructor(guards: Guards, isBusy: (one: Name) => boolean) {
    this.guards = guards;
    this.isBusy = isBusy;
  }

  /** @returns whether the conditions of a noun hold by what the lines show. */
  isAllowed(one: string): boolean {
    const guard = this.guards[one as keyof Guards];
    return Object.entries(guard ?? {}).every(([noun, keys]) =>
      holds(keys["on"] as Condition, this.lines.get(noun) ?? 0, (other) => this.lines.get(other) ?? 0),
    );
  }

  take(log: LineLog): void {
    for (const { name: moved, on, isBusy } of log.splice(0)) {
      this.lines.set(moved, on);
      for (const one of names) {
        const isOn = this.lines.get(one) !== 0;
        if (this.isAllowed(one) || (!isOn && !(one === moved ? isBusy : this.isBusy(one)))) this.excused.delete(one);
        else if (isOn && !this.excused.has(one)) this.violations.push(`${one} is on after ${moved}=${on}`);
      }
    }
  }

  /** A noun has moved by itself. */
  excuse(moved: string): void {
    for (const one of names)
      if (nounsOfGuard(this.guards[one as keyof Guards] ?? {}).includes(moved)) this.excused.add(one);
  }
}

/** The nouns of one event, with what it shows of them; null for one that cannot be read. */
type Told = readonly (readonly [name: string, on: number | null])[];

/** @returns what a noun is for those who read it; null while nobody can. */
function stateOf(device: GuardedDevice, name: string): number | null {
  const noun = device.of(name);
  return noun.isUnreadNow ? null : noun.on;
}

/** What a stream shows. It may show what the lines have shown, later, but nothing that never was. */
class StreamLaw {
  private readonly guards: Guards;
  private readonly shown = new Map<string, number | null>();
  /** The nouns that were on, in truth, while their guard did not hold: they may be shown so. */
  private readonly tainted = new Set<string>();
  readonly violations: string[] = [];

  constructor(guards: Guards) {
    this.guards = guards;
  }

  private isBroken(one: Name, on: (one: string) => number | null | undefined): boolean {
    const state = on(one);
    if (state === 0 || state === null || state === undefined) return false;
    return Object.entries(this.guards[one as keyof Guards] ?? {}).some(([noun, keys]) => {
      const states = nounsOfGuard({ [noun]: keys }).map(on);
      if (states.includes(null)) return true;
      if (states.includes(undefined)) return false;
      return !holds(keys["on"] as Condition, Number(on(noun)), (other) => Number(on(other)));
    });
  }

  /** Whether a condition of its guard is on two nouns. */
  private compares(one: Name): boolean {
    return Object.entries(this.guards[one as keyof Guards] ?? {}).some(
      ([noun, keys]) => nounsOfGuard({ [noun]: keys }).length > 1,
    );
  }

  /** Begins anew once the stream shows what the lines are. */
  renew(device: GuardedDevice): void {
    if (names.every((one) => this.shown.get(one) === stateOf(device, one))) this.tainted.clear();
    this.look(device);
  }

  /** Notes what the lines are. */
  look(device: GuardedDevice): void {
    const on = (one: string) => stateOf(device, one);
    for (const one of names) {
      const isBroken = this.isBroken(one, (other) => (other === one ? device.of(one).on : on(other)));
      if (isBroken) this.tainted.add(one);
    }
  }

  /**
   * Two nouns that one condition compares may change at once, and a slow client is told of the latest state of each.
   * Whichever is told first, it sees for a moment what never was, so such a condition is not judged here.
   * @param told what the stream has shown in one event.
   */
  take(told: Told): void {
    for (const [moved, on] of told) this.shown.set(moved, on);
    for (const one of names) {
      if (this.compares(one)) continue;
      if (!this.isBroken(one, (other) => this.shown.get(other))) continue;
      if (!this.tainted.has(one)) this.violations.push(`a stream shows ${one} on after ${told.join(" and ")}`);
    }
  }
}

/** A client with a stream of all nouns. */
class Client {
  private readonly device: GuardedDevice;
  readonly takes: boolean;
  private readonly client: TestClient;
  private readonly law: StreamLaw;
  private seen = 0;

  /** @param takes whether the socket takes what it gets; else only what has come at each `drain`. */
  constructor(device: GuardedDevice, guards: Guards, takes: boolean) {
    this.device = device;
    this.takes = takes;
    this.client = device.watch();
    this.client.socket.takes = takes;
    this.law = new StreamLaw(guards);
    this.look(); // what is broken already may be shown so
  }

  get violations(): readonly string[] {
    return this.law.violations;
  }

  /** Its stream ends with the registration of a noun. */
  get hasEnded(): boolean {
    return this.client.socket.isClosed;
  }

  look(): void {
    this.law.look(this.device);
  }

  take(): void {
    const { events } = this.client.socket;
    for (const { data } of events.slice(this.seen)) {
      const states = Object.entries(data as { [name: string]: { on: number } | null });
      this.law.take(states.map(([name, state]) => [name, state?.on ?? null]));
    }
    this.seen = events.length;
    // What waits in its socket is older than what the lines are.
    if (this.client.socket.unsent === 0) this.law.renew(this.device);
    else this.look();
  }

  drain(): void {
    this.client.socket.resume(this.takes);
  }
}

class Run {
  device: GuardedDevice;
  readonly stream: StreamLaw;
  /** One that takes each event at once, and a slow one. */
  clients: Client[] = [];
  private readonly before: Client[] = [];
  readonly law: Law;
  private readonly guards: Guards;
  readonly wrong: string[] = [];
  /** When what has failed is tried again at the latest, in ms by the device's clock. */
  private readonly retries = new Map<Name, number>();
  /** Whether nothing has ended in this turn whose jobs have not run. */
  private isSettled = true;

  constructor(guards: Guards) {
    this.guards = guards;
    this.device = new GuardedDevice({ a: undefined, ...guards });
    this.stream = new StreamLaw(guards);
    this.law = new Law(guards, (one) => this.device.of(one).underway > 0);
  }

  guardOf(one: Name): When | undefined {
    return one === "a" ? undefined : this.guards[one];
  }

  /** Whether all nouns answer at once, and the guards have read what there is. */
  get isQuiet(): boolean {
    return names.every((one) => {
      const noun = this.device.of(one);
      return noun.manner === "at once" && noun.underway === 0 && !noun.isUnreadable && !noun.isSlowToRead;
    });
  }

  async take(one: Step): Promise<void> {
    const { device, law } = this;
    switch (one.what) {
      case "PUT":
      case "POST":
      case "DELETE":
        this.ask(one.name, one.what, one.what === "DELETE" ? {} : { on: one.value });
        break;
      case "call":
        await this.call(one.name, one.value);
        break;
      case "moves":
        // What is guarded moves by itself to its default alone, as at the end of a lease.
        if (this.guardOf(one.name) !== undefined) break;
        law.take(device.log);
        law.excuse(one.name);
        device.of(one.name).become(one.value);
        break;
      case "manner":
        if (device.of(one.name).manner.startsWith("fails")) this.retries.set(one.name, device.clock.now() + 1_000);
        device.of(one.name).manner = one.manner;
        break;
      case "ends":
        device.of(one.name).end();
        this.endReading(one.name);
        this.isSettled = false;
        break;
      case "unreadable": {
        const noun = device.of(one.name);
        noun.isUnreadable = !noun.isUnreadable;
        law.take(device.log);
        law.excuse(one.name);
        noun.tell();
        this.isSettled = false;
        break;
      }
      case "reads slowly":
        device.of(one.name).isSlowToRead = true;
        break;
      case "wait":
        await device.pass(one.time);
        break;
      case "reload":
        await this.reload();
        break;
      case "slow reload":
        await this.reload(one.name);
        break;
      case "replace":
        await this.replace(one.name);
        break;
      case "drain":
        this.clients.at(-1)?.drain();
    }
    law.take(device.log);
    this.look();
    this.hear();
  }

  /** Begins to follow all nouns. */
  follow(): void {
    this.device.follow();
    this.before.push(...this.clients);
    this.clients = [true, false].map((takes) => new Client(this.device, this.guards, takes));
  }

  /** All that was shown wrong. */
  get shownWrong(): readonly string[] {
    return [this.stream, ...this.before, ...this.clients].flatMap(({ violations }) => violations);
  }

  private look(): void {
    this.stream.look(this.device);
    for (const client of this.clients) client.look();
  }

  private hear(): void {
    for (const { name, on } of this.device.told.splice(0)) this.stream.take([[name, on]]);
    this.stream.renew(this.device);
    for (const [index, client] of this.clients.entries()) {
      client.take();
      if (!client.hasEnded) continue;
      this.before.push(client);
      this.clients[index] = new Client(this.device, this.guards, client.takes);
    }
  }

  private ask(one: Name, verb: "PUT" | "POST" | "DELETE", state: State): void {
    const { device, law } = this;
    law.take(device.log);
    const isQuiet = this.isQuiet && this.isSettled && law.excused.size === 0;
    const isAllowed = verb === "DELETE" || state["on"] === 0 || law.isAllowed(one);
    const { answer } = device.ask(one, verb, state);
    if (!isQuiet) return;
    // Nothing else is refused.
    const expected = isAllowed ? JSON.stringify({ on: state["on"] ?? 0 }) : expect.stringMatching(/^409 .* is guarded/);
    expect(answer).toEqual(expected);
  }

  private async call(one: Name, on: number): Promise<void> {
    try {
      const result = this.device.of(one).setState({ on });
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // As it would be for a client.
    }
  }

  /** The readings of a slow noun end. */
  endReading(one: Name): void {
    const noun = this.device.of(one);
    noun.isUnknown = false;
    noun.isSlowToRead = false;
    noun.endReadings();
  }

  /** The next process finds the lines as they are. @param slow a noun that it can read later only. */
  private async reload(slow?: Name): Promise<void> {
    const { device } = this;
    for (const one of names) device.of(one).end();
    await device.pass();
    this.law.take(device.log);
    device.server.parts.find(guardsKey)?.end();
    const next = new GuardedDevice({ a: undefined, ...this.guards });
    for (const one of names) next.of(one).on = device.of(one).on;
    if (slow !== undefined) {
      next.of(slow).isSlowToRead = true;
      next.of(slow).isUnknown = true;
    }
    this.device = next;
    this.retries.clear();
    next.server.parts.find(guardsKey)?.start();
    this.follow();
    for (const one of names) if (next.of(one).on === 0) next.ask(one, "DELETE");
    await settle();
    this.law.take(next.log);
  }

  /** Another noun gets the name. What the one before has begun to do would still be done. */
  private async replace(one: Name): Promise<void> {
    const { device } = this;
    this.endReading(one);
    await settle();
    if (names.some((other) => device.of(other).underway > 0)) return;
    this.law.take(device.log);
    const { on } = device.of(one);
    this.law.excuse(one);
    device.unregister(one);
    device.register(one, this.guardOf(one), on);
    await settle();
  }

  /** Whether a noun, or one that has to go to its default before it, takes time or fails. That is tried again. */
  private isHeldUp(one: Name): boolean {
    // A reading of its own that takes time is an operation before its DELETE.
    const { underway, manner, isSlowToRead } = this.device.of(one);
    const isNamedBy = (other: Name) => nounsOfGuard(this.guardOf(other) ?? {}).includes(one);
    const isRetried = (this.retries.get(one) ?? 0) >= this.device.clock.now();
    return (
      isRetried ||
      isSlowToRead ||
      underway > 0 ||
      manner !== "at once" ||
      names.some((other) => isNamedBy(other) && this.isHeldUp(other))
    );
  }

  /** The turn of the loop ends. */
  async endTurn(): Promise<void> {
    await settle();
    this.isSettled = true;
    const { law, device } = this;
    law.take(device.log);
    this.hear();
    this.look();
    for (const one of names) {
      const noun = device.of(one);
      // While an operation or a reading of a noun takes time, nobody knows how it has moved.
      const isRead = nounsOfGuard(this.guardOf(one) ?? {}).every((named) => {
        const { underway, isSlowToRead } = device.of(named as Name);
        return underway === 0 && !isSlowToRead;
      });
      const isUnknown = nounsOfGuard(this.guardOf(one) ?? {}).some((named) => device.of(named as Name).isUnknown);
      if (isUnknown && !this.isHeldUp(one) && noun.on !== 0) this.wrong.push(`${one} is on, and its guard is not read`);
      if (isRead && !this.isHeldUp(one) && noun.on !== 0 && !law.isAllowed(one))
        this.wrong.push(`${one} is on at the end of a turn`);
    }
  }
}

/** The smallest orders in which the law was once broken. */
const foundOrders: readonly [Guards, Step[][]][] = [
  // Seed 11: a change that waited for a guarded noun was made after another noun had got the name.
  [
    { b: { a: { on: { below: 1 } } }, c: { a: { on: 1 } }, d: { b: { on: 1 } }, e: { c: { on: 1 } } },
    [
      [
        { what: "reads slowly", name: "c" },
        { what: "PUT", name: "c", value: 0 },
      ],
      [{ what: "PUT", name: "a", value: 2 }, { what: "drain" }],
      [{ what: "replace", name: "a" }],
      [{ what: "PUT", name: "c", value: 1 }],
      [
        { what: "moves", name: "a", value: 1 },
        { what: "wait", time: 0 },
      ],
    ],
  ],
  // Seed 13: the test itself forgot at the end that a slow noun was read.
  [
    {
      b: { a: { on: { above: 0 } } },
      c: { a: { on: 1 } },
      d: { b: { on: { below: 1 } } },
      e: { d: { on: 1 }, c: { on: { below: 1 } } },
    },
    [
      [{ what: "PUT", name: "a", value: 1 }],
      [
        { what: "slow reload", name: "a" },
        { what: "wait", time: 0 },
      ],
      [
        { what: "reads slowly", name: "e" },
        { what: "PUT", name: "d", value: 0 },
        { what: "PUT", name: "e", value: 0 },
        { what: "wait", time: 0 },
      ],
      [
        { what: "POST", name: "b", value: 0 },
        { what: "ends", name: "d" },
      ],
      [{ what: "PUT", name: "b", value: 1 }],
    ],
  ],
  // Seed 104: followers heard of nouns that the guard of a removed noun had named before they heard of its end.
  [
    {
      b: { a: { on: { below: 1 } } },
      c: { a: { on: { below: 1 } } },
      d: { b: { on: 1 } },
      e: { c: { on: 1 } },
    },
    [
      [{ what: "PUT", name: "b", value: 2 }],
      [{ what: "slow reload", name: "d" }],
      [
        { what: "PUT", name: "a", value: 1 },
        { what: "replace", name: "b" },
        { what: "moves", name: "a", value: 0 },
      ],
    ],
  ],
  // Seed 105: a DELETE had waited in vain for a reading, and the noun was told again a second after that alone.
  [
    {
      b: undefined,
      c: { a: { on: 1 } },
      d: undefined,
      e: { d: { on: { below: 1 } }, c: { on: { below: 1 } } },
    },
    [
      [{ what: "slow reload", name: "e" }],
      [{ what: "call", name: "e", value: 1 }],
      [{ what: "moves", name: "d", value: 1 }],
      [
        { what: "wait", time: 2_100 },
        { what: "manner", name: "b", manner: "slowly" },
      ],
      [{ what: "PUT", name: "b", value: 0 }],
      [{ what: "replace", name: "e" }],
    ],
  ],
  // Seed 110: a change that was taken for a part of the first DELETE ended after it.
  [
    {
      b: { a: { on: { above: 0 } } },
      c: { a: { on: { below: 1 } } },
      d: { b: { on: 1 } },
      e: { c: { on: 2 } },
    },
    [
      [
        { what: "PUT", name: "c", value: 2 },
        { what: "replace", name: "e" },
        { what: "manner", name: "e", manner: "slowly" },
      ],
      [{ what: "PUT", name: "a", value: 1 }],
      [
        { what: "call", name: "e", value: 1 },
        { what: "PUT", name: "a", value: 0 },
      ],
      [
        { what: "reload", name: "a" },
        { what: "wait", time: 0 },
      ],
    ],
  ],
];

const runs = Number(process.env["NOUND_ORDERS"] ?? 300);
/** Seeds that have found something once, and others: `npm run test:orders` tries all of them. */
const lawSeeds = [11, 12, 13, 14, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110];
/** A seed to play again; another one each time without it. */
const given = process.env["NOUND_SEED"];
const seeds = given !== undefined ? [Number(given)] : runs > 10_000 ? lawSeeds : [undefined];

async function play(all: Guards, turns: readonly (readonly Step[])[]): Promise<void> {
  const run = new Run(all);
  run.device.server.parts.find(guardsKey)?.start();
  run.follow();
  // From its first DELETE on, the default of a noun is known.
  for (const one of names) run.device.ask(one, "DELETE");
  await run.endTurn();
  for (const turn of turns) {
    for (const one of turn) await run.take(one);
    await run.endTurn();
    // Clients are told in a later turn.
    await run.take({ what: "wait", time: 20 });
    await run.endTurn();
  }
  for (const one of names) {
    const noun = run.device.of(one);
    noun.manner = "at once";
    noun.isUnreadable = false;
    noun.tell();
    // What an operation does when it ends is seen before its guard has answered.
    await run.take({ what: "ends", name: one });
  }
  await run.device.pass(3_000);
  await run.endTurn();
  expect([...run.law.violations, ...run.wrong, ...run.shownWrong]).toEqual([]);
}

test.each(foundOrders.map((found, index) => [index + 1, found] as const))(
  "order %i that once broke the law of guards keeps it",
  (_, [all, turns]) => play(all, turns),
);

test.each(seeds)(
  "a guarded noun is and shows its default while its guard does not hold, and nothing else is refused, by seed %s",
  async (seed) => {
    const turns = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 30 });
    await fc.assert(fc.asyncProperty(guards, turns, play), {
      numRuns: runs,
      ...(seed !== undefined && { seed }),
      ...(process.env["NOUND_PATH"] !== undefined && { path: process.env["NOUND_PATH"], endOnFailure: true }),
    });
  },
  3_600_000,
);
