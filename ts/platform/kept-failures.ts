/**
 * The last failures of the process, in memory, for the document `/log`. A failure that occurs again is one entry with a
 * count, so a noun that fails at each request does not drive out the others.
 *
 *     const kept = new KeptFailures();
 *     kept.add("cellar", "Error: cannot read the value: the device is gone", loop.now());
 *     kept.lines(Date.now(), loop.now()); // {"time":"...","of":"cellar","text":"cannot read the value: ...","times":1}
 */

/** The largest number of failures that are kept. */
const most = 16;

/** UTF-16 units of the longest text that is kept whole. */
const longest = 200;

interface KeptFailure {
  /** On the clock of the loop, in ms: the last time. */
  time: number;
  readonly of: string;
  readonly text: string;
  times: number;
}

export class KeptFailures {
  /** Oldest first. */
  private readonly failures: KeptFailure[] = [];

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
    failures.push({ time, of: of.slice(0, longest), text, times: (known?.times ?? 0) + 1 });
  }

  /** @returns the last failure in words; "" before the first. */
  get last(): string {
    const failure = this.failures.at(-1);
    return failure === undefined ? "" : `${failure.of}: ${failure.text}`;
  }

  /**
   * @param wall this moment, in ms since 1970. @param now the same on the clock of the loop.
   * @returns the failures as lines of JSON without their ends, oldest first.
   */
  lines(wall: number, now: number): readonly string[] {
    return this.failures.map(({ time, of, text, times }) => {
      const moment = new Date(wall - now + time).toISOString();
      return JSON.stringify({ time: moment, of, text: text.replace(/^Error: /, ""), times });
    });
  }
}
