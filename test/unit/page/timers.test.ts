/**
 * The law of a page with timers: a device that keeps a time for its lamp, two people, and the undo of the last changes.
 * Whatever the order of what they do, of answers, events, times that end, and lost answers, the page ends with what the
 * device has, and with the time that is left.
 */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { comparedPart } from "../../../ts/core/noun/compared-state.ts";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { changesIn, undoOf } from "../../../ts/page/lists.ts";
import { summaryOf } from "../../../ts/page/lit.ts";
import { answerTime, NounView } from "../../../ts/page/noun-view.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { readDescription } from "../../../ts/page/thing.ts";
import { thingDescription } from "../../../ts/parts/documents/describe/thing-description.ts";
import { described, device, wholeOf } from "../describe/devices.ts";
import { output, simulatedLine } from "../nouns/simulated-line.ts";

interface Request {
  readonly method: string;
  readonly body: State;
  readonly answer: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

/** A device with a lamp that takes a time, the page, and the network between them: the test lets each message arrive. */
class House {
  readonly clock = new SimulatedClock();
  readonly noun: GpioOutputNoun;
  readonly view: NounView;
  /** Whether another time was set of which the page has not heard: the device tells nobody. */
  isUntold = false;
  private told = "";
  private readonly lines: string[] = [];
  private readonly requests: Request[] = [];
  private readonly answers: (() => void)[] = [];
  private readonly events: State[] = [];

  constructor() {
    const { clock } = this;
    const { line } = simulatedLine(clock, output);
    this.noun = new GpioOutputNoun({ line, clock }, { key: "on", lease: "asked" });
    const [it] = readDescription(
      JSON.parse(wholeOf(thingDescription(device([described("lamp", this.noun)])))),
      "",
    ).nouns;
    this.view = new NounView(
      it ?? expect.fail(),
      () => {},
      () => {},
    );
    vi.stubGlobal("location", { pathname: "/" });
    vi.stubGlobal("fetch", (_path: string, { method = "GET", body = "{}" }: RequestInit) => {
      return new Promise<Response>((answer, fail) =>
        this.requests.push({ method, body: JSON.parse(String(body)), answer, fail }),
      );
    });
    this.noun.watch(() => this.tell());
    this.tell();
    this.deliverEvent();
  }

  get state(): State {
    return this.noun.getState() as State;
  }

  /** Tells as a feed does: a time alone is no news. */
  private tell(): void {
    const compared = comparedPart(JSON.stringify(this.state), ["remaining"]);
    if (compared === this.told) return;
    this.told = compared;
    this.events.push(this.state);
    this.note("lease");
  }

  private note(by: string): void {
    this.lines.push(`${JSON.stringify({ time: "2026-11-24T03:00:00Z", noun: "lamp", state: this.state, by })}\n`);
  }

  perform(method: string, body: State): State {
    const { noun } = this;
    if (method === "PUT") noun.setState(body);
    else if (method === "POST") noun.updateState(body);
    else if (method === "DELETE") noun.deleteState();
    if (method !== "GET") this.note("client");
    return this.state;
  }

  /** Somebody else. @param isTold whether the page hears of a time that takes the place of another one. */
  other(method: string, body: State, isTold = false): State {
    const had = Object.hasOwn(this.state, "remaining");
    const state = this.perform(method, body);
    if (had && Object.hasOwn(state, "remaining") && !isTold) this.isUntold = true;
    return state;
  }

  handle(isHeard = true): void {
    const request = this.requests.shift();
    if (request === undefined) return;
    const { method, body, answer, fail } = request;
    // An event from before may arrive behind the answer.
    const state = this.other(method, body, isHeard && this.events.length === 0);
    this.answers.push(() => (isHeard ? answer(Response.json(state)) : fail(new Error("gone"))));
  }

  deliverEvent(): void {
    const event = this.events.shift();
    if (event !== undefined) this.view.take({ ...event });
  }

  async deliverAnswer(): Promise<void> {
    this.answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  }

  /** Puts back one of the last changes, as the page finds them in the list. */
  undo(place: number): void {
    const changes = changesIn(this.lines.join(""), "lamp").filter(({ before }) => before !== null);
    const change = changes[place % changes.length];
    if (change !== undefined) this.view.putBack(undoOf(change));
  }

  /** Some time passes. A message takes less than a second. */
  async pass(time: number): Promise<void> {
    if (time >= 1_000) await this.flush();
    this.clock.advance(time);
    await vi.advanceTimersByTimeAsync(time);
    // As the page does each second.
    this.view.lookAgain();
  }

  async flush(): Promise<void> {
    for (let round = 0; round < 30; round++) {
      this.handle();
      this.deliverEvent();
      await this.deliverAnswer();
    }
  }

  /** All that still can happen does, but for the times that end. */
  async settle(): Promise<void> {
    await this.flush();
    await this.pass(answerTime);
    await this.flush();
  }

  get shown(): State {
    return Object.fromEntries(this.view.keys.map((key) => [key.name, this.view.valueOf(key) ?? null]));
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const on = fc.constantFrom<0 | 1>(0, 1);
const minutes = fc.constantFrom(5, 30, 60);
const body = fc.oneof(
  fc.record({ on }),
  fc.record({ on: fc.constant(1), remaining: fc.constantFrom(2, 300, 1_800, 3_600) }),
);
const step = fc.oneof(
  fc.record({ what: fc.constant("timer" as const), minutes }),
  fc.record({ what: fc.constant("set" as const), on }),
  fc.record({ what: fc.constant("undo" as const), place: fc.nat(7) }),
  fc.record({ what: fc.constant("reset" as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("other" as const),
      method: fc.constantFrom("PUT", "PUT", "DELETE"),
      body,
    }),
  },
  fc.record({ what: fc.constant("pass" as const), time: fc.constantFrom(1, 200, 5_000, 290_000, 310_000, 1_810_000) }),
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constantFrom("handle", "handleUnheard", "deliverEvent", "deliverAnswer") }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(house: House, one: Step): Promise<void> {
  const { view } = house;
  if ("minutes" in one)
    view.setAll([
      ["on", 1],
      ["remaining", one.minutes * 60],
    ]);
  else if ("on" in one) view.set("on", one.on);
  else if ("place" in one) house.undo(one.place);
  else if ("method" in one) house.other(one.method, one.body as State);
  else if ("time" in one) await house.pass(one.time);
  else if (one.what === "reset") view.reset();
  else if (one.what === "deliverEvent") house.deliverEvent();
  else if (one.what === "deliverAnswer") await house.deliverAnswer();
  else house.handle(one.what === "handle");
}

/** The page shows what the device has, also in the counts at the top. */
function expectSame(house: House): void {
  const { view, state, shown, isUntold } = house;
  expect(shown["on"]).toBe(state["on"]);
  expect(typeof shown["remaining"]).toBe(typeof (state["remaining"] ?? null));
  if (typeof state["remaining"] === "number" && !isUntold)
    expect(Math.abs(Number(shown["remaining"]) - state["remaining"])).toBeLessThanOrEqual(2);
  const card = { views: [view] as const };
  const found = summaryOf([card]).filter((count) => count.found.includes(card));
  expect(found.map(({ name }) => name)).toEqual(state["on"] === 1 ? ["lampsOn"] : []);
}

/** `npm run test:orders` tries more. */
const numRuns = Number(process.env["NOUND_ORDERS"] ?? 100);

test(
  "in any order of timers, undos, other people and lost answers, the page ends with the device's state and its time",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const house = new House();
        for (const one of steps) await take(house, one);
        await house.settle();
        expectSame(house);
        // Once what it shows is over, it has found out what nobody told.
        for (let times = 0; times < 2; times++) {
          await house.pass((Number(house.shown["remaining"] ?? 0) + 1) * 1_000);
          await house.settle();
        }
        house.isUntold = false;
        expectSame(house);
        vi.clearAllTimers();
      }),
      { numRuns },
    );
  },
  5_000 + numRuns * 50,
);

test("an undo of a lamp that has gone off by itself gives it the time from before", async () => {
  const house = new House();
  house.other("PUT", { on: 1, remaining: 300 });
  await house.pass(301_000);
  expect(house.state).toEqual({ on: 0 });
  house.undo(0);
  await house.flush();
  expect(house.state).toEqual({ on: 1, remaining: 300 });
});

test("a page finds out that somebody else has set a longer time, once its own is over", async () => {
  const house = new House();
  house.other("PUT", { on: 1, remaining: 300 });
  await house.flush();
  house.other("PUT", { on: 1, remaining: 1_800 });
  await house.pass(299_000);
  expect(house.shown).toEqual({ on: 1, remaining: 1 });
  await house.pass(2_000);
  await house.flush();
  expect(house.shown).toEqual({ on: 1, remaining: 1_499 });
});
