/** The events of a noun: its states, as far as they differ. */
import type { Shape } from "../noun/shape.ts";

/** One state of a noun. */
export interface NounEvent {
  readonly name: string;
  /** The state as JSON; `null` when the noun failed. */
  readonly json: string;
  /** The part of it that must differ before another event is sent. */
  readonly compared: string;
  /** Given when the event is sent, so that the ids that a listener gets only grow; "" before. */
  id: string;
}

/** Gives each event of this run of the server a different id. */
export class EventIds {
  private readonly run: string;
  private count: number;

  /**
   * @param random gives numbers from 0 up to 1. With random numbers, an id tells neither how long the server has run
   *   nor how many events it has sent.
   */
  constructor(random: () => number) {
    this.run = Math.floor(random() * 2 ** 32).toString(16);
    this.count = Math.floor(random() * 2 ** 32);
  }

  /** @returns the next id: `5f3a9c-1`. */
  next(): string {
    this.count += 1;
    return `${this.run}-${this.count}`;
  }
}

/** @returns the keys that change with time alone. */
export function timeDependentKeys(shape: Shape | undefined): readonly string[] {
  return Object.entries(shape ?? {}).flatMap(([name, key]) => (key.timeDependent === true ? [name] : []));
}

/**
 * @param json a state as JSON.
 * @param ignored keys whose change alone sends no event.
 * @returns a text that differs exactly when another key does.
 */
export function comparedPart(json: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return json;
  const state = JSON.parse(json) as { [key: string]: unknown };
  for (const key of ignored) delete state[key];
  return JSON.stringify(state);
}
