/**
 * Which nouns the guard of a noun names, and which guards name it: the edges between the members of all guards.
 */
import { conditionsOf, isChange, type KeyCondition, nounsOf, type When } from "../../core/noun/condition.ts";
import type { Scalar } from "../../core/noun/state.ts";

/** What most members have none of is one object of all. */
const none: readonly never[] = [];

/** Takes a state. What cannot be read begins again: what held before proves nothing. */
function begin(condition: KeyCondition, noun: string, state: { readonly [key: string]: Scalar } | undefined): void {
  condition.takeFrom(noun, state);
  if (!condition.isReadable) condition.holds = false;
}

/**
 * A thousand nouns may have guards. So a field that most of them never set is on the prototype until it is set.
 */
export abstract class GuardLinks<Member extends GuardLinks<Member>> {
  readonly name: string;
  /** The conditions of its own guard, each as often as it names nouns; none for a noun without. */
  declare conditions: readonly KeyCondition[];
  /** The nouns that they name, in the same order. */
  declare protected sources: readonly Member[];
  /** Those nouns, each once, if there are fewer of them. */
  declare private once: readonly Member[] | undefined;
  /** Those of the last guard, while no noun has the name. */
  declare private former: readonly Member[] | undefined;
  /** The list of itself alone, which is `sources` of most nouns whose guards name it. */
  declare private self: readonly Member[] | undefined;
  /** The nouns whose guards name this one. */
  declare protected dependents: readonly Member[];

  static {
    const { prototype } = GuardLinks;
    prototype.conditions = prototype.sources = prototype.dependents = none;
    prototype.once = prototype.former = prototype.self = undefined;
  }

  constructor(name: string) {
    this.name = name;
  }

  /**
   * Takes the place of the guard before.
   * @param when nothing for no guard. @param isRegistered whether a noun has the name now.
   * @param of gives the member of a noun. @throws TypeError for a condition that holds for no time.
   */
  protected link(when: When, isRegistered: boolean, of: (noun: string) => Member): void {
    const names = Object.keys(when);
    const isLower = names.every((name) => name === name.toLowerCase());
    const lower = isLower
      ? when
      : Object.fromEntries(names.map((name) => [name.toLowerCase(), when[name] as When[string]]));
    const conditions = conditionsOf(lower);
    if (conditions.some(({ condition }) => isChange(condition))) {
      throw new TypeError(`The guard of ${this.name} has "changes", which hold for no time.`);
    }
    for (const one of this.named)
      one.dependents = one.dependents.filter((dependent) => dependent !== (this as unknown));
    if (isRegistered) {
      if (this.former !== undefined) this.former = undefined;
    } else if (this.named.length > 0) this.former = this.named;
    const listed: KeyCondition[] = [];
    const sources: Member[] = [];
    for (const one of conditions) {
      for (const noun of one.terms.length === 0 ? [one.noun] : nounsOf([one])) {
        listed.push(one);
        sources.push(of(noun));
      }
    }
    const [first] = sources;
    if (sources.length > 0) this.conditions = listed;
    else if (this.conditions !== none) this.conditions = none;
    if (sources.length > 0) this.sources = sources.length === 1 && first !== undefined ? first.alone : sources;
    else if (this.sources !== none) this.sources = none;
    const once = sources.length > 1 ? Array.from(new Set(sources)) : sources;
    const list = once.length === sources.length ? undefined : once;
    if (list !== this.once) this.once = list;
    for (const one of this.named) {
      // One array grows, because a thousand guards may name one noun.
      if (one.dependents.length === 0) one.dependents = [];
      (one.dependents as Member[]).push(this as GuardLinks<Member> as Member);
    }
  }

  /** The nouns that its guard names, each once. */
  get named(): readonly Member[] {
    return this.once ?? this.sources;
  }

  /**
   * The nouns that its guard names. While no noun has the name, those of the last guard: followers who have not heard
   * that it is gone must not hear of these before.
   */
  get joined(): readonly Member[] {
    return this.former ?? this.named;
  }

  /** The list of itself alone. */
  private get alone(): readonly Member[] {
    this.self ??= [this as GuardLinks<Member> as Member];
    return this.self;
  }

  /** Gives the conditions that name this noun its state; undefined if it cannot be read. */
  protected tellConditions(state: { readonly [key: string]: Scalar } | undefined): void {
    const { dependents } = this;
    for (let index = 0; index < dependents.length; index++) {
      const { conditions, sources } = dependents[index] as Member;
      for (let at = 0; at < conditions.length; at++) {
        if (sources[at] === (this as unknown)) begin(conditions[at] as KeyCondition, this.name, state);
      }
    }
  }
}
