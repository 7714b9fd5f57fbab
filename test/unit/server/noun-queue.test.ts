import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedGuard } from "../../../ts/native/simulated/guard.ts";
import { NounQueue, type Operation } from "../../../ts/server/noun-queue.ts";
import { promisesKept } from "./recording-noun.ts";

const nounTimeout = 100;

/** How an operation goes: at once or later, well or not. */
type Course = "returns" | "throws" | "keeps" | "breaks";

/** An operation that writes down what becomes of it. */
class Recorded implements Operation {
  readonly events: string[] = [];
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
        return "result";
      case "throws":
        throw new Error("broken");
      default:
        return new Promise((resolve, reject) => {
          this.settle = () => {
            this.history.push(`${this.name} settled`);
            if (this.course === "keeps") resolve("result");
            else reject(new Error("broken"));
          };
        });
    }
  }

  succeed(result: unknown): void {
    expect(result).toBe("result");
    this.tell("succeed");
  }

  fail(error: unknown): void {
    expect(error).toBeInstanceOf(Error);
    this.tell("fail");
  }

  expire(): void {
    this.tell("expire");
  }

  private tell(event: string): void {
    this.events.push(event);
    this.history.push(`${this.name} ${event}`);
  }
}

function bench(): { clock: SimulatedClock; queue: NounQueue; history: string[]; add: (course: Course) => Recorded } {
  const clock = new SimulatedClock();
  const queue = new NounQueue({ clock, guard: new SimulatedGuard() }, nounTimeout);
  const history: string[] = [];
  let count = 0;
  const add = (course: Course): Recorded => {
    const operation = new Recorded(String(count++), course, history);
    queue.enqueue(operation);
    return operation;
  };
  return { clock, queue, history, add };
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

  test("may bring about the next one, which runs after it", () => {
    const { queue, history, add } = bench();
    const events: string[] = [];
    queue.enqueue({
      run: () => {
        add("returns");
        return events.push("run");
      },
      succeed: () => void events.push("succeed"),
      fail: () => void events.push("fail"),
      expire: () => void events.push("expire"),
    });
    expect(events).toEqual(["run", "succeed"]);
    expect(history).toEqual(["0 run", "0 succeed"]);
  });
});

test("an operation that takes its time holds up those behind it", async () => {
  const { clock, history, add } = bench();
  const first = add("keeps");
  add("returns");
  const third = add("breaks");
  add("returns");
  expect(history).toEqual(["0 run"]);
  first.settle();
  await promisesKept();
  expect(history.slice(1)).toEqual(["0 settled", "0 succeed", "1 run", "1 succeed", "2 run"]);
  third.settle();
  await promisesKept();
  expect(history.slice(6)).toEqual(["2 settled", "2 fail", "3 run", "3 succeed"]);
  expect(clock.running).toBe(0);
});

test("an operation that expires keeps the noun to itself until it ends, and is told of no result", async () => {
  const { clock, add, history } = bench();
  const first = add("keeps");
  clock.advance(nounTimeout - 1);
  const second = add("returns");
  expect(first.events).toEqual(["run"]);
  clock.advance(1);
  expect(first.events).toEqual(["run", "expire"]);
  expect(second.events).toEqual([]);
  first.settle();
  await promisesKept();
  expect(first.events).toEqual(["run", "expire"]);
  expect(history.slice(2)).toEqual(["0 settled", "1 run", "1 succeed"]);
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

test("a noun whose answer cannot even be asked for its then fails, and keeps nobody waiting", () => {
  const { queue, add } = bench();
  const events: string[] = [];
  queue.enqueue({
    run: () =>
      // biome-ignore lint/suspicious/noThenProperty: a thenable that misbehaves is the subject of this test.
      Object.defineProperty({}, "then", {
        get: () => {
          throw new Error("broken");
        },
      }),
    succeed: () => void events.push("succeed"),
    fail: () => void events.push("fail"),
    expire: () => void events.push("expire"),
  });
  expect(events).toEqual(["fail"]);
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
      let last = -1;
      for (const entry of history) {
        const [name = "", event = ""] = entry.split(" ");
        if (event === "run") {
          expect(running).toBeUndefined();
          expect(Number(name)).toBeGreaterThan(last);
          last = Number(name);
          running = name;
        } else if (event === "settled" || (running === name && (event === "succeed" || event === "fail"))) {
          // A promise that is kept ends the operation, expired or not.
          if (running === name) running = undefined;
        }
      }
      for (const { events } of added) {
        const ends = events.filter((event) => event !== "run");
        expect(ends).toHaveLength(1);
        // One that expired in the queue never runs; every other one has run first.
        expect(events.length === 2 ? events[0] : ends[0]).toBe(events.length === 2 ? "run" : "expire");
      }
      expect(clock.running).toBe(0);
    }),
    { numRuns: 150 },
  );
});

/** A guard for which one error stands for an interruption. */
class InterruptingGuard extends SimulatedGuard {
  readonly interruption = new Error("interrupted");

  override isInterruption(error: unknown): boolean {
    return error === this.interruption;
  }
}

/** A clock that runs out of timers when told to. */
class ScarceClock extends SimulatedClock {
  timersLeft = Number.POSITIVE_INFINITY;

  override setTimer(callback: () => void, delay: number): number {
    this.timersLeft -= 1;
    if (this.timersLeft < 0) throw new Error("out of memory");
    return super.setTimer(callback, delay);
  }
}

/** An operation that does what it is told, and writes down what becomes of it. */
function operation(events: string[], run: () => unknown, succeed = (): void => void events.push("succeed")): Operation {
  return {
    run,
    succeed,
    fail: () => void events.push("fail"),
    expire: (error) => void events.push(error === undefined ? "expire" : "expire, interrupted"),
  };
}

test("an interrupted operation expires, at once or by its promise, and the next has its turn", async () => {
  const guard = new InterruptingGuard();
  const queue = new NounQueue({ clock: new SimulatedClock(), guard }, nounTimeout);
  const events: string[] = [];
  const interrupted = () => {
    throw guard.interruption;
  };
  queue.enqueue(operation(events, interrupted));
  queue.enqueue(operation(events, () => Promise.reject(guard.interruption)));
  queue.enqueue(operation(events, () => "result"));
  await promisesKept();
  expect(events).toEqual(["expire, interrupted", "expire, interrupted", "succeed"]);
  expect(queue.occupied).toBe(false);
});

test("what an operation throws on being told its end holds up nobody", async () => {
  const queue = new NounQueue({ clock: new SimulatedClock(), guard: new SimulatedGuard() }, nounTimeout);
  const events: string[] = [];
  const scarce = () => {
    throw new Error("out of memory");
  };
  expect(() => queue.enqueue(operation(events, () => "result", scarce))).toThrow("out of memory");
  expect(queue.occupied).toBe(false);
  const first = Promise.resolve("result");
  queue.enqueue(operation(events, () => first));
  for (const succeed of [scarce, scarce]) queue.enqueue(operation(events, () => "result", succeed));
  queue.enqueue(operation(events, () => "result"));
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  await promisesKept();
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("unhandledRejection", listen);
  expect(events).toEqual(["succeed", "succeed"]);
  expect(queue.occupied).toBe(false);
});

test("an operation that finds no timer fails, and the next has its turn", async () => {
  const clock = new ScarceClock();
  const queue = new NounQueue({ clock, guard: new SimulatedGuard() }, nounTimeout);
  const events: string[] = [];
  clock.timersLeft = 0;
  queue.enqueue(operation(events, () => new Promise(() => undefined)));
  expect(events).toEqual(["fail"]);
  clock.timersLeft = 1;
  queue.enqueue(operation(events, () => Promise.resolve("result")));
  await promisesKept();
  expect(events).toEqual(["fail", "succeed"]);
  expect(clock.running).toBe(0);
});
