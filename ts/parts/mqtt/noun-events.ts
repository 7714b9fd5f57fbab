/** The events of one noun: the steps of its keys that count events, such as presses. */
import type { Shape } from "../../core/noun/shape.ts";

/** More events at once come from a counter that was set, not from something that happened. */
const mostEvents = 8;

export class NounEvents {
  private readonly keys: readonly string[];
  /** The counts of the last state; nothing before the first. */
  private counts: { readonly [key: string]: unknown } | undefined;

  private constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /** @returns undefined for a noun without events. */
  static of(shape: Shape = {}): NounEvents | undefined {
    const keys = Object.keys(shape).filter((key) => shape[key]?.counts === "events");
    return keys.length === 0 ? undefined : new NounEvents(keys);
  }

  /** @param json the next state; undefined if the noun failed. @returns the keys that have counted since the last one, one for each step. */
  next(json: string | undefined): readonly string[] {
    // What has happened while the noun failed is not known.
    if (json === undefined) return [];
    const state = JSON.parse(json) as { readonly [key: string]: unknown };
    const before = this.counts;
    this.counts = state;
    if (before === undefined) return [];
    return this.keys.flatMap((key) => {
      const steps = Number(state[key]) - Number(before[key]);
      return steps > 0 && steps <= mostEvents ? new Array<string>(steps).fill(key) : [];
    });
  }
}
