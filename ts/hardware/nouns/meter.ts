/**
 * A meter whose pulses are counted: the total of what they measure, which survives the process, and the rate of it.
 *
 *     const meter = new Meter({ clock, kept, changed }, { total: { key: "kilowattHours", scale: 0.001 } }, 1);
 *     line.onEdge = ({ timestamp }) => meter.pulse(timestamp / 1_000);
 *     meter.values; // {"kilowattHours":1234.5}
 */

import { checkDuration } from "../../core/noun/duration.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { type Keeping, keptText } from "./keeping.ts";

/**
 * A total of pulses, such as the energy that a meter has counted.
 *
 * @example
 * const total: TotalOptions = { key: "kilowattHours", scale: 0.001, unit: "kWh", deviceClass: "energy" };
 * const store = openStore("/var/lib/my-device");
 * server.register("grid", gpioInputNoun({ line: "GPIO27", key: "pulse", edges: "rising", total, store }));
 */
export interface TotalOptions {
  /** The key of the total. */
  readonly key: string;
  /** The amount that each pulse adds, above 0; 1 if left out. */
  readonly scale?: number;
  /** The unit of the total: `kWh`, `m3`. */
  readonly unit?: string;
  /** A device class of Home Assistant: `energy`, `water`, `gas`. */
  readonly deviceClass?: string;
  /** ms between two writes of the total, at least; ten minutes if left out. A power cut loses what came later. */
  readonly interval?: Milliseconds;
}

/**
 * A rate of pulses, such as the power that a meter measures.
 *
 * @example
 * const rate: RateOptions = { key: "watts", unit: "W", scale: 3_600_000 };
 * server.register("grid", gpioInputNoun({ line: "GPIO27", key: "pulse", edges: "rising", rate }));
 */
export interface RateOptions {
  /** The key of the rate. */
  readonly key: string;
  /** The rate is what the pulses of a second add to the total, times this; 1 if left out. 3600000 makes W of kWh. */
  readonly scale?: number;
  /** The unit of the rate: `W`. */
  readonly unit?: string;
  /** A device class of Home Assistant: `power`. */
  readonly deviceClass?: string;
  /** ms without a pulse after which the rate is 0; five minutes if left out. Until then it falls as silence proves. */
  readonly timeout?: Milliseconds;
}

/**
 * What a meter shows.
 *
 * @example
 * const options: MeterOptions = { rate: { key: "watts", scale: 3_600_000 } };
 * server.register("grid", gpioInputNoun({ line: "GPIO27", key: "pulse", edges: "rising", ...options }));
 */
export interface MeterOptions {
  /** The total; none if left out. */
  readonly total?: TotalOptions;
  /** The rate; none if left out. */
  readonly rate?: RateOptions;
}

export interface MeterContext {
  readonly clock: Clock;
  /** Keeps the total; undefined without one. */
  readonly kept?: KeptText | undefined;
  /** Called when the values have changed. */
  readonly changed: () => void;
}

/** Totals have this much room, so that a pulse is never lost beside them in a floating-point number. */
const largestTotal = 1e12;

const usual = { scale: 1, interval: 600_000, timeout: 300_000 };

/** @returns the keys of a meter. */
function meterShape({ total, rate }: MeterOptions): Shape {
  const described = ({ unit, deviceClass }: TotalOptions | RateOptions) => ({
    ...(unit !== undefined && { unit }),
    ...(deviceClass !== undefined && { deviceClass }),
  });
  return {
    ...(total && {
      [total.key]: {
        type: "number",
        minimum: 0,
        maximum: largestTotal,
        counts: "total",
        description: "What the pulses add up to; a PUT sets it.",
        ...described(total),
      },
    }),
    ...(rate && {
      [rate.key]: {
        type: "number",
        minimum: 0,
        readOnly: true,
        nullable: true,
        description: "By the time between pulses; null before the second one.",
        ...described(rate),
      },
    }),
  };
}

/** @throws TypeError with a sentence for options that an author has written in plain JavaScript. */
function checkMeter({ total, rate }: MeterOptions): void {
  checkDuration("interval", total?.interval, 1);
  checkDuration("timeout", rate?.timeout, 1);
  for (const [name, value] of Object.entries({ total, rate })) {
    const { scale = usual.scale } = value ?? {};
    if (Number.isFinite(scale) && scale > 0) continue;
    throw new TypeError(`"scale" of "${name}" is a number above 0; it is ${JSON.stringify(scale)}.`);
  }
}

/** @returns what keeps the total; undefined without one. @throws TypeError without a store, or for other options. */
export function keepTotal(options: MeterOptions, store: Store | undefined, keeping: Keeping): KeptText | undefined {
  checkMeter(options);
  const { total } = options;
  if (total === undefined) return undefined;
  if (store === undefined) throw new TypeError('"total" needs a store: openStore("/var/lib/my-device").');
  const kept = keptText("total", keeping, store, total.interval ?? usual.interval);
  if (keptTotal(kept) === undefined) {
    keeping.report(new Error(`the kept total ${JSON.stringify(kept.text)} is none: it begins at 0`));
  }
  return kept;
}

/** @returns the total in a kept text; undefined of another text, which no meter wrote. */
function keptTotal({ text = "0" }: KeptText): number | undefined {
  const total = text === "" ? Number.NaN : Number(text);
  return total >= 0 && total <= largestTotal ? total : undefined;
}

/**
 * Adds up pulses, and measures their rate.
 *
 * @example
 * const meter: Meter = openMeter("water", { rate: { key: "litresPerSecond" }, changed: () => {} });
 * meter.pulse(now());
 */
export class Meter {
  /** The keys of the total and the rate. */
  readonly shape: Shape;
  private readonly context: MeterContext;
  private readonly total: TotalOptions | undefined;
  private readonly rate: RateOptions | undefined;
  private readonly each: number;
  /** How many pulses are between two of the same kind: two, if both edges of a signal count. */
  private readonly span: 1 | 2;
  private readonly began: Milliseconds;
  /** The total is a start and a count, because a sum of many small numbers would drift. */
  private start: number;
  private count = 0;
  /** ms on the clock, with fractions. */
  private last: Milliseconds | undefined;
  private beforeLast: Milliseconds | undefined;
  /** ms that `span` pulses took lately. */
  private period: Milliseconds | undefined;
  /** Rings while somebody follows the rate and no pulse comes. */
  private readonly alarm: Alarm;
  private isFollowed = false;

  /** @internal */
  constructor(context: MeterContext, options: MeterOptions, span: 1 | 2) {
    const { total, rate } = options;
    this.context = context;
    this.total = total;
    this.rate = rate;
    this.span = span;
    this.each = total?.scale ?? usual.scale;
    this.shape = meterShape(options);
    this.start = (context.kept && keptTotal(context.kept)) ?? 0;
    this.began = context.clock.now();
    this.alarm = new Alarm(context.clock, () => {
      context.changed();
      this.watchSilence();
    });
  }

  /** The values of its keys. */
  get values(): State {
    const values: { [key: string]: Scalar } = {};
    if (this.total !== undefined) values[this.total.key] = this.sum;
    if (this.rate !== undefined) values[this.rate.key] = this.perSecond(this.rate);
    return values;
  }

  /**
   * Takes a pulse. The caller tells that the values have changed.
   * @param moment when the kernel saw it, in ms on the clock.
   * @param count how many pulses have come since the one before, if the kernel has lost some.
   */
  pulse(moment: Milliseconds, count = 1): void {
    this.add(count);
    const { last, beforeLast, span } = this;
    const from = span === 2 && count === 1 ? beforeLast : last;
    if (from !== undefined) this.period = count === 1 ? moment - from : ((moment - from) * span) / count;
    this.beforeLast = count === 1 || last === undefined ? last : moment - (moment - last) / count;
    this.last = moment;
    this.alarm.stop();
    this.watchSilence();
  }

  /** Takes the state of a PUT: a meter was replaced. */
  set(state: State): void {
    const { total } = this;
    const value = total === undefined ? undefined : state[total.key];
    if (typeof value !== "number") return;
    this.start = value;
    this.count = 0;
    this.context.kept?.keep(String(this.sum));
  }

  /** @param isFollowed whether somebody wants to know of changes. */
  follow(isFollowed: boolean): void {
    this.isFollowed = isFollowed;
    if (isFollowed) this.watchSilence();
    else this.alarm.stop();
  }

  /** @returns what the meter of the next process needs. Writes the total. */
  leave(): State {
    this.context.kept?.flush();
    const { sum, last = null, beforeLast = null, period = null } = this;
    return { total: sum, last, beforeLast, period };
  }

  /** Takes what `leave` has returned, which is untrusted. */
  takeOver({ total, last, beforeLast, period }: State): void {
    if (typeof total !== "number" || !(total >= 0 && total <= largestTotal)) return;
    this.start = total;
    this.count = 0;
    const moment = (value: Scalar | undefined) => (typeof value === "number" ? value : undefined);
    this.last = moment(last);
    this.beforeLast = moment(beforeLast);
    this.period = moment(period);
  }

  /** Writes the total. */
  close(): void {
    this.alarm.stop();
    this.context.kept?.flush();
  }

  private get sum(): number {
    return Math.min(largestTotal, Number((this.start + this.count * this.each).toPrecision(15)));
  }

  private add(count: number): void {
    this.count += count;
    this.context.kept?.keep(String(this.sum));
  }

  /** The latest moment from which silence counts; undefined before the pulses that are needed. */
  private get silentSince(): Milliseconds | undefined {
    return this.span === 1 ? this.last : this.beforeLast;
  }

  private perSecond({ scale = usual.scale, timeout = usual.timeout }: RateOptions): number | null {
    const now = this.context.clock.now();
    if (now - (this.last ?? this.began) >= timeout) return 0;
    const { period, silentSince } = this;
    if (period === undefined || silentSince === undefined) return null;
    // If the rate were higher, the next pulse would have come. A µs is the kernel's step.
    const seconds = Math.max(period, now - silentSince, 0.001) / 1_000;
    return Number(((this.span * this.each * scale) / seconds).toPrecision(4));
  }

  /** Sets the alarm for the next moment at which silence has changed the rate enough to matter. */
  private watchSilence(): void {
    if (!this.isFollowed || this.rate === undefined) return;
    const now = this.context.clock.now();
    const end = (this.last ?? this.began) + (this.rate.timeout ?? usual.timeout);
    if (now >= end) return;
    const { period, silentSince } = this;
    const next =
      period === undefined || silentSince === undefined
        ? end
        : silentSince + Math.max(period, now - silentSince) * 1.25 + 1;
    this.alarm.set(Math.min(end, next));
  }
}

/**
 * Opens a meter for a noun of your own.
 * @param name of the total in the store.
 * @param report receives the error of the store, which is tried again.
 * @throws TypeError for a total without a store, or options that are none.
 *
 * @example
 * const total = { key: "litres", scale: 10 };
 * const meter = openMeter("water", { total, store: openStore("/var/lib/my-device"), changed: () => {} });
 * meter.pulse(now());
 */
export function openMeter(
  name: string,
  {
    store,
    changed,
    report = () => {},
    ...options
  }: MeterOptions & {
    readonly store?: Store;
    readonly changed: () => void;
    readonly report?: (error: unknown) => void;
  },
): Meter {
  const kept = keepTotal(options, store, { name, report });
  return new Meter({ clock: nounClock, kept, changed }, options, 1);
}
