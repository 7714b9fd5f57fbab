/**
 * The guards of a device: a guarded noun is at its default while the conditions of its guard do not hold, whoever asks.
 *
 *     const guards = new Guards({ clock, nouns: server, feeds, exempt, report });
 *     guards.replaced("heater"); // registered, with the guard { pump: { on: 1 } }
 *     guards.start();
 *
 * The way of every change is a noun's own method: requests, commands, rules, leases and an author's code all call it.
 * So each noun that has a guard, or that a guard names, gets methods that ask its `GuardMember` first.
 */
import { comeToRest, drivenNouns, driving, type Owner } from "../../core/feeds/driven-noun.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { KeyCondition, nounsOf } from "../../core/noun/condition.ts";
import type { OnFailure } from "../../core/noun/failure.ts";
import { endSwitches, leftByDelete, traitsOf } from "../../core/noun/noun-traits.ts";
import { emptyState } from "../../core/noun/state.ts";
import { type Answer, stateOf } from "../../core/operations/answer.ts";
import type { Host } from "../../core/server/host.ts";
import type { Measure } from "../../core/server/measure.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Part } from "../../core/server/part.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Interruption } from "../../native/interruption.ts";
import type { Clock } from "../../native/loop.ts";
import { GuardBond, type Readings } from "./bond.ts";
import { atEnd, type Departure, forReload } from "./departure.ts";
import { followSwitches } from "./end-switches.ts";
import { GuardMember } from "./guard-member.ts";
import { guardOrder } from "./guard-order.ts";

/** The dependencies of guards. */
export interface GuardsContext {
  readonly clock: Clock;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
  /** Calls a function of the core, which is not interrupted, from where a noun's code may be running. */
  readonly exempt: Interruption["exempt"];
  /** Receives each failure of a guard. */
  readonly report: OnFailure;
}

const noNames: readonly string[] = [];

export class Guards implements Part {
  readonly context: GuardsContext;
  /** Each threshold holds until its other value, when the nouns get their states. */
  readonly resumesFirst = true;
  /** Whether the guards act by themselves. Before that, they only refuse. */
  isStarted = false;
  /** Whether the program ends: what is guarded goes to its default, and stays there. */
  isEnding = false;
  /** The nouns that have a guard, or that a guard names, by name. */
  private readonly members = new Map<string, GuardMember>();
  private readonly readings: Readings = new WeakMap();
  /** The nouns whose methods are on the stack. */
  readonly calling: GuardMember[] = [];
  /** Functions that follow the end switches and the outputs of a noun no more, by the noun's name. */
  private readonly switches = new Map<string, () => void>();

  constructor(context: GuardsContext) {
    this.context = context;
  }

  /**
   * A noun was registered or removed.
   * @throws TypeError for a noun whose methods cannot be guarded, whose guard would be in a circle, or that DELETE does
   *   not bring to a default.
   */
  replaced(name: string): void {
    const registered = this.context.nouns.find(name);
    this.follow(name);
    const when = registered?.face.guard;
    const known = this.members.get(name);
    const keys = (when && registered && traitsOf(registered.original)[leftByDelete]) ?? [];
    if (keys.length > 0) {
      const left = keys.map((key) => JSON.stringify(key)).join(", ");
      throw new TypeError(
        `The guard of ${name} cannot switch it off: DELETE leaves ${left} as it is; give it a "default".`,
      );
    }
    if (known === undefined && when === undefined) return;
    const member = this.of(name);
    // A new one is of this noun already.
    known?.become(registered);
    member.guardBy(when ?? {});
    const circle = this.circleOf(name);
    if (circle !== undefined) {
      member.guardBy({});
      throw new TypeError(`The guard of ${name} is in a circle: ${circle.join(" needs ")}.`);
    }
    if (!this.isStarted) return;
    this.bind();
    member.start();
    for (const named of member.named) named.start();
  }

  /** Joins the feeds of the nouns that guards connect. */
  private bind(): void {
    const { feeds } = this.context;
    for (const member of this.members.values()) member.bond = undefined;
    const bondOf = (member: GuardMember): GuardBond => {
      member.bond ??= new GuardBond(feeds, feeds.context.interval, member, this.readings);
      return member.bond;
    };
    for (const member of this.members.values()) {
      const { joined } = member;
      for (let index = 0; index < joined.length; index++) {
        const [one, other] = [bondOf(member), bondOf(joined[index] as GuardMember)];
        if (one === other) continue;
        // The smaller group joins the larger one: a thousand guards may name one noun.
        const [less, more] = one.members.length < other.members.length ? [one, other] : [other, one];
        more.join(less);
      }
    }
    for (const bond of new Set(Array.from(this.members.values(), bondOf))) {
      const entries = Array.from(bond.members, (member) => [member.name, member] as const);
      bond.members = this.inOrder(entries)
        .map(([, member]) => member)
        .reverse();
    }
    feeds.bind((name) => this.members.get(name)?.bond);
  }

  /**
   * @returns for the next process, which thresholds hold, because each holds until its other value; and since when the
   *   conditions of nouns hold that wait for that. "" for neither.
   */
  leave(): string {
    const held = this.thresholds.filter(([, { isReadable, holds }]) => isReadable && holds).map(([text]) => text);
    const settled = Array.from(this.members.values()).flatMap(({ name, settledSince: since }) =>
      since === undefined ? [] : [[name, since] as const],
    );
    return held.length + settled.length === 0 ? "" : JSON.stringify([...held, ...settled]);
  }

  /** Takes over what `leave` returned in the process before. @throws SyntaxError or TypeError for another text. */
  resume(left: string): void {
    const all = JSON.parse(left) as readonly unknown[];
    const held = new Set(all);
    for (const [text, condition] of this.thresholds) if (held.has(text)) condition.holds = true;
    for (const one of all) {
      if (!Array.isArray(one)) continue;
      const [name, since] = one as readonly unknown[];
      const member = this.members.get(String(name));
      if (member !== undefined && typeof since === "number") member.settledSince = since;
    }
  }

  /** The conditions with two values, each with a text of all that it says. */
  private get thresholds(): readonly (readonly [text: string, condition: KeyCondition])[] {
    return Array.from(this.members.values()).flatMap(({ name, conditions }) =>
      conditions
        .filter(({ condition }) => Object.hasOwn(Object(condition), "until"))
        .map((one) => [JSON.stringify([name, one.noun, one.key, one.condition]), one] as const),
    );
  }

  measures(isReadable: (noun: string) => boolean): readonly Measure[] {
    const guarded = Array.from(this.context.nouns.all()).filter(
      ({ name, face: noun }) => noun.guard && isReadable(name),
    );
    const samples = guarded.map(({ name, keptBy }) => [{ noun: name }, Number(keptBy?.refusal !== undefined)] as const);
    const help = "1 while its guard keeps a noun at its default.";
    return [{ name: "nound_guarded", type: "gauge", help, samples }];
  }

  /** Begins to act, once all nouns are registered and have their states. */
  start(): void {
    this.isStarted = true;
    this.bind();
    for (const member of this.members.values()) member.start();
    for (const { name } of this.context.nouns.all()) this.follow(name);
  }

  /**
   * Sends all guarded nouns to their defaults, because the program ends. Each waits for those whose guards name it.
   * @param time ms until it gives up. @returns a promise that resolves when each is there or has failed.
   */
  async finish(time: number): Promise<void> {
    this.isEnding = true;
    await this.send(Array.from(this.members.values()), atEnd, time);
  }

  /**
   * Sends the guarded nouns to their defaults that a reload removes, or whose guards name a noun that it removes.
   * @param isKept says whether the next process has the noun of a name, unchanged. @param time ms until it gives up.
   * @returns the names of those that have not gone there. Then there can be no reload, and everything stays guarded.
   */
  async release(isKept: (name: string) => boolean, time: number): Promise<readonly string[]> {
    const released = Array.from(this.members.values()).filter((member) =>
      [member, ...member.named].some(({ name }) => !isKept(name)),
    );
    await this.send(released, forReload, time);
    const away = released.filter((member) => member.isAway).map(({ name }) => name);
    if (away.length > 0) for (const member of released) member.stay();
    return away;
  }

  private async send(members: readonly GuardMember[], departure: Departure, time: number): Promise<void> {
    const entries = members.map((member) => [member.name, member] as const);
    let expire = () => {};
    const expired = new Promise<void>((resolve) => {
      expire = resolve;
    });
    let isOver = false;
    const alarm = new Alarm(this.context.clock, () => {
      isOver = true;
      expire();
    });
    alarm.set(this.context.clock.now() + time);
    const gone = this.inOrder(entries).map(([, member]) => member.goHome(departure, () => isOver));
    // What moves by other nouns stops while those can still be set.
    for (const { original: own } of this.context.nouns.all()) {
      const { [drivenNouns]: driven, [comeToRest]: rest } = driving(own);
      if (driven !== undefined && rest !== undefined) {
        gone.push(this.context.exempt(() => rest.call(own, departure === atEnd)));
      }
    }
    await Promise.race([expired, Promise.all(gone)]);
    alarm.stop();
  }

  /**
   * Its hardware keeps its level: to switch a pump off under a heater that stays on would be worse.
   * @returns why a noun stays as it is: a guarded noun needs that which has not gone to its default.
   */
  keeps(name: string): string | undefined {
    const needed = this.members.get(name.toLowerCase())?.neededBy;
    return needed && `${needed} is not at its default`;
  }

  /** Ends, when the nouns are closed. */
  end(): void {
    this.isStarted = false;
    for (const member of this.members.values()) member.end();
    this.context.feeds.bind(() => undefined);
    for (const end of this.switches.values()) end();
    this.switches.clear();
  }

  /** Follows the end switches and the outputs of the noun that has a name now. */
  private follow(name: string): void {
    if (this.switches.size > 0) {
      this.switches.get(name)?.();
      this.switches.delete(name);
    }
    const registered = this.isStarted ? this.context.nouns.find(name) : undefined;
    if (registered === undefined) return;
    const { original } = registered;
    const switches = traitsOf(original)[endSwitches] ?? [];
    const driven = driving(original)[drivenNouns] ?? [];
    if (switches.length + driven.length === 0) return;
    const { nouns, feeds, exempt } = this.context;
    const own = (noun: string, owner: Owner | undefined) => this.of(noun).ownedBy(owner);
    const ends = [
      followSwitches(feeds, switches),
      ...driven.map((one) => one.drive({ name, nouns, feeds, exempt, own })),
    ];
    this.switches.set(name, () => {
      for (const end of ends) end();
    });
  }

  /** @returns the member of a name, which may have no noun yet. */
  of(name: string): GuardMember {
    let member = this.members.get(name);
    if (member !== undefined) return member;
    member = new GuardMember(name, this);
    this.members.set(name, member);
    member.become(this.context.nouns.find(name));
    return member;
  }

  /** @returns entries of nouns in another order: each guarded noun before the nouns that its guard names. */
  inOrder<Entry extends readonly [name: string, ...unknown[]]>(entries: Iterable<Entry>): readonly Entry[] {
    const namedBy = (entry: Entry) => {
      const joined = this.members.get(entry[0])?.joined;
      return joined === undefined || joined.length === 0 ? noNames : joined.map((named) => named.name);
    };
    return guardOrder(entries, namedBy);
  }

  /** Reads the nouns that conditions name. @returns the first condition that does not hold, or cannot be read at once. */
  brokenNow(conditions: readonly KeyCondition[]): KeyCondition | undefined {
    const now = conditions.map(({ noun, key, condition }) => new KeyCondition(noun, key, condition));
    return now.find((one) => {
      const named = Array.from(nounsOf([one]));
      const { exempt, nouns } = this.context;
      for (const noun of named) {
        const take = (answer: Answer) => void one.takeFrom(noun, stateOf(answer));
        exempt(() => nouns.find(noun)?.ask("GET", emptyState, take))?.abandon();
      }
      return !one.isReadable || !one.holds || named.some((noun) => this.of(noun).isChanging);
    });
  }

  /** @returns the names of a circle of guards from a noun back to it; undefined without one. */
  private circleOf(name: string): readonly string[] | undefined {
    const seen = new Set<string>();
    const search = (at: GuardMember, path: readonly string[]): readonly string[] | undefined => {
      for (const next of at.named) {
        if (next.name === name) return [...path, name];
        if (seen.has(next.name)) continue;
        seen.add(next.name);
        const found = search(next, [...path, next.name]);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return search(this.of(name), [name]);
  }
}

/** @param report receives each failure of a guard. */
export function openGuards(host: Host, report: OnFailure): Guards {
  const { clock, interruption, nouns } = host;
  return new Guards({ clock, nouns, feeds: openFeeds(host), exempt: interruption.exempt, report });
}
