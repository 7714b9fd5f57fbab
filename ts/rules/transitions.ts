/**
 * When the branches of a rule run: the way from the states of nouns to `then` and `else`. It knows no nouns and no
 * actions.
 *
 *     const transitions = new Transitions({ clock, run: (branch) => runs.request(branch) }, { when, else: [] });
 *     transitions.start();
 *     transitions.take("cellar", { celsius: 3 }); // run("then")
 *     transitions.take("cellar", { celsius: 7 }); // run("else")
 */
import type { Clock, TimerId } from "../native/loop.ts";
import type { State } from "../noun/state.ts";
import { Conditions, type When } from "./condition.ts";
import type { Branch } from "./runs.ts";

/** What determines the transitions of a rule. Times are in ms. */
export interface TransitionOptions {
  /** Undefined for a rule of time alone. */
  readonly when?: When | undefined;
  /** How long the conditions must hold before `then`. */
  readonly for?: number | undefined;
  /** The time between two runs of `then` while they hold. */
  readonly every?: number | undefined;
  /** What runs when they end to hold; undefined for nothing. */
  readonly else?: unknown;
}

export interface TransitionsContext {
  readonly clock: Clock;
  run(branch: Branch): void;
  /** Called when `holds` has changed. */
  onHolds(): void;
}

/** The wait for the next `then`. It stands still while a key is null. */
interface Wait {
  /** The moment by the clock; undefined while it stands still. */
  due: number | undefined;
  /** ms that were left when it began to stand still. */
  left: number;
}

export class Transitions {
  /** Whether the conditions hold; false for a rule of changes, or of time alone. */
  holds = false;
  private readonly context: TransitionsContext;
  private readonly options: TransitionOptions;
  private conditions: Conditions | undefined;
  private isStarted = false;
  /** Whether the first values have decided where the rule begins. */
  private isDecided = false;
  private wait: Wait | undefined;
  private timer: TimerId | undefined;

  constructor(context: TransitionsContext, options: TransitionOptions) {
    this.context = context;
    this.options = options;
  }

  /** Whether all conditions hold now, for a run at a time of day. */
  get areMet(): boolean {
    const { conditions } = this;
    return conditions === undefined || (conditions.areKnown && conditions.areReadable && conditions.hold);
  }

  /** Begins from nothing: the next value of each key is its first. */
  start(): void {
    const { when, every } = this.options;
    this.stop();
    this.isStarted = true;
    this.conditions = when === undefined ? undefined : new Conditions(when);
    if (when === undefined && every !== undefined) this.waitFor(every);
  }

  stop(): void {
    this.isStarted = false;
    this.isDecided = false;
    this.endWait();
    this.setHolds(false);
  }

  /** Takes a noun's state; undefined if the noun failed. */
  take(noun: string, state: State | undefined): void {
    const { conditions } = this;
    if (!this.isStarted || conditions === undefined) return;
    const { areKnown: wereKnown } = conditions;
    const hasChanged = conditions.take(noun, state);
    if (!conditions.areKnown) return;
    if (!conditions.areReadable) {
      this.pause();
      return;
    }
    this.goOn();
    if (conditions.isOfChanges) {
      if (wereKnown && hasChanged && conditions.hold) this.context.run("then");
    } else this.compare(conditions.hold);
  }

  private compare(hold: boolean): void {
    const isFirst = !this.isDecided;
    this.isDecided = true;
    if (!isFirst && hold === this.holds) return;
    this.setHolds(hold);
    if (!hold) {
      this.endWait();
      this.context.run("else");
    } else if (!isFirst || this.options.else !== undefined) this.waitFor(this.options.for ?? 0);
  }

  private setHolds(holds: boolean): void {
    if (this.holds === holds) return;
    this.holds = holds;
    this.context.onHolds();
  }

  /** Runs `then` after a time, at once if the time is 0, and again after each `every`. */
  private waitFor(ms: number): void {
    const { clock } = this.context;
    if (ms > 0) {
      this.wait = { due: clock.now() + ms, left: ms };
      this.setTimer(ms);
      return;
    }
    const { every } = this.options;
    // First, because an action may end the rule.
    if (every === undefined) this.wait = undefined;
    else this.waitFor(every);
    this.context.run("then");
  }

  private setTimer(ms: number): void {
    this.timer = this.context.clock.setTimer(
      () => {
        this.timer = undefined;
        this.waitFor(0);
      },
      Math.max(0, Math.ceil(ms)),
    );
  }

  private clearTimer(): void {
    if (this.timer !== undefined) this.context.clock.clearTimer(this.timer);
    this.timer = undefined;
  }

  private endWait(): void {
    this.clearTimer();
    this.wait = undefined;
  }

  private pause(): void {
    const { wait } = this;
    if (wait?.due === undefined) return;
    wait.left = Math.max(0, wait.due - this.context.clock.now());
    wait.due = undefined;
    this.clearTimer();
  }

  private goOn(): void {
    const { wait } = this;
    if (wait === undefined || wait.due !== undefined) return;
    wait.due = this.context.clock.now() + wait.left;
    this.setTimer(wait.left);
  }
}
