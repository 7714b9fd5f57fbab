/** Promises and asynchronous iteration. */
import type { Check } from "./check.ts";

export const promises: readonly Check[] = [
  [
    "the order of jobs",
    async () => {
      const order: number[] = [];
      const later = Promise.resolve()
        .then(() => order.push(2))
        .then(() => order.push(4));
      const other = (async () => {
        order.push(1);
        await null;
        order.push(3);
      })();
      await Promise.all([later, other]);
      return order;
    },
    [1, 2, 3, 4],
  ],
  [
    "all settled",
    async () => (await Promise.allSettled([1, Promise.reject(new Error("no"))])).map(({ status }) => status),
    ["fulfilled", "rejected"],
  ],
  ["any", () => Promise.any([Promise.reject(new Error("no")), Promise.resolve(7)]), 7],
  ["a caught rejection", () => Promise.reject(new Error("no")).catch((error: Error) => error.message), "no"],
  [
    "asynchronous iteration",
    async () => {
      async function* count() {
        for (let i = 0; i < 3; i++) {
          await null;
          yield i;
        }
      }
      const seen: number[] = [];
      for await (const i of count()) seen.push(i);
      return seen;
    },
    [0, 1, 2],
  ],
];
