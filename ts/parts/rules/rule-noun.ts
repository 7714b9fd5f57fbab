/**
 * A rule as a noun: clients read what it does, switch it on and off, and try it.
 *
 *     server.register("frost", new RuleNoun(rules, "frost", { when, then, else: otherwise, every: 10_000 }));
 *     // {"enabled":true,"holds":false,"runs":12,"delayed":0,"failed":0,"last":840}
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { conditionsOf, isChange, nounsOf, type When } from "../../core/noun/condition.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { mentioned } from "../../core/noun/noun-traits.ts";
import { Term } from "../../core/noun/reference.ts";
import { type Key, partialShape, type Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { ClockOrSun } from "./at.ts";
import { Attempt } from "./attempt.ts";
import { type Action, type RuleOptions, referencesIn } from "./rule.ts";
import type { Rules } from "./rules.ts";
import { type Branch, noRuns, type Run, Runs, type RunsContext } from "./runs.ts";
import { Schedule } from "./schedule.ts";
import { Transitions } from "./transitions.ts";

const count = { type: "integer", minimum: 0, readOnly: true, counts: "total", diagnostic: true } as const;

const shape: Shape = {
  // Neither is a part of an area in Home Assistant: switching that off ends no rule.
  enabled: {
    type: "boolean",
    description: "Whether the rule acts.",
    homeAssistant: { entity_category: "config" },
  },
  holds: {
    type: "boolean",
    readOnly: true,
    description: "Whether its conditions hold.",
    homeAssistant: { entity_category: "diagnostic" },
  },
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
  },
};

const { enabled, holds: _, ...ofRuns } = shape;

/** That of a rule that runs only when somebody asks. */
const sceneShape: Shape = { enabled: { ...(enabled as Key), homeAssistant: { platform: "scene" } }, ...ofRuns };

const [updateShape, sceneUpdateShape] = [shape, sceneShape].map(partialShape) as [Shape, Shape];

const isTerm = (one: unknown): one is Term => one instanceof Term;

/**
 * PUT enables or disables the rule. POST with `{}` runs `then` once, also if the rule is disabled. DELETE enables it
 * and resets its counters.
 */
export class RuleNoun extends Transitions implements Noun, Follower, RunsContext<Action> {
  readonly name: string;
  readonly options: Omit<RuleOptions, "when">;
  declare readonly isPrompt: true;
  isEnabled: boolean;
  readonly rules: Rules;
  private readonly kept: KeptText | undefined;
  /** Made when they are first needed, as most of a hundred rules wait. */
  private listeners: ChangeListeners | undefined;
  private runs: Runs<Action> | undefined;
  private readonly schedule: Schedule | undefined;
  /** Until an output that rests may be set. */
  declare private retry: Alarm | undefined;
  private written: string | undefined;
  /** The noun of whose state it is told now. */
  declare private teller: Feed | undefined;
  /** What the last process has left, until the rule starts. */
  private left: State | undefined;

  static {
    Object.assign(RuleNoun.prototype, { isPrompt: true });
  }

  /** @param kept keeps whether it is enabled, "true" or "false", for the next process. */
  constructor(rules: Rules, name: string, { when, ...options }: RuleOptions, kept?: KeptText) {
    const alternatives: readonly When[] =
      when === undefined ? [] : "length" in when ? (when as readonly When[]) : [when as When];
    const times = [options.for, options.every, ...(options.at ?? [])].map((time) => Term.of(time));
    super(alternatives.map(conditionsOf), times.filter(isTerm));
    this.rules = rules;
    this.name = name;
    this.options = options;
    this.kept = kept;
    const text = kept?.text ?? "true";
    this.isEnabled = text === "true";
    if (text !== "true" && text !== "false") {
      const remedy = "the rule is disabled until somebody enables it";
      rules.context.report(name, `its kept state is damaged, so nobody knows whether it was enabled: ${remedy}`);
    }
    if (options.at !== undefined) {
      const run = () => {
        if (this.areMet) this.request("then");
      };
      // A text that is no reference was refused.
      const at = times.slice(2) as (ClockOrSun | Term)[];
      this.schedule = new Schedule({ ...rules.context, run }, { at, days: options.days });
    }
  }

  get shape(): Shape {
    return this.isScene ? sceneShape : shape;
  }

  get updateShape(): Shape {
    return this.isScene ? sceneUpdateShape : updateShape;
  }

  /** Whether it runs only when somebody asks. */
  private get isScene(): boolean {
    const { every, at } = this.options;
    return (every ?? at) === undefined && this.alternatives.length === 0;
  }

  get clock(): Clock {
    return this.rules.context.clock;
  }

  get action(): string {
    return "Run now";
  }

  /** The rule in words, unless its configuration has others. */
  get description(): string {
    return this.written ?? this.rules.sentenceOf(this);
  }

  /** A description that its configuration has is for all readers of the rule. */
  get [mentioned](): readonly string[] {
    const { options, written, sources } = this;
    if (written !== undefined) return [];
    const actions = [...options.then, ...(options.else ?? [])];
    const references = actions.flatMap(({ body }) => referencesIn(body));
    return [...sources, ...[...actions, ...references].map(({ noun }) => noun)].map((noun) => noun.toLowerCase());
  }

  private get isOfChanges(): boolean {
    return this.conditions.some(({ condition }) => isChange(condition));
  }

  /** The nouns that it follows. */
  get sources(): ReadonlySet<string> {
    const ofConditions = nounsOf(this.conditions);
    if (this.terms.length === 0) return ofConditions;
    return new Set([...ofConditions, ...this.terms.map(({ reference }) => reference.noun)]);
  }

  set description(text: string) {
    this.written = text;
  }

  getState(): State {
    const { runs, isEnabled: enabled, holds, clock } = this;
    const last = runs?.last === undefined ? null : Math.max(0, Math.floor(clock.now() - runs.last));
    const counts = runs?.counts ?? noRuns;
    return this.isScene ? { enabled, ...counts, last } : { enabled, holds, ...counts, last };
  }

  setState({ enabled }: State): State {
    this.enable(enabled === true);
    return this.getState();
  }

  updateState(change: State): State {
    if (Object.hasOwn(change, "enabled")) return this.setState(change);
    // In a turn of its own, because this is a call of a noun.
    this.request("then", true);
    return this.getState();
  }

  deleteState(): State {
    this.runs?.reset();
    this.enable(true);
    this.listeners?.tell();
    return this.getState();
  }

  watch(changed: () => void): () => void {
    this.listeners ??= new ChangeListeners();
    return this.listeners.add(changed);
  }

  onState(feed: Feed): void {
    this.teller = feed;
    this.take(feed.name, feed.state);
    this.teller = undefined;
  }

  close(): void {
    this.stop();
    this.kept?.flush();
  }

  /** Begins from nothing: what its nouns are now is the start. Or it goes on where it was before a reload. */
  override start(): void {
    const { left } = this;
    this.left = undefined;
    super.start();
    if (left !== undefined) this.resumeTransitions(left);
    this.schedule?.start(left);
  }

  [leave](): State {
    const { text: rule, isEnabled, runs, schedule } = this;
    return { rule, isEnabled, ...this.leaveTransitions(), ...schedule?.leave(), ...runs?.leave() };
  }

  /** A rule that says something else than before begins from nothing. */
  [takeOver](left: State): void {
    if (left["rule"] !== this.text) return;
    this.isEnabled = left["isEnabled"] === true;
    if (this.isEnabled) this.left = left;
    if (left["runs"] === undefined) return;
    this.runs = new Runs(this);
    this.runs.resume(left);
  }

  private get text(): string {
    const { alternatives, options } = this;
    const lists = alternatives.map((list) => list.map(({ noun, key, condition }) => [noun, key, condition]));
    return JSON.stringify([lists, options]);
  }

  override stop(): void {
    super.stop();
    this.retry?.stop();
    this.schedule?.stop();
    this.runs?.stop();
  }

  protected override unitOf(noun: string, key: string): string | undefined {
    return this.rules.context.nouns.find(noun)?.face.shape?.[key]?.unit;
  }

  actionsOf(branch: Branch): readonly Action[] {
    return this.options[branch] ?? [];
  }

  perform(action: Action, run: Run): void {
    this.rules.perform(new Attempt(this, action, run));
  }

  /** An output rests: the rule runs again after that, if it still holds, or still does not. */
  tryAgain(ms: number, holds: boolean): void {
    if (!this.isActive || this.isOfChanges || this.alternatives.length === 0 || this.schedule !== undefined) return;
    this.retry?.stop();
    this.retry = new Alarm(this.clock, () => {
      if (this.holds === holds) this.request(holds ? "then" : "else");
    });
    this.retry.set(this.clock.now() + ms);
  }

  onCount(): void {
    this.listeners?.tell();
  }

  onChase(): void {
    const why = "runs again and again because of the answers to its own actions, so from now on once in ten seconds";
    this.rules.context.report(this.name, `${why}: does another rule, here or on another device, undo them?`);
  }

  /** The conditions have begun or ended to hold. At a time of day, only the schedule runs anything. */
  protected run(branch: Branch): void {
    if (this.schedule === undefined) this.request(branch);
  }

  protected onHolds(): void {
    this.listeners?.tell();
  }

  private request(branch: Branch, inCall = false): void {
    const { teller, rules } = this;
    if (this.runs === undefined) {
      if (this.actionsOf(branch).length === 0) return;
      this.runs = new Runs(this);
    }
    const isCause = teller !== undefined && rules.mayBeAnswer(teller);
    this.runs.request(branch, inCall, isCause ? `${teller.name} ${teller.json}` : undefined);
  }

  private enable(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.kept?.keep(String(isEnabled));
    if (!isEnabled) this.stop();
    this.rules.changed();
    this.listeners?.tell();
  }
}
