/** How often the devices try to connect: the kernel counts each SYN of their network. */
import type { Network } from "./namespaces.ts";

/** ms between two looks at the counter, and looks in one second. */
const interval = 100;
const looksOfSecond = 10;

/** Connections that the devices have opened, also those that failed (RFC 4022, tcpActiveOpens). */
function activeOpens({ counters }: Network): number {
  const [names = [], values = []] = counters
    .split("\n")
    .filter((line) => line.startsWith("Tcp: "))
    .map((line) => line.split(" "));
  return Number(values[names.indexOf("ActiveOpens")]);
}

/** What was counted since a mark. */
export interface AttemptCounts {
  readonly all: number;
  /** In each second after the mark. */
  readonly seconds: readonly number[];
  /** The most in any second, wherever it begins. */
  readonly most: number;
}

/** Counts the attempts of a run. */
export class Attempts {
  private readonly looks: { readonly time: number; readonly opens: number }[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly network: Network;
  private since = 0;

  constructor(network: Network) {
    this.network = network;
    this.look();
    this.timer = setInterval(() => this.look(), interval);
  }

  /** Counts from now on. */
  mark(): void {
    this.look();
    this.since = this.looks.length - 1;
  }

  get counts(): AttemptCounts {
    this.look();
    const looks = this.looks.slice(this.since);
    const [first] = looks;
    if (first === undefined) return { all: 0, seconds: [], most: 0 };
    const seconds: number[] = [];
    let most = 0;
    for (const [index, { time, opens }] of looks.entries()) {
      const last = looks[index - 1];
      const second = Math.floor((time - first.time) / 1_000);
      seconds[second] = (seconds[second] ?? 0) + opens - (last?.opens ?? opens);
      // This process may have been too busy to look each time.
      const from = looks.findLast((look, at) => at <= index && look.time <= time - interval * looksOfSecond);
      if (from === undefined) continue;
      const length = Math.max(1, (time - from.time) / 1_000);
      most = Math.max(most, (opens - from.opens) / length);
    }
    const all = (looks.at(-1)?.opens ?? 0) - first.opens;
    return { all, seconds: Array.from(seconds, (count = 0) => count), most: Math.round(most) };
  }

  end(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    this.looks.push({ time: performance.now(), opens: activeOpens(this.network) });
  }
}
