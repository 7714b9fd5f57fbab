import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Recent } from "../../../ts/http/recent.ts";

describe("a table of recent bytes", () => {
  test("gives back what was kept for the very same bytes, and nothing for others", () => {
    const table = new Recent<number>();
    table.add("GET /led", 1);
    expect(table.get("GET /led")).toBe(1);
    expect(table.get("GET /leD")).toBeUndefined();
  });

  test("keeps what is asked for while others come and go", () => {
    const table = new Recent<number>();
    table.add("asked for", 1);
    for (let other = 0; other < 1000; other++) {
      table.add(`other ${other}`, other);
      expect(table.get("asked for")).toBe(1);
    }
  });

  test("forgets what nobody asks for, so that a client that never repeats itself costs a bounded room", () => {
    const table = new Recent<number>();
    for (let index = 0; index < 1000; index++) table.add(`head ${index}`, index);
    const kept = Array.from({ length: 1000 }, (_, index) => table.get(`head ${index}`)).filter(
      (value) => value !== undefined,
    );
    expect(kept.length).toBeLessThanOrEqual(64);
    expect(table.get("head 999")).toBe(999);
  });

  test("keeps nothing for more than 1,024 bytes", () => {
    const table = new Recent<number>();
    table.add("x".repeat(1024), 1);
    table.add("x".repeat(1025), 2);
    expect(table.get("x".repeat(1024))).toBe(1);
    expect(table.get("x".repeat(1025))).toBeUndefined();
  });

  test("knows nothing after it was cleared", () => {
    const table = new Recent<number>();
    for (let index = 0; index < 50; index++) table.add(`head ${index}`, index);
    table.clear();
    for (let index = 0; index < 50; index++) expect(table.get(`head ${index}`)).toBeUndefined();
  });

  test("never gives another value than the one kept last for those bytes", () => {
    const step = fc.record({ key: fc.nat(100).map(String), add: fc.boolean(), value: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const table = new Recent<number>();
        const last = new Map<string, number>();
        for (const { key, add, value } of steps) {
          if (add) {
            table.add(key, value);
            last.set(key, value);
          } else {
            expect([undefined, last.get(key)]).toContain(table.get(key));
          }
        }
      }),
    );
  });
});
