/** The rest of the language. */
import type { Check } from "./check.ts";

/** Calls itself until the engine ends it. */
function sink(depth: number): number {
  return sink(depth + 1) + 1;
}

export const language: readonly Check[] = [
  [
    "recursion without end",
    () => {
      try {
        return sink(0);
      } catch (error) {
        return (error as Error).name;
      }
    },
    "RangeError",
  ],
  [
    "a generator",
    () => {
      function* g(): Generator<number> {
        yield 1;
        yield* [2, 3];
      }
      return [...g()];
    },
    [1, 2, 3],
  ],
  [
    "maps and sets",
    () => [
      [
        ...new Map([
          [Number.NaN, 1],
          [-0, 2],
        ]).keys(),
      ].map(String),
      new Set([1, 1, "1"]).size,
    ],
    [["NaN", "0"], 2],
  ],
  [
    "private fields",
    () => {
      class C {
        #n = 1;
        next() {
          return ++this.#n;
        }
      }
      const c = new C();
      c.next();
      return c.next();
    },
    3,
  ],
  ["a proxy", () => new Proxy({ led: "" }, { get: (_, key) => String(key) }).led, "led"],
  [
    "a finally that returns nothing",
    () => {
      const order: string[] = [];
      try {
        try {
          throw new Error("x");
        } finally {
          order.push("f");
        }
      } catch {
        order.push("c");
      }
      return order;
    },
    ["f", "c"],
  ],
  [
    "a stable sort",
    () => ["b1", "a1", "b2", "a2"].sort((x, y) => x.charCodeAt(0) - y.charCodeAt(0)),
    ["a1", "a2", "b1", "b2"],
  ],
  [
    "structures",
    () => {
      const { a = 5, ...rest } = { b: 1, c: [1, [2]] };
      return [a, rest, rest.c.flat()];
    },
    [5, { b: 1, c: [1, [2]] }, [1, 2]],
  ],
];
