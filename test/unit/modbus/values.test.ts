import fc from "fast-check";
import { expect, test } from "vitest";
import { planReads, type Span } from "../../../ts/parts/modbus/plan.ts";
import { decode, encode, rangeOf, type ValueForm, valueOrders, valueTypes } from "../../../ts/parts/modbus/values.ts";

const numberTypes = valueTypes.filter((as): as is ValueForm["as"] => as !== "string");
const forms = numberTypes.flatMap((as) => valueOrders.map((order): ValueForm => ({ as, order })));

// 0x41424344 in each order, as the vendors' documents write it.
test.each([
  ["ABCD", [0x4142, 0x4344]],
  ["CDAB", [0x4344, 0x4142]],
  ["BADC", [0x4241, 0x4443]],
  ["DCBA", [0x4443, 0x4241]],
] as const)("the order %s is that of its letters", (order, registers) => {
  expect(decode(registers, { as: "uint32", order })).toBe(0x41424344);
  expect(encode(0x41424344, { as: "uint32", order })).toEqual(registers);
});

test.each([
  [[0xffff], "int16", -1],
  [[0xffff], "uint16", 65_535],
  [[0xffff, 0xfffe], "int32", -2],
  [[0x4366, 0x199a], "float32", 230.10000610351562],
  [[0x7fc0, 0], "float32", undefined],
  [[0xffff, 0xffff, 0xffff, 0xffff], "int64", -1],
  [[0xffff, 0xffff, 0xffff, 0xffff], "uint64", undefined],
  [[0x001f, 0xffff, 0xffff, 0xffff], "uint64", Number.MAX_SAFE_INTEGER],
  [[0x3ff8, 0, 0, 0], "float64", 1.5],
  [[0x8001], "bits", 32_769],
] as const)("%j as %s is %s", (registers, as, value) => {
  expect(decode(registers, { as, order: "ABCD" })).toBe(value);
});

test("what is written is read back, for all types and orders", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...forms),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (form, float, share) => {
        const range = rangeOf(form.as);
        const value = range === undefined ? float : Math.round(range[0] + (range[1] - range[0]) * share);
        const single = form.as === "float32" ? Math.fround(value) : value;
        const expected = Number.isFinite(single) ? single : undefined;
        const back = decode(encode(value, form), form);
        expect(back === undefined ? back : back + 0).toBe(expected === undefined ? expected : expected + 0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a plan reads all that is asked for, with no gap above the limit and no question that is too long", () => {
  const span = fc.record({
    table: fc.constantFrom("coil" as const, "holding" as const, "input" as const),
    at: fc.nat(300),
    count: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(span), fc.nat(10), (spans: Span[], gap) => {
      const plan = planReads(spans, gap);
      const covers = (one: Span) => (part: Span) =>
        part.table === one.table && part.at <= one.at && one.at + one.count <= part.at + part.count;
      for (const one of spans) expect(plan.filter(covers(one)).length).toBeGreaterThan(0);
      for (const part of plan) {
        expect(part.count).toBeLessThanOrEqual(part.table === "coil" ? 2_000 : 125);
        let unasked = 0;
        for (let at = part.at; at < part.at + part.count; at++) {
          const isAsked = spans.some((one) => one.table === part.table && one.at <= at && at < one.at + one.count);
          unasked = isAsked ? 0 : unasked + 1;
          expect(unasked).toBeLessThanOrEqual(gap);
        }
      }
    }),
  );
});
