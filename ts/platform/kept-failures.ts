/**
 * The last failures of the process, in memory, for `/changes`. A failure that occurs again is one entry with a count,
 * so a noun that fails at each request does not drive out the others.
 *
 *     const kept = new KeptFailures();
 *     kept.add("cellar", "Error: cannot read the value: the device is gone", loop.now());
 *     kept.list(0); // { time: 4211, of: "cellar", text: "cannot read the value: the device is gone", times: 1, ... }
 */

/** The largest number of failures that are kept. */
const most = 16;

/** UTF-16 units of the longest text that is kept whole. */
const longest = 200;

/** ms: a failure that occurs again is told to listeners at most once in this time. */
const toldAgain = 60_000;

/** A failure, and how often it occurred. */
export interface KeptFailure {
  /** On the clock of the loop, in ms: the last time. */
  readonly time: number;
  /** What failed: a noun's name, or words. */
  readonly of: string;
  /** A sentence for people. */
  readonly text: string;
  readonly times: number;
}

interface Entry extends KeptFailure {
  /** When listeners were told of it, on the clock of the loop, and as the how many-th failure. */
  readonly told: number;
  readonly number: number;
}

export class KeptFailures {
  /** The number of the last failure that listeners were told of. */
  last = 0;
  /** Oldest first. */
  private readonly failures: Entry[] = [];
  private readonly listeners = new Set<() => void>();

  /**
   * @param of what failed: a noun's name, or words. @param description for people; its stack is left out.
   * @param time on the clock of the loop, in ms.
   */
  add(of: string, description: string, time: number): void {
    const { failures } = this;
    const [line = ""] = description.split(/\n| < /, 1);
    const text = line.slice(0, longest);
    const at = failures.findIndex((failure) => failure.of === of && failure.text === text);
    const [known] = at < 0 ? [] : failures.splice(at, 1);
    if (known === undefined && failures.length === most) failures.shift();
    const isTold = known === undefined || time - known.told >= toldAgain;
    if (isTold) this.last += 1;
    const { told, number } = isTold ? { told: time, number: this.last } : known;
    failures.push({ time, of: of.slice(0, longest), text, times: (known?.times ?? 0) + 1, told, number });
    if (isTold) for (const listener of this.listeners) listener();
  }

  /** @returns the last failure in words; "" before the first. */
  get lastText(): string {
    const failure = this.failures.at(-1);
    return failure === undefined ? "" : `${failure.of}: ${failure.text}`;
  }

  /** @param after the number of a failure: only those that were told later. @returns the failures, oldest first. */
  list(after: number): readonly KeptFailure[] {
    const later = this.failures.filter(({ number }) => number > after);
    return later.map((failure) => ({ ...failure, text: failure.text.replace(/^Error: /, "") }));
  }

  /** @param told is called after each failure that is new, or has not occurred for a while. @returns the end of this. */
  listen(told: () => void): () => void {
    this.listeners.add(told);
    return () => this.listeners.delete(told);
  }
}
