/** A noun for a GPIO line that is an input. */
import * as keeper from "nound:keeper";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { isCount, leave, takeOver } from "../../core/noun/left-state.ts";
import { type Noun, usualPoll } from "../../core/noun/noun.ts";
import { byItself, type OwnCause } from "../../core/noun/noun-traits.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";
import type { EdgeEvent, Level, Line } from "../../native/gpio.ts";
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logError, logFailure } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { sentenceOf } from "../../platform/start-error.ts";
import { followChip, goneError, unfollowChip } from "../open/gone-lines.ts";
import type { InputOptions } from "../open/line-options.ts";
import { lineLabel, openInputMovedBy } from "../open/lines.ts";
import { CountingInput, type InputContext } from "./counting-input.ts";
import { refusalOf } from "./gone-refusal.ts";
import type { Keeping } from "./keeping.ts";
import { keepTotal, type MeterOptions } from "./meter.ts";
import { checkPressTimes, Presses, pressShape } from "./presses.ts";

/**
 * The options of `gpioInputNoun`.
 *
 * @example
 * const options: GpioInputOptions = { line: "GPIO27", key: "door", bias: "pull-up", edges: "both" };
 * server.register("door", gpioInputNoun(options));
 */
export interface GpioInputOptions extends InputOptions, MeterOptions, NounDescription {
  /**
   * The key of the level; with `edges` not "edges", "missed" or "sinceEdge", with `presses` not "short", "long" or
   * "double".
   */
  readonly key: string;
  /** Whether presses are counted, by edges in both directions; false if left out. */
  readonly presses?: boolean;
  /** ms that a long press lasts at least; 500 if left out. */
  readonly longPress?: Milliseconds;
  /**
   * ms after a release within which the second press of a double press begins. A short press counts that much later. If
   * left out, 0: there are no double presses.
   */
  readonly doublePress?: Milliseconds;
  /**
   * ms between two readings while somebody watches a line whose driver has no interrupts for both edges; 1000 if left
   * out. Every other line is followed by its edges.
   */
  readonly poll?: Milliseconds | undefined;
  /** Where the total is kept; needed with `total`. */
  readonly store?: Store;
}

/** The line and the clock of a `GpioInputNoun`. */
export interface GpioInputHardware extends InputContext {
  readonly line: Line;
  /** Whether an earlier process may have had the line. */
  readonly isTakenOver?: boolean;
  /** Called when the noun closes. */
  readonly onClose?: () => void;
  /** Receives the reason why the line must be polled. */
  readonly report?: (error: unknown) => void;
}

export type GpioInputBehaviour = Pick<
  GpioInputOptions,
  "doublePress" | "edges" | "key" | "longPress" | "poll" | "presses" | "rate" | "total"
>;

const edgeShape: Shape = {
  edges: {
    type: "integer",
    minimum: 0,
    readOnly: true,
    counts: "total",
    description: "Edges seen since the last reset.",
    diagnostic: true,
  },
  missed: {
    type: "integer",
    minimum: 0,
    readOnly: true,
    counts: "total",
    description: "Edges that were lost because they came too fast.",
    diagnostic: true,
  },
  sinceEdge: {
    type: "integer",
    minimum: 0,
    unit: "ms",
    nullable: true,
    readOnly: true,
    timeDependent: true,
    description: "Time since the last edge; null before the first.",
  },
};

/** The keys besides the level if edges are counted. */
export const edgeKeys: readonly string[] = Object.keys(edgeShape);

/** What a state has besides the level if edges are counted. */
interface EdgeCounts {
  readonly edges: number;
  readonly missed: number;
  readonly sinceEdge: number | null;
}

/**
 * GET reads the logical level. With `edges` it also tells how many edges were seen, how many the kernel's queue lost,
 * and how many ms have passed since the last one (null before the first): so a client's clock need not agree with the
 * device's. With `presses` it tells how many short, long and double presses there were. DELETE resets all of these.
 * With `total` each edge adds to a total, or each press if edges are not counted; PUT and POST set it, and DELETE
 * leaves it. Without it, PUT and POST are refused.
 */
export class GpioInputNoun extends CountingInput {
  readonly shape: Shape;
  /** A meter changes all the time, and that is no news. */
  readonly [byItself]?: OwnCause;
  poll: number | undefined;
  private readonly hardware: GpioInputHardware;
  private readonly line: Line;
  private readonly clock: Clock;
  /** Whether the line reports edges only while somebody watches. */
  private readonly reportsOnDemand: boolean;
  /** ms between two readings of a line that cannot report edges. */
  private readonly slowPoll: number;
  private hasReported = false;
  private readonly key: string;
  private readonly countsEdges: boolean;
  /** The level after the edges that are counted; undefined when both are. */
  private readonly countedLevel: Level | undefined;
  /** The level after the last edge. */
  private lastLevel: Level | undefined;
  /** The two states without edges. They are the same objects each time, so their answers are written once. */
  private readonly low: State;
  private readonly high: State;
  private readonly steady: SteadyState;
  private readonly presses: Presses | undefined;
  private edges = 0;
  private missed = 0;
  /** Undefined if the line has reported edges to an earlier process, and that has not said how many. */
  private lastSequence: number | undefined = 0;
  /** ms on the clock. */
  private lastEdge: number | undefined = undefined;

  /** @throws Error when presses are counted and the line cannot be read. */
  constructor(hardware: GpioInputHardware, options: GpioInputBehaviour) {
    super(hardware, options, options.edges === "both" ? 2 : 1);
    if (hardware.isTakenOver === true) this.lastSequence = undefined;
    this.hardware = hardware;
    this.line = hardware.line;
    this.clock = hardware.clock;
    const { key, edges = "none", poll, presses = false, longPress = 500, doublePress = 0 } = options;
    this.key = key;
    this.countsEdges = edges !== "none";
    if (this.meter === undefined) this[byItself] = "device";
    this.shape = {
      [key]: { type: "choice", values: [0, 1], readOnly: true },
      ...this.meter?.shape,
      ...(this.countsEdges && edgeShape),
      ...(presses && pressShape({ doublePress })),
    };
    this.low = Object.freeze({ [key]: 0 });
    this.high = Object.freeze({ [key]: 1 });
    this.steady = new SteadyState(Object.keys(this.shape));
    this.slowPoll = poll ?? usualPoll;
    if (edges === "rising" || edges === "falling") {
      this.countedLevel = edges === "rising" ? 1 : 0;
      this.lastLevel = this.firstLevel();
      this.followBoth(edges);
    }
    if (presses) {
      const times = { longPress, doublePress };
      this.presses = new Presses(this.clock, times, this.firstLevel(), () => this.listeners.tell());
    }
    this.reportsOnDemand = this.line.edges === "none";
    const isCounting = this.countsEdges || presses;
    this.line.onEdge = isCounting ? (event) => this.count(event) : () => this.listeners.tell();
  }

  /** The chip of the line is gone. Another process has the line when it comes back. */
  lose(): void {
    this.presses?.restart(0);
    this.listeners.tell();
  }

  /** While somebody watches, the kernel reports edges of the level, whether they are counted or not. */
  watch(changed: () => void): () => void {
    const end = this.listeners.add(changed);
    this.follow();
    return () => {
      end();
      this.follow();
    };
  }

  /** @throws Error when the kernel refuses. */
  getState(): State {
    const level = this.readLevel();
    const { presses } = this;
    if (!this.countsEdges && presses === undefined) return level === 0 ? this.low : this.high;
    const metered = this.meter?.values;
    if (!this.countsEdges) {
      return this.steady.of({ [this.key]: level, ...metered, ...presses?.counts });
    }
    // The clock does not move within a turn of the loop, so an edge's timestamp may be a little later.
    const sinceEdge = this.lastEdge === undefined ? null : Math.max(0, Math.floor(this.clock.now() - this.lastEdge));
    const last = this.steady.last as State & Partial<EdgeCounts>;
    if (
      presses === undefined &&
      metered === undefined &&
      last.sinceEdge === sinceEdge &&
      last.edges === this.edges &&
      last.missed === this.missed &&
      last[this.key] === level
    ) {
      return this.steady.again();
    }
    const { edges, missed } = this;
    return this.steady.of({ [this.key]: level, ...metered, edges, missed, sinceEdge, ...presses?.counts });
  }

  /** @throws as `getState`. */
  deleteState(): State {
    this.edges = 0;
    this.missed = 0;
    this.lastEdge = undefined;
    this.presses?.reset();
    this.listeners.tell();
    return this.getState();
  }

  [leave](): State {
    const { edges, missed, lastSequence = null, lastEdge = null, presses } = this;
    return { edges, missed, lastSequence, lastEdge, ...this.meter?.leave(), ...presses?.counts };
  }

  [takeOver]({ edges, missed, lastSequence, lastEdge, ...counts }: State): void {
    if (!isCount(edges) || !isCount(missed)) return;
    this.edges = edges;
    this.missed = missed;
    this.lastSequence = isCount(lastSequence) ? lastSequence : undefined;
    this.lastEdge = typeof lastEdge === "number" ? lastEdge : undefined;
    this.presses?.takeOver(counts);
    this.meter?.takeOver(counts);
  }

  close(): void {
    this.meter?.close();
    this.hardware.onClose?.();
    this.presses?.close();
    this.line.close();
  }

  private readLevel(): Level {
    try {
      return this.line.getValue();
    } catch (error) {
      throw refusalOf(this.line, error, 500);
    }
  }

  private firstLevel(): Level {
    try {
      return this.line.getValue();
    } catch (error) {
      if (!this.line.isGone) throw error;
      return 0;
    }
  }

  private follow(): void {
    this.meter?.follow(!this.listeners.isEmpty);
    const wanted = this.listeners.isEmpty ? "none" : "both";
    if (!this.reportsOnDemand || this.line.edges === wanted || this.line.isGone) return;
    try {
      this.line.setEdges(wanted);
      this.poll = undefined;
    } catch (error) {
      this.readSlowly(error);
    }
  }

  /** Lets a line that counts one kind of edge report the other one, too: each is a change of the level. */
  private followBoth(counted: "rising" | "falling"): void {
    if (this.line.isGone) return;
    try {
      this.line.setEdges("both");
    } catch (error) {
      this.line.setEdges(counted);
      this.readSlowly(error);
    }
  }

  private readSlowly(error: unknown): void {
    this.poll = this.slowPoll;
    if (!this.hasReported) this.hardware.report?.(error);
    this.hasReported = true;
  }

  private count({ sequence, timestamp, value }: EdgeEvent): void {
    // By sysfs, the edges of each process are numbered from 1.
    const lost = Math.max(0, sequence - (this.lastSequence ?? sequence - 1) - 1);
    this.lastSequence = sequence;
    const missed = this.countedOf(lost);
    this.missed += missed;
    const time = timestamp / 1_000;
    // Between two edges to one level, a fast one was not seen.
    const isUnseen = lost === 0 && value === this.lastLevel;
    const isCounted = this.countedLevel === undefined || this.countedLevel === value || isUnseen;
    this.lastLevel = value;
    if (isCounted) {
      this.edges += 1;
      this.lastEdge = time;
    }
    this.presses?.edge(value, time);
    const pulses = this.countsEdges ? missed + (isCounted ? 1 : 0) : value;
    if (pulses > 0) this.meter?.pulse(time, pulses);
    this.listeners.tell();
  }

  /** @returns how many of the edges that were lost after the last one are counted: of both kinds, each second one. */
  private countedOf(lost: number): number {
    if (this.countedLevel === undefined || this.line.edges !== "both") return lost;
    return Math.floor((lost + (this.lastLevel === this.countedLevel ? 0 : 1)) / 2);
  }
}

/** Makes a noun as `gpioInputNoun` does, with a name of its own in the store. */
export function gpioInputNounKeptAs(keeping: Keeping, options: GpioInputOptions): Noun {
  const { edges, presses, debounce = 0, poll = usualPoll, store, total, rate } = options;
  checkPressTimes(options);
  if (presses === true && (edges === "rising" || edges === "falling")) {
    throw new TypeError('"presses" needs edges in both directions: give "edges": "both", or none.');
  }
  const isMetered = total !== undefined || rate !== undefined;
  if (isMetered && presses !== true && (edges === undefined || edges === "none")) {
    throw new TypeError('"total" and "rate" count edges or presses: give "edges": "rising", or "presses": true.');
  }
  const kept = isMetered ? keepTotal(options, store, keeping) : undefined;
  // Before Linux 6.10, a debounced line must report edges from the start, or it reports random ones later.
  const isDebounced = (edges === undefined || edges === "none") && debounce > 0;
  const line = openInputMovedBy(options.key, presses === true || isDebounced ? { ...options, edges: "both" } : options);
  const name = options.simulatedAs ?? lineLabel(options);
  const report = (error: unknown) => logFailure(name, `${sentenceOf(error)}; it is read every ${poll} ms`);
  const lose = () => {
    logFailure(name, goneError(line).message);
    noun.lose();
  };
  const holder = { line, lose };
  followChip(holder);
  const onClose = () => unfollowChip(holder);
  const noun = new GpioInputNoun(
    { line, clock: nounClock, isTakenOver: keeper.isSuccessor(), onClose, report, kept },
    options,
  );
  return describeNoun(noun, options);
}

/**
 * A noun for an input line. It counts edges if they are reported, and presses.
 * @throws as `openInput`; TypeError for `presses` with edges in one direction, for a total without a store, and for a
 *   total or a rate of nothing that is counted.
 *
 * @example
 * server.register("button", gpioInputNoun({ line: "GPIO27", key: "button", edges: "both", debounce: 5 }));
 */
export function gpioInputNoun(options: GpioInputOptions): Noun {
  const { key } = options;
  return gpioInputNounKeptAs({ name: key, report: (error) => logError(key, error) }, options);
}
