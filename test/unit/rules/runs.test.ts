/** The runs of a rule: their order, their number, and what is put off. */
import { expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { type Branch, type Run, Runs } from "../../../ts/parts/rules/runs.ts";

function bench(actions: { readonly then: readonly string[]; readonly else: readonly string[] }) {
  const clock = new SimulatedClock();
  const begun: string[] = [];
  /** Each ends an action that takes time. */
  const ends: Run[] = [];
  const begin = clock.now();
  const perform = (action: string, run: Run): void => {
    begun.push(`${action} at ${clock.now() - begin}`);
    if (action.startsWith("slow")) ends.push(run);
    else run.ended(!action.startsWith("broken"));
  };
  const context = {
    clock,
    perform,
    actionsOf: (branch: Branch) => actions[branch],
    onCount: () => undefined,
    onChase: () => void begun.push("chase"),
  };
  return { clock, begun, ends, runs: new Runs(context) };
}

test("the actions of a run are performed in their order, each when the one before has ended", () => {
  const { begun, ends, runs } = bench({ then: ["a", "slow", "b"], else: [] });
  runs.request("then");
  expect(begun).toEqual(["a at 0", "slow at 0"]);
  ends[0]?.ended(true);
  expect(begun).toEqual(["a at 0", "slow at 0", "b at 0"]);
  expect(runs.counts).toEqual({ runs: 1, delayed: 0, failed: 0 });
});

test("an action that fails is counted, and the next is performed anyway", () => {
  const { begun, runs } = bench({ then: ["broken", "a"], else: [] });
  runs.request("then");
  expect(begun).toEqual(["broken at 0", "a at 0"]);
  expect(runs.counts).toEqual({ runs: 1, delayed: 0, failed: 1 });
});

test("runs that come too soon become one, the last of them, 100 ms after the one before", () => {
  const { clock, begun, runs } = bench({ then: ["on"], else: ["off"] });
  for (const branch of ["then", "else", "then", "else"] as const) {
    runs.request(branch);
    clock.advance(10);
  }
  clock.advance(1_000);
  expect(begun).toEqual(["on at 0", "off at 100"]);
  expect(runs.counts).toEqual({ runs: 2, delayed: 3, failed: 0 });
});

test("two rules that toggle each other run ten times a second each at most", () => {
  const { clock, begun, runs } = bench({ then: ["on"], else: [] });
  for (let ms = 0; ms < 1_000; ms++) {
    runs.request("then");
    if (ms < 999) clock.advance(1);
  }
  expect(begun).toHaveLength(10);
});

test("a run that comes during another one is put off until that has ended", () => {
  const { clock, begun, ends, runs } = bench({ then: ["slow"], else: ["off"] });
  runs.request("then");
  clock.advance(500);
  runs.request("else");
  clock.advance(500);
  expect(begun).toEqual(["slow at 0"]);
  ends[0]?.ended(true);
  clock.advance(1);
  expect(begun).toEqual(["slow at 0", "off at 1000"]);
});

test("a branch without actions runs nothing, and voids what was put off before it", () => {
  const { clock, begun, runs } = bench({ then: ["on"], else: [] });
  runs.request("then");
  runs.request("then");
  runs.request("else");
  clock.advance(1_000);
  expect(begun).toEqual(["on at 0"]);
});

test("what is stopped performs no further action", () => {
  const { clock, begun, ends, runs } = bench({ then: ["slow", "a"], else: [] });
  runs.request("then");
  runs.request("then");
  runs.stop();
  ends[0]?.ended(true);
  clock.advance(1_000);
  expect([begun, clock.running]).toEqual([["slow at 0"], 0]);
});
