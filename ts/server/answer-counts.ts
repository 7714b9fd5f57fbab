/** How many answers a server has given, by their status codes. */

/** Counts answers. */
export class AnswerCounts {
  /** Answers with the status 200. They are the most frequent ones, and a counter of their own is the cheapest. */
  ok = 0;
  private readonly others = new Map<number, number>();

  add(status: number): void {
    if (status === 200) this.ok += 1;
    else this.others.set(status, (this.others.get(status) ?? 0) + 1);
  }

  /** @returns the number of answers by status code. */
  byStatus(): ReadonlyMap<number, number> {
    const counts = new Map(this.others);
    if (this.ok > 0) counts.set(200, this.ok);
    return counts;
  }
}
