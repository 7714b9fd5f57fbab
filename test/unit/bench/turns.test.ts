import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compared } from "../../bench/judgement.ts";
import { heats, ProcessorBill, turnPlan } from "../../bench/turns.ts";
import { workloads } from "../../bench/workloads.ts";

const few = fc.integer({ min: 1, max: 12 });

describe("a plan of turns", () => {
  test("goes forth and back", () => {
    expect(turnPlan(3, 3)).toEqual([0, 1, 2, 2, 1, 0, 0, 1, 2]);
  });

  test("gives each load as many turns", () => {
    fc.assert(
      fc.property(few, few, (loads, turns) => {
        const plan = turnPlan(loads, turns);
        for (let load = 0; load < loads; load++) expect(plan.filter((other) => other === load)).toHaveLength(turns);
        expect(plan).toHaveLength(loads * turns);
      }),
    );
  });

  test("never lets one load be two turns ahead of another", () => {
    fc.assert(
      fc.property(few, few, (loads, turns) => {
        const taken = Array.from({ length: loads }, () => 0);
        for (const load of turnPlan(loads, turns)) {
          taken[load] = (taken[load] ?? 0) + 1;
          expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe("heats", () => {
  const groups = heats(workloads, compared);

  test("have each workload once", () => {
    expect(
      groups
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(workloads.map(({ name }) => name).toSorted());
  });

  test.each(compared)("let %s take turns with %s, with which it is compared", (...pair) => {
    const group = groups.find((workloads) => workloads.some(({ name }) => name === pair[0]));
    expect(group?.map(({ name }) => name)).toEqual(expect.arrayContaining([...pair]));
  });

  test("are the workload alone if it is compared only with other servers", () => {
    expect(groups.find(([first]) => first?.name === "post")).toHaveLength(1);
  });
});

describe("the processor time of a load", () => {
  test("goes on until the next turn on the same server begins, or its last has ended", () => {
    const bill = new ProcessorBill();
    bill.begin(0, 100, 1_000);
    bill.begin(1, 200, 50);
    bill.begin(0, 100, 1_300);
    bill.end(100, 1_400);
    bill.end(200, 80);
    expect([bill.used(0), bill.used(1)]).toEqual([400, 30]);
  });

  test("is divided among the loads of one server", () => {
    const bill = new ProcessorBill();
    bill.begin(0, 100, 0);
    bill.begin(1, 100, 3);
    bill.begin(1, 100, 10);
    bill.begin(0, 100, 20);
    bill.end(100, 25);
    expect([bill.used(0), bill.used(1)]).toEqual([8, 17]);
  });

  test("is counted once, however often its end is noted", () => {
    const bill = new ProcessorBill();
    bill.begin(0, 100, 0);
    bill.end(100, 5);
    bill.end(100, 9);
    expect(bill.used(0)).toBe(5);
  });

  test("adds up to what the servers have used", () => {
    const steps = fc.array(fc.record({ load: fc.nat(3), time: fc.nat(100) }), { minLength: 1 });
    fc.assert(
      fc.property(steps, (made) => {
        const bill = new ProcessorBill();
        let reading = 0;
        for (const { load, time } of made) {
          bill.begin(load, 100, reading);
          reading += time;
        }
        bill.end(100, reading);
        expect([0, 1, 2, 3].reduce((sum, load) => sum + bill.used(load), 0)).toBe(reading);
      }),
    );
  });
});
