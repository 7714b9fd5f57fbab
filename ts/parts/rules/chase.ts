/**
 * Finds a rule that chases itself: its runs come from the answers to its own actions, as with two lamps that follow
 * each other. Then the same states come again and again. A counter of presses, or a knob that is turned, has others.
 */

/** ms. */
const minute = 60_000;

/** Runs of a minute after which a rule is slowed. */
const mostRuns = 20;

/** States that are remembered. */
const mostStates = 32;

/** ms between two runs of a rule that chases itself; two devices must not run at the same moment forever. */
const slow = { least: 10_000, more: 2_000 };

export class Chase {
  /** When each state has caused a run last. */
  private readonly states = new Map<string, number>();
  /** When the last runs by a state that had come before have begun. */
  private readonly runs: number[] = [];
  private isTold = false;

  /** A run begins. @param state that has caused it. @returns whether the rule begins to chase itself with that. */
  note(state: string, now: number): boolean {
    const before = this.states.get(state);
    this.states.delete(state);
    this.states.set(state, now);
    for (const [oldest] of this.states) if (this.states.size > mostStates) this.states.delete(oldest);
    if (before !== undefined && now - before < minute) this.runs.push(now);
    if (this.runs.length > mostRuns) this.runs.shift();
    const wasTold = this.isTold;
    this.isTold = this.isOn(now);
    return this.isTold && !wasTold;
  }

  /** Whether the rule chases itself. */
  isOn(now: number): boolean {
    const [first] = this.runs;
    return this.runs.length === mostRuns && first !== undefined && now - first < minute;
  }

  /** @returns ms from the beginning of a run to that of the next one. */
  get interval(): number {
    return slow.least + Math.floor(Math.random() * slow.more);
  }
}
