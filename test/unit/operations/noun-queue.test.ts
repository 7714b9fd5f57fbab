import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { OnFailure } from "../../../ts/core/noun/failure.ts";
import { type Answer, noAnswer } from "../../../ts/core/operations/answer.ts";
import { NounCall } from "../../../ts/core/operations/noun-call.ts";
import { NounQueue } from "../../../ts/core/operations/noun-queue.ts";
import { NounRoute, RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import { type Asker, Operation } from "../../../ts/core/operations/operation.ts";
import { WaitingClients } from "../../../ts/core/operations/waiting-clients.ts";
import type { Interruption } from "../../../ts/native/interruption.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { promisesKept, RecordingNoun } from "../server/recording-noun.ts";

const nounTimeout = 100;

/** How an operation goes: at once or later, well or not. */
type Course = "returns" | "throws" | "keeps" | "breaks";

const ends: { readonly [status: number]: string } = { 200: "succeed", 500: "fail", 503: "expire" };

/** One operation, and what becomes of it. */
class Recorded implements Asker {
  readonly events: string[] = [];
  operation: Operation | undefined;
  settle: () => void = () => undefined;
  private readonly name: string;
  private readonly course: Course;
  private readonly history: string[];

  constructor(name: string, course: Course, history: string[]) {
    this.name = name;
    this.course = course;
    this.history = history;
  }

  run(): unknown {
    this.tell("run");
    switch (this.course) {
      case "returns":
        return { a: 1 };
      case "throws":
        throw new Error("broken");
      default:
        return new Promise((resolve, reject) => {
          this.settle = () => {
            this.history.push(`${this.name} settled`);
            if (this.course === "keeps") resolve({ a: 1 });
            else reject(new Error("broken"));
          };
        });
    }
  }

  take(outcome: Answer | Operation): void {
    if (outcome instanceof Operation) this.operation = outcome;
    else this.tell(ends[outcome.status] ?? "");
  }

  onAnswer(): void {
    this.tell(ends[this.operation?.answer?.status ?? 0] ?? "");
  }

  private tell(event: string): void {
    this.events.push(event);
    this.history.push(`${this.name} ${event}`);
  }
}

/** @returns a queue, and what performs a function as an operation in it. */
function queueOn(
  clock: SimulatedClock,
  interruption = new SimulatedInterruption(),
  maxQueued = 1_000,
  onFailure?: OnFailure,
) {
  const queue = new NounQueue({
    clock,
    call: new NounCall(interruption, onFailure, false),
    clients: new WaitingClients({ maxConnections: 10_000, maxQueued }),
    roomForStates: () => 1_000,
    relieve: () => true,
    limits: { nounTimeout, stateBytes: 100 },
  });
  const perform = (run: () => unknown, asker: Asker): Answer | Operation => {
    const noun = Object.assign(new RecordingNoun(), { getState: run });
    return new NounRoute(new RegisteredNoun("led", noun, queue), "GET").perform({}, asker);
  };
  return { queue, perform };
}

function bench(maxQueued?: number) {
  const clock = new SimulatedClock();
  const { queue, perform } = queueOn(clock, undefined, maxQueued);
  const history: string[] = [];
  let count = 0;
  const add = (course: Course): Recorded => {
    const recorded = new Recorded(String(count++), course, history);
    recorded.take(perform(() => recorded.run(), recorded));
    return recorded;
  };
  return { clock, queue, history, add, perform };
}

describe("an operation that ends at once", () => {
  test("takes neither a turn of the loop nor a timer", () => {
    const { clock, history, add } = bench();
    add("returns");
    add("throws");
    add("returns");
    expect(history).toEqual(["0 run", "0 succeed", "1 run", "1 fail", "2 run", "2 succeed"]);
    expect(clock.running).toBe(0);
  });
});

describe("an operation whose client is gone", () => {
  test("is never begun, and those behind it have their turns", async () => {
    const { clock, history, add } = bench();
    const first = add("keeps");
    const gone = add("returns");
    add("returns");
    gone.operation?.abandon();
    first.settle();
    await promisesKept();
    expect(history).toEqual(["0 run", "0 settled", "0 succeed", "2 run", "2 succeed"]);
    expect(clock.running).toBe(0);
  });

  test("keeps the noun busy if it has begun, and reports its end to nobody", async () => {
    const { clock, history, add } = bench();
    const gone = add("keeps");
    add("returns");
    gone.operation?.abandon();
    expect(history).toEqual(["0 run"]);
    gone.settle();
    await promisesKept();
    expect(history).toEqual(["0 run", "0 settled", "1 run", "1 succeed"]);
    expect(clock.running).toBe(0);
  });
});

test("an operation that finds the queue full is answered 503 with Retry-After, and never begun", async () => {
  const { history, add, perform } = bench(2);
  const first = add("keeps");
  add("returns");
  add("returns");
  const asker = { onAnswer: () => expect.unreachable() };
  const answer = perform(() => expect.unreachable(), asker) as Answer;
  expect(answer.status).toBe(503);
  expect(answer.write({ close: false, headOnly: false, fields: "" })).toContain("\r\nRetry-After: 1\r\n");
  first.settle();
  await promisesKept();
  expect(history).toHaveLength(7);
});

test("the time an operation waits for its turn counts", async () => {
  const { clock, add } = bench();
  const first = add("keeps");
  clock.advance(60);
  const second = add("keeps");
  first.settle();
  await promisesKept();
  clock.advance(39);
  const third = add("returns");
  clock.advance(61);
  expect(second.events).toEqual(["run", "expire"]);
  expect(third.events).toEqual([]);
  clock.advance(39);
  expect(third.events).toEqual(["expire"]);
  second.settle();
  await promisesKept();
  expect(third.events).toEqual(["expire"]);
  expect(clock.running).toBe(0);
});

test("a noun whose answer throws when its `then` is read fails, and delays nobody", () => {
  const { perform, add } = bench();
  const answer = perform(
    () =>
      // biome-ignore lint/suspicious/noThenProperty: a thenable that misbehaves is the subject of this test.
      Object.defineProperty({}, "then", {
        get: () => {
          throw new Error("broken");
        },
      }),
    { onAnswer: () => expect.unreachable() },
  ) as Answer;
  expect(answer.status).toBe(500);
  expect(add("returns").events).toEqual(["run", "succeed"]);
});

const step = fc.oneof(
  fc.constantFrom<Course>("returns", "throws", "keeps", "breaks").map((course) => ({ add: course })),
  fc.constant({ settle: true }),
  fc.integer({ min: 1, max: 60 }).map((pass) => ({ pass })),
);

test("whatever the schedule, operations never overlap, keep their order and end exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, history, add } = bench();
      const added: Recorded[] = [];
      const settleRunning = async (): Promise<void> => {
        for (const operation of added) operation.settle();
        for (const operation of added) operation.settle = () => undefined;
        await promisesKept();
      };
      for (const now of steps) {
        if ("add" in now) added.push(add(now.add));
        else if ("pass" in now) clock.advance(now.pass);
        else await settleRunning();
      }
      while (added.some(({ events }) => events.length === 0) || clock.running > 0) await settleRunning();
      await settleRunning();

      let running: string | undefined;
      let newest = -1;
      for (const entry of history) {
        const [name = "", event = ""] = entry.split(" ");
        if (event === "run") {
          expect(running).toBeUndefined();
          expect(Number(name)).toBeGreaterThan(newest);
          newest = Number(name);
          running = name;
        } else if (event === "settled" || (running === name && (event === "succeed" || event === "fail"))) {
          // A promise that is resolved ends the operation, expired or not.
          if (running === name) running = undefined;
        }
      }
      for (const { events } of added) {
        const last = events.filter((event) => event !== "run");
        expect(last).toHaveLength(1);
        // One that expired in the queue never runs; every other one has run first.
        expect(events.length === 2 ? events[0] : last[0]).toBe(events.length === 2 ? "run" : "expire");
      }
      expect(clock.running).toBe(0);
    }),
    { numRuns: 150 },
  );
});

/** A twin for which one error stands for an interruption. */
class InterruptingTwin extends SimulatedInterruption {
  readonly interruption = new Error("interrupted");

  override isInterruption(error: unknown): boolean {
    return error === this.interruption;
  }
}

/** A twin that knows what it calls now. */
class WatchfulTwin extends SimulatedInterruption {
  /** The kind of the innermost call, "job" outside of all. */
  current: "call" | "exempt" | "job" = "job";

  override readonly call = this.during("call");
  override readonly exempt = this.during("exempt");

  private during(kind: "call" | "exempt"): Interruption["call"] {
    return (callee, ...args) => {
      const outer = this.current;
      this.current = kind;
      try {
        return callee(...args);
      } finally {
        this.current = outer;
      }
    };
  }
}

test.each(["succeeds", "fails"])(
  "a promise that %s is read interruptibly, and is answered exempt from it",
  async (how) => {
    const interruption = new WatchfulTwin();
    const { perform } = queueOn(new SimulatedClock(), interruption);
    const seen: string[] = [];
    const state = {
      get a() {
        seen.push(interruption.current);
        return 1;
      },
    };
    const answered = new Promise<void>((resolve) => {
      const onAnswer = () => {
        seen.push(interruption.current);
        resolve();
      };
      perform(() => (how === "succeeds" ? Promise.resolve(state) : Promise.reject(new Error("broken"))), { onAnswer });
    });
    await answered;
    expect([...new Set(seen)]).toEqual(how === "succeeds" ? ["call", "exempt"] : ["exempt"]);
  },
);

/** A clock that runs out of timers when told to. */
class ScarceClock extends SimulatedClock {
  timersLeft = Number.POSITIVE_INFINITY;

  override setTimer(callback: () => void, delay: number): number {
    this.timersLeft -= 1;
    if (this.timersLeft < 0) throw new Error("out of memory");
    return super.setTimer(callback, delay);
  }
}

const done = Promise.resolve({ a: 1 });

test("an interrupted operation expires, at once or by its promise, and the next has its turn", async () => {
  const interruption = new InterruptingTwin();
  const { queue, perform } = queueOn(new SimulatedClock(), interruption);
  const first = perform(
    () => {
      throw interruption.interruption;
    },
    { onAnswer: () => expect.unreachable() },
  ) as Answer;
  expect(first.status).toBe(503);
  const asker = { onAnswer: () => undefined };
  const second = perform(() => Promise.reject(interruption.interruption), asker) as Operation;
  const third = perform(() => ({ a: 1 }), asker) as Operation;
  await promisesKept();
  expect([second.answer?.status, third.answer?.status]).toEqual([503, 200]);
  expect(queue.running).toBeUndefined();
});

test("a connection that throws when it gets an answer delays nobody", async () => {
  const { queue, perform } = queueOn(new SimulatedClock());
  const scarce = {
    onAnswer: () => {
      throw new Error("out of memory");
    },
  };
  const told: number[] = [];
  perform(() => done, { onAnswer: () => void told.push(1) });
  for (const asker of [scarce, scarce]) perform(() => ({ a: 1 }), asker);
  perform(() => ({ a: 1 }), { onAnswer: () => void told.push(2) });
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  await promisesKept();
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("unhandledRejection", listen);
  expect(told).toEqual([1, 2]);
  expect(unhandled).toHaveLength(1);
  expect(queue.running).toBeUndefined();
});

test("a change that finds no timer has begun, so no answer says that it has failed", () => {
  const clock = new SimulatedClock();
  const { queue } = queueOn(clock);
  const noun = Object.assign(new RecordingNoun(), { setState: () => new Promise<never>(() => undefined) });
  const route = new NounRoute(new RegisteredNoun("led", noun, queue), "PUT");
  class InternalError extends Error {
    override readonly name = "InternalError";
  }
  vi.spyOn(clock, "setTimer").mockImplementation(() => {
    throw new InternalError("out of memory");
  });
  expect(route.perform({ a: 1 }, { onAnswer: () => expect.unreachable() })).toBe(noAnswer);
});

test("an operation that finds no timer fails, and the next has its turn", async () => {
  const clock = new ScarceClock();
  const { queue, perform } = queueOn(clock);
  clock.timersLeft = 0;
  const failed = perform(() => new Promise(() => undefined), { onAnswer: () => expect.unreachable() }) as Answer;
  expect(failed.status).toBe(500);
  clock.timersLeft = 1;
  const next = perform(() => done, { onAnswer: () => undefined }) as Operation;
  await promisesKept();
  expect(next.answer?.status).toBe(200);
  expect(queue.running).toBeUndefined();
  expect(clock.running).toBe(0);
});

test("an operation whose promise cannot be followed fails, and is told of no time limit", () => {
  const clock = new SimulatedClock();
  const { perform } = queueOn(clock);
  vi.stubGlobal("WeakRef", function scarce() {
    throw new Error("out of memory");
  });
  try {
    const failed = perform(() => new Promise(() => undefined), { onAnswer: () => expect.unreachable() }) as Answer;
    expect(failed.status).toBe(500);
    clock.advance(2 * nounTimeout);
  } finally {
    vi.unstubAllGlobals();
  }
});

test("a client is told that its noun did not answer in time, even if that cannot be reported", () => {
  const clock = new SimulatedClock();
  const { perform } = queueOn(clock, undefined, undefined, () => {
    throw new Error("out of memory");
  });
  const told: unknown[] = [];
  const asker = { onAnswer: () => told.push((slow as Operation).answer?.status) };
  const slow = perform(() => new Promise(() => undefined), asker);
  clock.advance(nounTimeout);
  expect(told).toEqual([503]);
});

test("a noun's answer for which there is no memory leaves the time limit, and the next has its turn", () => {
  const clock = new SimulatedClock();
  const interruption = new SimulatedInterruption();
  const { perform } = queueOn(clock, interruption);
  const told: unknown[] = [];
  let settle: (state: unknown) => void = () => undefined;
  const promise = Object.assign(new Promise(() => undefined), {
    // biome-ignore lint/suspicious/noThenProperty: A promise that the test settles, to see what that throws.
    then: (resolved: typeof settle) => {
      settle = resolved;
    },
  });
  const slow = perform(() => promise, { onAnswer: () => told.push((slow as Operation).answer?.status) }) as Operation;
  const next = perform(() => ({ a: 1 }), { onAnswer: () => undefined }) as Operation;
  const outOfMemory = () => {
    throw new Error("out of memory");
  };
  vi.spyOn(interruption, "call").mockImplementationOnce(outOfMemory);
  vi.spyOn(interruption, "isInterruption").mockImplementation(outOfMemory);
  expect(() => settle({ a: 1 })).toThrow("out of memory");
  expect([told, next.answer?.status]).toEqual([[], 200]);
  clock.advance(nounTimeout);
  expect([told, clock.running]).toEqual([[503], 0]);
});
