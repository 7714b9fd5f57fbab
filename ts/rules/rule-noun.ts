/**
 * A rule as a noun: clients read what it does, switch it on and off, and try it.
 *
 *     server.register("frost", new RuleNoun(rules, "frost", { when, then, else: otherwise, every: 10_000 }));
 *     // {"enabled":true,"holds":false,"runs":12,"delayed":0,"failed":0,"last":840}
 */
import type { Clock } from "../native/loop.ts";
import type { Noun } from "../noun/noun.ts";
import { partialShape, type Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { ChangeListeners } from "../nouns/change-listeners.ts";
import type { KeptText } from "../nouns/kept-text.ts";
import type { Action, RuleOptions } from "./rule.ts";
import type { Rules } from "./rules.ts";
import { type Branch, Runs, type RunsContext } from "./runs.ts";
import { Schedule } from "./schedule.ts";
import { Transitions, type TransitionsContext } from "./transitions.ts";

const hidden = { homeAssistant: { entity_category: "diagnostic", enabled_by_default: false } } as const;
const count = { type: "integer", minimum: 0, readOnly: true, counts: "total", ...hidden } as const;

const shape: Shape = {
  enabled: { type: "boolean", description: "Whether the rule acts." },
  holds: { type: "boolean", readOnly: true, description: "Whether its conditions hold." },
  runs: { ...count, description: "Runs since the last reset." },
  delayed: { ...count, description: "Runs that came too soon and were put off." },
  failed: { ...count, description: "Actions that failed." },
  last: {
    type: "integer",
    minimum: 0,
    unit: "ms",
    nullable: true,
    readOnly: true,
    timeDependent: true,
    description: "Time since the last run; null before the first.",
    ...hidden,
  },
};

const updateShape = partialShape(shape);

/**
 * PUT enables or disables the rule. POST with `{}` runs `then` once, also if the rule is disabled. DELETE enables it
 * and resets its counters.
 */
export class RuleNoun implements Noun, RunsContext<Action>, TransitionsContext {
  readonly shape = shape;
  readonly updateShape = updateShape;
  readonly name: string;
  readonly options: RuleOptions;
  readonly clock: Clock;
  isEnabled: boolean;
  /** Whether it acts: it is enabled, and the nouns are there. */
  isActive = false;
  private readonly rules: Rules;
  private readonly kept: KeptText | undefined;
  private readonly listeners = new ChangeListeners();
  private readonly runs: Runs<Action>;
  private readonly transitions: Transitions;
  private readonly schedule: Schedule | undefined;
  private written: string | undefined;

  /** @param kept keeps whether it is enabled, "true" or "false", for the next process. */
  constructor(rules: Rules, name: string, options: RuleOptions, kept?: KeptText) {
    this.rules = rules;
    this.name = name;
    this.options = options;
    this.kept = kept;
    this.clock = rules.context.clock;
    this.isEnabled = kept?.text !== "false";
    this.runs = new Runs(this);
    this.transitions = new Transitions(this, options);
    const { at, days } = options;
    if (at !== undefined) {
      const run = () => {
        if (this.transitions.areMet) this.runs.request("then");
      };
      this.schedule = new Schedule({ clock: this.clock, wall: rules.context.wall, run }, { at, days });
    }
  }

  /** The rule in words, unless its configuration has others. */
  get description(): string {
    return this.written ?? this.rules.sentenceOf(this.options);
  }

  set description(text: string) {
    this.written = text;
  }

  getState(): State {
    const { runs, isEnabled: enabled, clock } = this;
    const last = runs.last === undefined ? null : Math.max(0, Math.floor(clock.now() - runs.last));
    return { enabled, holds: this.transitions.holds, ...runs.counts, last };
  }

  setState({ enabled }: State): State {
    this.enable(enabled === true);
    return this.getState();
  }

  updateState(change: State): State {
    if (Object.hasOwn(change, "enabled")) return this.setState(change);
    // In a turn of its own, because this is a call of a noun.
    this.runs.request("then", true);
    return this.getState();
  }

  deleteState(): State {
    this.runs.reset();
    this.enable(true);
    this.listeners.tell();
    return this.getState();
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  close(): void {
    this.stop();
    this.kept?.flush();
  }

  /** Begins from nothing: what its nouns are now is the start. */
  start(): void {
    this.isActive = true;
    this.transitions.start();
    this.schedule?.start();
  }

  /** Takes a noun's state; undefined if the noun failed. */
  take(noun: string, state: State | undefined): void {
    this.transitions.take(noun, state);
  }

  /** The conditions have begun or ended to hold. At a time of day, only the schedule runs anything. */
  run(branch: Branch): void {
    if (this.schedule === undefined) this.runs.request(branch);
  }

  actionsOf(branch: Branch): readonly Action[] {
    return this.options[branch] ?? [];
  }

  perform(action: Action, done: (isDone: boolean) => void): void {
    this.rules.perform(this.name, action, done);
  }

  onCount(): void {
    this.listeners.tell();
  }

  onHolds(): void {
    this.listeners.tell();
  }

  onBusy(): void {
    this.rules.context.report(this.name, "runs ten times a second: does another rule undo what it does?");
  }

  private enable(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.kept?.keep(String(isEnabled));
    if (!isEnabled) this.stop();
    this.rules.follow(this);
    this.listeners.tell();
  }

  private stop(): void {
    this.isActive = false;
    this.transitions.stop();
    this.schedule?.stop();
    this.runs.stop();
  }
}
