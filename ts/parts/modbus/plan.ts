/**
 * The questions that read some values: neighbours are read together.
 *
 *     planReads([{ table: "input", at: 0, count: 2 }, { table: "input", at: 2, count: 2 }], 0);
 *     // one question: { table: "input", at: 0, count: 4 }
 */
import { type Table, tables } from "./functions.ts";

/** A part of a table. */
export interface Span {
  readonly table: Table;
  readonly at: number;
  readonly count: number;
}

/**
 * @param gap how many addresses that nobody asked for may be read between two values.
 * @param most how many registers a question may ask for.
 */
export function planReads(spans: readonly Span[], gap: number, most = Number.POSITIVE_INFINITY): Span[] {
  const plan: Span[] = [];
  for (const table of Object.keys(tables) as Table[]) {
    const { isBits, mostRead } = tables[table];
    const longest = isBits ? mostRead : Math.min(mostRead, most);
    let last: Span | undefined;
    for (const span of spans.filter((one) => one.table === table).sort((one, other) => one.at - other.at)) {
      const end = last === undefined ? 0 : last.at + last.count;
      const count = last === undefined ? 0 : Math.max(end, span.at + span.count) - last.at;
      if (last !== undefined && span.at - end <= gap && count <= longest) {
        last = { table, at: last.at, count };
        plan[plan.length - 1] = last;
      } else {
        last = span;
        plan.push(span);
      }
    }
  }
  return plan;
}
