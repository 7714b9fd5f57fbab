/**
 * A noun that has a guard, or that the guards of other nouns name. It knows the noun's state as far as guards name it,
 * judges each change, and sends those nouns to their defaults first that a change would leave without their conditions.
 */
import { comeToRest, driving, type Owner } from "../../core/feeds/driven-noun.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { HttpError } from "../../core/http/http-error.ts";
import { type KeyCondition, nounsOf, type When } from "../../core/noun/condition.ts";
import { type Awaitable, after, type Noun } from "../../core/noun/noun.ts";
import { type Changing, declaredDefault, foresee, leadsToDefault, traitsOf } from "../../core/noun/noun-traits.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { type Answer, RefusalAnswer } from "../../core/operations/answer.ts";
import { knownStateOf } from "../../core/operations/known-state.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { GuardBond } from "./bond.ts";
import { keyBesides } from "./default-state.ts";
import { atEnd, type Departure } from "./departure.ts";
import { GuardLinks } from "./guard-links.ts";
import { guardMethods, type Method, type MethodGuard, releaseMethods } from "./guarded-methods.ts";
import type { Guards } from "./guards.ts";
import { askNoun, failureOf, Question } from "./question.ts";
import { sentenceOf } from "./sentence.ts";

/** ms between the beginnings of two returns to the default, if the first fails. */
const retryTime = 1_000;

/** A change that has begun and whose result is not known. */
interface Change {
  /** What the noun is to become; undefined if only its code knows. */
  readonly state: State | undefined;
  /** Whether a key that the state does not have is gone afterwards, unless the noun itself sets it. */
  readonly isWhole: boolean;
  /** Whether the noun's method was called. Before that, it waits for the nouns that go to their defaults first. */
  hasBegun: boolean;
}

const noChanges: readonly Change[] = [];

/** @returns whether a PUT or a POST has keys, and all of them are those of another state. */
function isOf(state: State, other: State | undefined): boolean {
  const keys = Object.keys(state);
  return other !== undefined && keys.length > 0 && keys.every((key) => state[key] === other[key]);
}

/**
 * A thousand nouns may have guards. So a field that most of them never set is on the prototype until it is set.
 */
export class GuardMember extends GuardLinks<GuardMember> implements Follower, MethodGuard {
  private readonly guards: Guards;
  /** Joins the feeds of the nouns that guards connect with this one. */
  declare bond: GuardBond | undefined;
  declare private registered: RegisteredNoun | undefined;
  declare private feed: Feed | undefined;
  /** Whether the noun has been read since it was registered, or is being read. */
  declare private isKnown: boolean;
  declare private changes: readonly Change[];
  /** Counts the changes that may have led away from the default. */
  declare private departures: number;
  declare private isAtDefault: boolean;
  declare wasAtDefault: boolean;
  /** How many changes take time, other than DELETEs. */
  declare private flights: number;
  /** How many DELETEs are under way. */
  declare private resets: number;
  /** What a DELETE has answered; undefined before the first. */
  declare private defaultState: State | undefined;
  declare private isReturning: boolean;
  /** Why it stays at its default, whatever its guard says; undefined while only the guard decides. */
  declare private departure: Departure | undefined;
  /** Whether it is not at its default although it is to stay there. */
  declare isAway: boolean;
  /** Resolves when `goHome` has ended; undefined before it began. */
  declare private home: Promise<void> | undefined;
  /** The state of the last PUT or POST. */
  declare private asked: State | undefined;
  /** The noun that sets it; undefined if anybody may. */
  declare private owner: Owner | undefined;
  /** Whether it was told that nobody can know whether a DELETE has had an effect. */
  declare private isDoubted: boolean;
  /** Made for the first return that fails. */
  declare private alarm: Alarm | undefined;
  /** Since when its conditions hold, in ms by the clock, if it has to wait for that; undefined while they do not. */
  declare settledSince: number | undefined;

  static {
    const { prototype } = GuardMember;
    prototype.changes = noChanges;
    prototype.registered = prototype.feed = prototype.bond = undefined;
    prototype.defaultState = prototype.departure = prototype.home = prototype.asked = undefined;
    prototype.owner = prototype.alarm = prototype.settledSince = undefined;
    prototype.isKnown = prototype.isAtDefault = prototype.wasAtDefault = prototype.isReturning = false;
    prototype.isAway = prototype.isDoubted = false;
    prototype.departures = prototype.flights = prototype.resets = 0;
  }

  constructor(name: string, guards: Guards) {
    super(name);
    this.guards = guards;
    if (guards.isEnding) this.departure = atEnd;
  }

  /** Another noun has the name, or none. @throws TypeError when its methods cannot be guarded. */
  become(registered: RegisteredNoun | undefined): void {
    if (this.registered !== registered) this.retire();
    this.release();
    if (this.registered !== undefined) this.forgetNoun();
    if (this.isKnown) this.isKnown = false;
    this.registered = registered;
    this.tellConditions(undefined);
    if (registered === undefined) {
      this.look();
      this.haveDependentsLook();
      return;
    }
    registered.keptBy = this;
    const { face, original } = registered;
    guardMethods(face, this);
    if (original !== face) guardMethods(original, this);
  }

  /** Forgets what it knows of the noun that had the name. */
  private forgetNoun(): void {
    this.isReturning = false;
    this.resets = 0;
    this.flights = 0;
    this.isAtDefault = false;
    this.defaultState = undefined;
    this.asked = undefined;
    this.isDoubted = false;
    this.changes = noChanges;
  }

  /** Gives the noun its own methods back. */
  private release(): void {
    const { registered } = this;
    if (registered === undefined) return;
    releaseMethods(registered.face, this);
    releaseMethods(registered.original, this);
  }

  /**
   * The noun is removed or replaced. What waits for it is judged by its guard all the same. Where guards name the noun,
   * its waiting changes are refused: they know nothing of the nouns that were switched on since.
   */
  private retire(): void {
    const { registered, conditions, name } = this;
    if (registered === undefined || (conditions.length === 0 && this.dependents.length === 0)) return;
    const to = this.defaultState ?? this.foresee("DELETE", emptyState);
    const own = traitsOf(registered.face);
    const isNamed = this.dependents.length > 0;
    registered.judgeWaiting = (verb, state) => {
      if (isNamed) {
        return HttpError.keeping(409, `${name} stays as it is: it was removed or replaced while this change waited.`);
      }
      if (verb === "DELETE" || (own[leadsToDefault]?.(state) ?? isOf(state, to))) return undefined;
      const broken = this.guards.brokenNow(conditions);
      return broken && this.conflict(broken);
    };
  }

  ownedBy(owner: Owner | undefined): void {
    this.owner = owner;
  }

  /** Begins to judge by a guard. @param when nothing for no guard. @throws TypeError as `link`. */
  guardBy(when: When): void {
    this.link(when, this.registered !== undefined, (noun) => this.guards.of(noun));
    for (const one of this.named) if (one.isKnown) one.isKnown = false; // to these conditions
  }

  /** Begins to follow the noun if guards name it, and looks at its own guard. */
  start(): void {
    if (this.dependents.length > 0 && this.feed === undefined) {
      this.feed = this.guards.context.feeds.of(this.name);
      this.feed.follow(this);
    }
    this.look();
  }

  end(): void {
    this.alarm?.stop();
    this.feed?.unfollow(this);
    if (this.feed !== undefined) this.feed = undefined;
    this.release();
  }

  /** Why the noun must be at its default now, as a sentence; undefined if it need not. */
  get refusal(): string | undefined {
    const broken = this.firstBroken(false);
    return broken && this.refusalFor(broken);
  }

  /** The noun whose guard needs this one to stay as it is while the program ends. */
  get neededBy(): string | undefined {
    return this.dependents.find((member) => member.isAway)?.name;
  }

  /**
   * Goes to its default if it has a guard, and does not leave it any more. What fails is tried again.
   * @param isOver whether there is no more time to try. @returns a promise that resolves when it is there.
   */
  goHome(departure: Departure, isOver: () => boolean): Promise<void> {
    this.home = this.goToDefault(departure, isOver);
    return this.home;
  }

  private async goToDefault(departure: Departure, isOver: () => boolean): Promise<void> {
    const { clock, exempt, report } = this.guards.context;
    this.departure = departure;
    const { registered } = this;
    if (this.conditions.length === 0 || registered === undefined) return;
    // There is no time for a long way: such a noun stops.
    const { original: own } = registered;
    const rest = driving(own)[comeToRest];
    if (rest !== undefined) {
      this.isAway = true;
      // What needs it to move goes first.
      await Promise.all(this.dependents.map((member) => member.home));
      await exempt(() => rest.call(own, departure === atEnd));
      this.isAway = false;
      return;
    }
    this.isAway = !this.isAtDefault;
    let isTold = false;
    while (this.isAway && !isOver()) {
      const answer = await new Promise<Answer>((resolve) => this.ask("DELETE", resolve));
      const isGone = answer.status === 200;
      this.isAway = !isGone || this.flights > 0;
      if (!isGone && !isTold) report(this.name, `did not go to its default ${departure.when}: ${failureOf(answer)}`);
      isTold ||= !isGone;
      if (this.isAway)
        await new Promise<void>((resolve) => new Alarm(clock, () => resolve()).set(clock.now() + retryTime));
    }
  }

  /** Only its guard decides again: the program goes on. */
  stay(): void {
    this.departure = undefined;
    this.isAway = false;
    this.look();
  }

  get isChanging(): boolean {
    return this.changes.length > 0;
  }

  /** Whether the noun has told of a change, and what it is now takes time to read. */
  get isOutdated(): boolean {
    return this.feed?.isOutdated === true;
  }

  note(json: string | undefined): void {
    const isAtDefault = this.isAtDefault || json === undefined || this.isDefault(JSON.parse(json) as State);
    if (isAtDefault !== this.wasAtDefault) this.wasAtDefault = isAtDefault;
  }

  onReading(answer: Answer | undefined): void {
    this.isKnown = true;
    this.take(knownStateOf(answer));
  }

  onOutdated(): void {
    if (this.isWaiting) this.haveDependentsLook();
  }

  onState(): void {
    // It knows that already.
  }

  /**
   * @param isJudging whether a condition on a noun that nobody can read now counts as broken, too.
   * @returns the first condition that does not hold, or may soon not hold; undefined if all do.
   */
  private firstBroken(isJudging: boolean): KeyCondition | undefined {
    const { conditions, sources } = this;
    for (let index = 0; index < conditions.length; index++) {
      const one = conditions[index] as KeyCondition;
      const named = sources[index] as GuardMember;
      if (!named.isKnown) named.read();
      if (!one.isReadable || !one.holds) return one;
      if (named.isOutdated && (isJudging || named.isWaiting)) return one;
      if (named.changes.length > 0 && ((isJudging && named.isUncertain) || named.breaks(one))) return one;
    }
    return undefined;
  }

  /** Whether a change waits for other nouns, and with it each reading. That may take as long as they take. */
  private get isWaiting(): boolean {
    return this.changes.some(({ hasBegun }) => !hasBegun);
  }

  /** @returns whether a change of this noun that has begun may end a condition on it. */
  private breaks(condition: KeyCondition): boolean {
    return this.changes.some((change) => !this.survives(condition, change));
  }

  /** @returns whether a condition on this noun holds now, and will hold after a change. */
  private survives(condition: KeyCondition, { state, isWhole }: Change): boolean {
    if (state === undefined) return false;
    const { key, terms } = condition;
    const stays = (key: string) => !isWhole || this.registered?.face.shape?.[key]?.readOnly === true;
    if (terms.length > 0) return condition.wouldHoldWith(this.name, state, stays);
    if (Object.hasOwn(state, key)) return condition.wouldHold(state[key]);
    return stays(key) && condition.isReadable && condition.holds;
  }

  /** Reads the noun, in its turn: now if it is idle and answers at once. @param failed a change that ends with that. */
  private read(failed?: Change): void {
    this.isKnown = true;
    this.ask("GET", (answer) => {
      if (failed !== undefined) this.drop(failed);
      this.take(knownStateOf(answer));
    });
  }

  /** @param done is not called if another noun has the name by then, or none. @param by as for `RegisteredNoun.ask`. */
  private ask(verb: "GET" | "DELETE", done: (answer: Answer) => void, by?: string): void {
    const { registered } = this;
    if (registered === undefined) return;
    this.guards.context.exempt(askNoun, registered, new Question(this, registered, done), verb, by);
  }

  /** Whether another noun has the name by now, or none. */
  isWithout(registered: RegisteredNoun): boolean {
    return registered !== this.registered;
  }

  /**
   * One change of the noun, by whoever calls its method.
   * @throws HttpError 409 when its guard, or a guard that names it, does not allow it.
   */
  change(verb: Changing, state: State, noun: Noun, method: Method): Awaitable<State> {
    // What a method calls of the same noun is part of its change.
    if (this.guards.calling.includes(this)) return method.call(noun, state);
    if (this.resets > 0 && this.isPartOfReset(verb, state)) {
      if (this.defaultState !== undefined) return method.call(noun, state);
      // This may be another change: then the noun is reset once more, when that has ended.
      this.departures += 1;
      const result = method.call(noun, state);
      return result instanceof Promise ? this.count("flights", result) : result;
    }
    this.judgeByOwner(verb, state);
    if (verb !== "DELETE") this.judge(state);
    if (this.dependents.length === 0) return this.perform(verb, state, noun, method);
    const isWhole = verb === "PUT";
    const change: Change = { state: isWhole ? state : this.foresee(verb, state), isWhole, hasBegun: false };
    this.changes = this.changes.length === 0 ? [change] : [...this.changes, change];
    if (this.leavesAll(change)) return this.carryOut(change, verb, state, noun, method);
    const { registered } = this;
    return after(this.clear(change), (failure) => {
      if (!this.isCurrent(change)) {
        const refusal = failure ?? registered?.judgeWaiting?.(verb, state);
        if (refusal !== undefined) throw refusal;
        return method.call(noun, state);
      }
      try {
        if (failure !== undefined) throw failure;
        // Its own guard may have ended while others went to their defaults.
        if (verb !== "DELETE") this.judge(state);
      } catch (error) {
        this.forget(change);
        throw error;
      }
      return this.carryOut(change, verb, state, noun, method);
    });
  }

  /** @throws HttpError 409 for a change by which the noun may become active, unless the noun that sets it makes it. */
  private judgeByOwner(verb: Changing, state: State): void {
    const { owner, name } = this;
    if (owner?.allows(verb, state, this.foresee(verb, state)) !== false) return;
    throw HttpError.conflict(`${name} moves ${owner.name}: change that.`, {
      nouns: [owner.name],
      brief: `${name} is set by another noun.`,
    });
  }

  /** Makes a change that is allowed. @returns its result, once the guards know it. */
  private carryOut(change: Change, verb: Changing, state: State, noun: Noun, method: Method): Awaitable<State> {
    change.hasBegun = true;
    try {
      const result = this.perform(verb, state, noun, method);
      if (!(result instanceof Promise)) {
        this.settle(change, result);
        return result;
      }
      return result.then(
        (state) => {
          if (this.isCurrent(change)) this.settle(change, state);
          return state;
        },
        (error: unknown) => {
          if (this.isCurrent(change)) this.unsettle(change);
          throw error;
        },
      );
    } catch (error) {
      this.unsettle(change);
      throw error;
    }
  }

  /** @returns whether a change that has not ended is one of the noun that has the name now. */
  private isCurrent(change: Change): boolean {
    return this.changes.includes(change);
  }

  /** @throws HttpError 409 for a change to another state than the default while the conditions do not hold. */
  private judge(state: State): void {
    const { departure } = this;
    if (departure !== undefined && this.conditions.length > 0 && !this.isDefault(state)) {
      throw HttpError.keeping(409, `${this.name} stays at its default: ${departure.why}.`);
    }
    const broken = this.firstBroken(true);
    const settle = this.registered?.face.settle;
    // Most guards wait for nothing, and hold.
    if (broken === undefined && settle === undefined) return;
    if (this.isDefault(state)) return;
    if (broken !== undefined) throw this.conflict(broken);
    const now = this.guards.context.clock.now();
    this.settledSince ??= now;
    const left = Math.ceil((this.settledSince + (settle ?? 0) - now) / 1_000);
    if (left <= 0) return;
    const sentence = `${this.name} is guarded: its conditions must hold for another ${left} s.`;
    throw HttpError.keeping(409, sentence, `Retry-After: ${left}\r\n`);
  }

  /** Whether the noun may have changed by itself while a change of it takes time: nobody can read it then. */
  private get isUncertain(): boolean {
    const { feed } = this;
    return feed !== undefined && (feed.isReading || feed.isStale);
  }

  private conflict(broken: KeyCondition): HttpError {
    const nouns = Array.from(nounsOf([broken]));
    return HttpError.conflict(this.refusalFor(broken), { nouns, brief: `${this.name} is guarded.` });
  }

  private refusalFor(broken: KeyCondition): string {
    return sentenceOf(this.name, broken, (noun) => this.guards.of(noun));
  }

  /** @returns whether the keys of a PUT or a POST are those of the default. */
  private isDefault(state: State): boolean {
    const { face: noun } = this.registered ?? {};
    const leads = noun && traitsOf(noun)[leadsToDefault]?.(state);
    return leads ?? isOf(state, this.defaultState ?? this.foresee("DELETE", emptyState));
  }

  /** @returns whether a change may be one that a DELETE under way makes: a noun may go to its default by its own PUT. */
  private isPartOfReset(verb: Changing, state: State): boolean {
    return verb !== "DELETE" && (this.defaultState === undefined || this.isDefault(state));
  }

  private foresee(verb: Changing, state: State): State | undefined {
    if (verb === "PUT") return state;
    const { face: noun } = this.registered ?? {};
    return noun && traitsOf(noun)[foresee]?.(verb, state);
  }

  /** @returns whether all nouns may stay as they are after a change. */
  private leavesAll(change: Change): boolean {
    const { dependents } = this;
    for (let index = 0; index < dependents.length; index++) {
      if (!this.leaves(dependents[index] as GuardMember, change)) return false;
    }
    return true;
  }

  /** @returns whether a noun whose guard names this one may stay as it is after a change. */
  private leaves({ isAtDefault, conditions, sources }: GuardMember, change: Change): boolean {
    if (isAtDefault) return true;
    for (let index = 0; index < conditions.length; index++) {
      if (sources[index] === this && !this.survives(conditions[index] as KeyCondition, change)) return false;
    }
    return true;
  }

  /**
   * Sends the nouns to their defaults that could not stay after a change.
   * @returns the refusal of the change, if one of them does not go.
   */
  private clear(change: Change): Awaitable<HttpError | undefined> {
    const waits: Promise<HttpError | undefined>[] = [];
    let failure: HttpError | undefined;
    const asked = this.dependents.map((member) => member.registered);
    for (const member of this.dependents) {
      if (this.leaves(member, change)) continue;
      const gone = member.leave(this.name);
      if (gone instanceof Promise) waits.push(gone);
      else failure ??= gone;
    }
    if (waits.length === 0) return failure;
    return Promise.all(waits).then((failures) => {
      const refusal = failure ?? failures.find((one) => one !== undefined);
      // A noun that was registered meanwhile has not been asked.
      const isAsked = this.dependents.every((member) => asked.includes(member.registered));
      return refusal === undefined && !isAsked && this.isCurrent(change) ? this.clear(change) : refusal;
    });
  }

  /**
   * Goes to its default, in its turn. If another change has ended meanwhile, it goes there once more.
   * @param name of the noun that waits. @returns its refusal, when this fails.
   */
  private leave(name: string, isAgain = false): Awaitable<HttpError | undefined> {
    const { registered } = this;
    const refusal = (answer: Answer): Awaitable<HttpError | undefined> => {
      const isGone = answer.status === 200;
      if (isGone && this.flights === 0) {
        if (this.isAtDefault || this.conditions.length === 0 || registered !== this.registered) return undefined;
        if (!isAgain) return this.leave(name, true);
      }
      const detail = `${name} stays as it is: ${this.name} must go to its default first, and did not`;
      const { nouns = [] } = (answer instanceof RefusalAnswer && answer.about) || {};
      return HttpError.conflict(`${detail}: ${isGone ? "It is still changing." : failureOf(answer)}`, {
        nouns: [this.name, ...nouns],
        brief: `${name} stays as it is: another noun must go to its default first, and did not.`,
      });
    };
    if (registered === undefined) return undefined;
    let answered: Answer | undefined;
    let done = (answer: Answer): void => {
      answered = answer;
    };
    this.guards.context.exempt(() => registered.ask("DELETE", emptyState, (answer) => done(answer), `guard ${name}`));
    if (answered !== undefined) return refusal(answered);
    return new Promise((resolve) => {
      done = (answer) => resolve(refusal(answer));
    });
  }

  private perform(verb: Changing, state: State, noun: Noun, method: Method): Awaitable<State> {
    if (verb !== "DELETE") {
      this.departures += 1;
      this.isAtDefault = false;
      this.asked = state;
    }
    const { calling } = this.guards;
    calling.push(this);
    let result: Awaitable<State>;
    try {
      result = method.call(noun, state);
    } finally {
      calling.pop();
    }
    const isPromised = typeof (result as { then?: unknown }).then === "function";
    if (isPromised && !(result instanceof Promise)) result = Promise.resolve(result);
    if (this.conditions.length === 0) return result;
    if (verb === "DELETE") return this.reset(result);
    return isPromised ? this.count("flights", result as Promise<State>) : result;
  }

  /** @param result of a DELETE. @returns it, once it is known as the default. */
  private reset(result: Awaitable<State>): Awaitable<State> {
    const { departures, registered } = this;
    const reset = (state: State) => {
      if (registered !== this.registered) return state;
      this.verifyDefault(state);
      this.defaultState = Object.isFrozen(state) ? state : { ...state };
      if (departures === this.departures && this.flights === 0) this.isAtDefault = true;
      return state;
    };
    return result instanceof Promise ? this.count("resets", result.then(reset)) : reset(result);
  }

  /**
   * Looks whether a DELETE has had an effect, which only an author's code or another device knows.
   * @param state what the DELETE has answered. @throws HttpError 500 for another state than the default.
   */
  private verifyDefault(state: State): void {
    const { registered, name, asked, defaultState } = this;
    const declared = registered && (traitsOf(registered.face)[declaredDefault] ?? this.foresee("DELETE", emptyState));
    const wanted = declared ?? defaultState;
    const shape = registered?.face.shape;
    const wrong = wanted && keyBesides(wanted, { state, shape, asked, isDeclared: declared !== undefined });
    if (wrong !== undefined) {
      const sentence = `DELETE left ${name} at ${JSON.stringify({ [wrong]: state[wrong] })}, which is not its default`;
      throw HttpError.keeping(500, `${sentence}.`);
    }
    if (wanted !== undefined || this.isDoubted || !isOf(asked ?? emptyState, state)) return;
    this.isDoubted = true;
    const left = `its DELETE left it at ${JSON.stringify(asked)}, as it was set`;
    this.guards.context.report(name, `${left}: nobody knows whether that is its default`);
  }

  /** Counts a change that takes time. An author's code may begin one beside the noun's turns. */
  private count(underway: "flights" | "resets", result: Promise<State>): Promise<State> {
    const { registered } = this;
    this[underway] += 1;
    return result.finally(() => {
      if (registered !== this.registered) return;
      this[underway] -= 1;
      if (underway === "flights") this.look();
    });
  }

  /** The noun has become what it says. */
  private settle(change: Change, state: State): void {
    this.isKnown = true;
    this.feed?.settled();
    this.drop(change);
    this.take(state);
  }

  /** The noun has failed: only its next reading tells what it is. */
  private unsettle(change: Change): void {
    try {
      this.read(change);
    } catch {
      this.drop(change); // there is no memory to ask
      this.take(undefined);
    }
  }

  private drop(change: Change): void {
    const { changes } = this;
    const isOnly = changes.length === 1 && changes[0] === change;
    this.changes = isOnly ? noChanges : changes.filter((one) => one !== change);
  }

  /** The noun has not changed. */
  private forget(change: Change): void {
    this.drop(change);
    this.haveDependentsLook();
  }

  /** @param state undefined for a noun that cannot be read. */
  private take(state: { readonly [key: string]: Scalar } | undefined): void {
    this.tellConditions(state);
    this.haveDependentsLook();
  }

  private haveDependentsLook(): void {
    const { dependents } = this;
    for (let index = 0; index < dependents.length; index++) dependents[index]?.look();
  }

  /** Sends the noun to its default, if it must be there and may not be. */
  private look(): void {
    const { guards, registered } = this;
    const settles = registered?.face.settle !== undefined;
    if (!guards.isStarted || registered === undefined || (this.isAtDefault && !settles)) return;
    // To look for a broken condition may read a noun, and that reading looks here, too.
    const broken = this.firstBroken(false);
    if (broken === undefined) {
      if (settles) this.settledSince ??= guards.context.clock.now();
    } else if (this.settledSince !== undefined) this.settledSince = undefined;
    if (broken === undefined || this.isReturning || this.isAtDefault) return;
    this.isReturning = true;
    const began = guards.context.clock.now();
    this.ask("DELETE", (answer) => this.returned(answer, began), `guard ${broken.noun}`);
    if (this.departures > 0) return;
    // At the start, all guarded nouns go to their defaults, and few of them ever again. An author's code may have begun
    // more, whose failure its route names.
    const { face, original, queue } = registered;
    const isOwn = face === original && traitsOf(face)[foresee] !== undefined;
    if (isOwn && queue.running === undefined) registered.freeRoute("DELETE");
  }

  /** @param began when the return to its default began, in ms by the clock. */
  private returned(answer: Answer, began: number): void {
    this.isReturning = false;
    if (answer.status === 200) {
      if (this.flights === 0) this.look();
      return;
    }
    const { clock, report } = this.guards.context;
    report(this.name, `did not go to its default when its guard ended: ${failureOf(answer)}`);
    this.alarm ??= new Alarm(clock, () => this.look());
    this.alarm.set(Math.max(clock.now(), began + retryTime));
  }
}
