/** An output of a cover: a line, or another noun with two values. */
import type { DriveContext, DrivenNoun } from "../../core/feeds/driven-noun.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import type { Level, Line } from "../../native/gpio.ts";
import { setLevel } from "./gone-refusal.ts";

export interface CoverOutput {
  /** Called when it has changed without `set`, or was found active. */
  onOutside?: (isActive: boolean) => void;
  /**
   * @param done called once it has the level, at once for a line. @param failed called if it could not be set.
   * @throws Error when it cannot be set, and that is known at once.
   */
  set(level: Level, done: () => void, failed: (isDoubtful: boolean) => void): void;
  /** Makes sure that it is inactive, before another one becomes active. @throws Error if that is not known. */
  stayInactive(): void;
}

export function lineOutput(line: Line): CoverOutput {
  return {
    set(level, done) {
      setLevel(line, level);
      done();
    },
    // It is said again, because this is what must never fail. In one request of the kernel, the next call says it, too.
    stayInactive: () => setLevel(line, 0),
  };
}

/** A key with two values. */
interface TwoValues {
  readonly key: string;
  /** The inactive one first. */
  readonly values: readonly Scalar[];
}

/** @returns the only key with two values that can be set, of those that may be meant. */
function twoValuesIn(shape: Shape = {}, asked: string | undefined): TwoValues | undefined {
  const found = Object.entries(shape).flatMap(([key, { readOnly, ...declared }]): readonly TwoValues[] => {
    if (readOnly === true || (asked !== undefined && key !== asked)) return [];
    if (declared.type === "boolean") return [{ key, values: [false, true] }];
    if (declared.type === "choice") return declared.values.length === 2 ? [{ key, values: declared.values }] : [];
    return declared.type === "integer" && declared.minimum === 0 && declared.maximum === 1
      ? [{ key, values: [0, 1] }]
      : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** An output that another noun is. Until it was found inactive, nothing moves. */
export class NounOutput implements CoverOutput, DrivenNoun {
  readonly option: string;
  readonly noun: string;
  onOutside?: (isActive: boolean) => void;
  private readonly key: string | undefined;
  private readonly active: Level;
  /** Whether it is active, as it was last found or set; undefined if it cannot be read. */
  private isActive: boolean | undefined;
  private context: DriveContext | undefined;
  /** The states that it sends, and how many are under way. */
  private readonly own = new WeakSet<State>();
  private underway = 0;
  private readonly report: (sentence: string) => void;

  constructor(
    option: string,
    { noun, key, activeLow = false }: { readonly noun: string; readonly key?: string; readonly activeLow?: boolean },
    report: (sentence: string) => void,
  ) {
    this.option = option;
    this.noun = noun.toLowerCase();
    this.key = key;
    this.active = activeLow ? 0 : 1;
    this.report = report;
  }

  set(level: Level, done: () => void, failed: (isDoubtful: boolean) => void): void {
    const { noun: name, active, context } = this;
    const registered = context?.nouns.find(name);
    const two = twoValuesIn(registered?.face.shape, this.key);
    if (context === undefined || registered === undefined || two === undefined)
      throw new Error(`There is no output ${name}.`);
    const state = { [two.key]: two.values[level === 1 ? active : 1 - active] as Scalar };
    const others = Object.entries(registered.face.shape ?? {}).filter(([key]) => key !== two.key);
    const isWhole = others.every(([, { optional, readOnly }]) => optional ?? readOnly);
    let isNow = true;
    let refusal: Error | undefined;
    const answered = (answer: Answer) => {
      this.underway -= 1;
      if (answer.status < 400) {
        this.isActive = level === 1;
        done();
        return;
      }
      const isDoubtful = answer.status >= 500;
      const why = answer instanceof RefusalAnswer ? answer.detail : answer.note;
      const sentence = `The output ${name} was not set: ${why}`;
      if (isNow && !isDoubtful) refusal = new Error(sentence);
      else {
        this.report(sentence);
        failed(isDoubtful);
      }
    };
    this.own.add(state);
    this.underway += 1;
    context.exempt(() => void registered.ask(isWhole ? "PUT" : "POST", state, answered, `cover ${context.name}`));
    isNow = false;
    if (refusal !== undefined) throw refusal;
  }

  stayInactive(): void {
    if (this.isActive !== false) throw new Error(`The output ${this.noun} is active, or cannot be read.`);
  }

  drive(context: DriveContext): () => void {
    this.context = context;
    const feed = context.feeds.of(this.noun);
    const follower = {
      onReading: (answer: Answer | undefined) => {
        if (this.underway > 0) return;
        this.isActive = this.isActiveIn(stateOf(answer));
        if (this.isActive !== undefined) this.onOutside?.(this.isActive);
      },
      onState: () => {},
    };
    context.own(this.noun, {
      name: context.name,
      allows: (verb, state, to) => {
        const isActive = this.own.has(state) ? false : this.isActiveIn(to);
        return isActive === false || (isActive === undefined && verb === "DELETE");
      },
    });
    feed.follow(follower);
    return () => {
      feed.unfollow(follower);
      context.own(this.noun, undefined);
    };
  }

  mistakeOf({
    face: noun,
    isSettable,
  }: RegisteredNoun): { readonly key: string; readonly sentence: string } | undefined {
    if (isSettable && twoValuesIn(noun.shape, this.key) !== undefined) return undefined;
    return this.key === undefined
      ? { key: "noun", sentence: `expected a noun with one key of two values; name the key of ${this.noun} as "key"` }
      : { key: "key", sentence: `expected a key of ${this.noun} with two values, found ${JSON.stringify(this.key)}` };
  }

  private isActiveIn(state: State | undefined): boolean | undefined {
    const { key = "", values } = twoValuesIn(this.context?.nouns.find(this.noun)?.face.shape, this.key) ?? {};
    const index = values?.indexOf(state?.[key] as Scalar) ?? -1;
    return index < 0 ? undefined : index === this.active;
  }
}
