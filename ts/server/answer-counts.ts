/** How many answers a server has given, by their status codes. */

/** Counts answers. */
export class AnswerCounts {
  /** Answers with a state on a connection that stays open. They are the most frequent ones, and a counter of their own is the cheapest. */
  plain = 0;
  private readonly others = new Map<number, number>();

  add(status: number): void {
    this.others.set(status, (this.others.get(status) ?? 0) + 1);
  }

  /** @returns the number of answers by status code. */
  byStatus(): ReadonlyMap<number, number> {
    const counts = new Map(this.others);
    if (this.plain > 0) counts.set(200, this.plain + (counts.get(200) ?? 0));
    return counts;
  }
}
