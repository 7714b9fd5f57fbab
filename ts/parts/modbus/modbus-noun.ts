/** A noun for the registers and bits of a Modbus unit. */

import { write } from "nound:registers";
import { utf8Length } from "../../core/http/utf8.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { isCount, leave, takeOver } from "../../core/noun/left-state.ts";
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import { type NewsTaker, readsItself, readWritten } from "../../core/noun/noun-face.ts";
import { leftByDelete } from "../../core/noun/noun-traits.ts";
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { writeState } from "../../core/noun/state-writer.ts";
import type { HardwareNoun } from "../../hardware/nouns/hardware-noun.ts";
import { placeForm } from "../../native/registers.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logFailure } from "../../platform/log.ts";
import { isSimulated } from "../../platform/platform.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { type Ask, type ModbusCounts, noCounts, type Outcome } from "./bus.ts";
import {
  illegalAddress,
  illegalValue,
  partOfAnswer,
  type Question,
  readQuestion,
  registersIn,
  unitFailure,
} from "./functions.ts";
import { type ModbusPlace, openModbus, placeOf, simulatedUnits } from "./modbus.ts";
import {
  type Confirmation,
  formOf,
  keyOf,
  type ModbusKey,
  type ModbusKeys,
  misfitOf,
  powerIn,
  spanOf,
  valueIn,
} from "./modbus-key.ts";
import { planReads, type Span } from "./plan.ts";
import { simulatedValues } from "./simulated-values.ts";
import { ModbusError, type ModbusUnit } from "./unit.ts";
import { readBack, writeValue } from "./writing.ts";

/**
 * The options of `modbusNoun`.
 *
 * @example
 * const celsius: ModbusKey = { read: "input", at: 0, as: "int16", scale: 0.1 };
 * const options: ModbusOptions = { device: "/dev/ttyS1", unit: 7, keys: { celsius } };
 * server.register("boiler", modbusNoun(options));
 */
export interface ModbusOptions extends ModbusPlace, Omit<NounDescription, "keys"> {
  /** The values, by their keys in the state. */
  readonly keys: ModbusKeys;
  /** How many registers or bits that nobody asked for may be read between two values; 0 if left out. */
  readonly gap?: number;
  /** How many registers one question may ask for; as many as the unit takes if left out. */
  readonly most?: number;
  /**
   * When a value counts as written: `read`, once it was read back; `answer`, once the unit has answered, for registers
   * of commands and slow units. `read` if left out.
   */
  readonly confirm?: Confirmation;
  /** ms between two readings while somebody watches; 5000 if left out. */
  readonly poll?: Milliseconds | undefined;
  /** On simulated hardware, the noun `simulated.` plus this text moves the values. Default: the place and unit. */
  readonly simulatedAs?: string;
}

const count = { type: "integer", minimum: 0, readOnly: true, counts: "total", diagnostic: true } as const;

const countsShape: Shape = {
  timeouts: { ...count, description: "Questions that the unit did not answer." },
  garbled: { ...count, description: "Answers with a wrong checksum." },
  strays: { ...count, description: "Answers of other units." },
  misnumbered: { ...count, description: "Answers with the number of no question." },
  late: { ...count, description: "Answers to questions that were given up, or answered before." },
  exceptions: { ...count, description: "Exceptions." },
  lastException: {
    type: "integer",
    minimum: 1,
    maximum: 255,
    nullable: true,
    readOnly: true,
    diagnostic: true,
    description: "The code of the last exception; null before the first.",
  },
};

const countNames = Object.keys(countsShape) as readonly (keyof ModbusCounts)[];

/** The keys that a value cannot have. */
export const countKeys: readonly string[] = countNames;

function contains(span: Span, { table, at, count }: Span): boolean {
  return span.table === table && span.at <= at && at + count <= span.at + span.count;
}

/** A value, and where it is. */
interface Part {
  readonly name: string;
  readonly key: ModbusKey;
  readonly span: Span;
  /** How it is written from the last answer; undefined of a value that is decoded before. */
  readonly form: number | undefined;
  /** Then its bytes in the last answer; undefined if they are not known. */
  bytes: string | undefined;
  /** What they mean: a unit has few values that change from one reading to the next. */
  value: Scalar;
  /** The texts in which it is as JSON, and its index there. */
  readonly texts: string[];
  readonly index: number;
}

/** A question, and the values that are in its answer. */
interface Reading {
  readonly span: Span;
  readonly question: Question;
  readonly parts: readonly Part[];
  /** Those of them that are decoded. */
  readonly decoded: readonly Part[];
  /** The last answer; "" for none. */
  answer: string;
  /** Whether there was a failure when it was decoded. */
  isMisread: boolean;
  /** What was the outcome when the noun read itself last; undefined if it has not asked. */
  news: Outcome | undefined;
  /** How the noun asks then; undefined before the first time. */
  look: Ask | undefined;
  /** Whether the unit has ever answered it. */
  wasAnswered: boolean;
  /** Whether it has not, though it answers others. */
  wasSilent: boolean;
}

function setValue(part: Part, value: Scalar): void {
  part.value = value;
  part.texts[part.index] = JSON.stringify(value);
}

function forget(part: Part): void {
  if (part.form !== undefined) return;
  part.bytes = undefined;
  setValue(part, null);
}

function forgetNews(reading: Reading): void {
  reading.news = undefined;
}

/** Takes the values out of an answer. @returns the first failure; undefined without one. */
function decode(reading: Reading, answer: string): unknown {
  // The same bytes are the same values.
  if (answer === reading.answer && !reading.isMisread) return undefined;
  let failure: unknown;
  const { decoded } = reading;
  for (let index = 0; index < decoded.length; index++) {
    failure = decodePart(reading, decoded[index] as Part, answer) ?? failure;
  }
  reading.answer = answer;
  reading.isMisread = failure !== undefined;
  return failure;
}

/** @returns the failure; undefined without one. */
function decodePart({ span }: Reading, part: Part, answer: string): unknown {
  const bytes = partOfAnswer(span.table, part.span.at - span.at, part.span.count, answer);
  if (bytes === part.bytes) return undefined;
  part.bytes = bytes;
  // The other value may be in a later answer.
  if (part.key.scaleBy !== undefined) return undefined;
  try {
    setValue(part, valueIn(part.key, registersIn(bytes)));
    return undefined;
  } catch (error) {
    forget(part);
    return error;
  }
}

/** @returns the places of values, in the order of their addresses. */
function partsOf(parts: readonly Part[]): readonly string[] {
  const sorted = parts.map(({ span }) => span).sort((one, other) => one.at - other.at || one.count - other.count);
  return [...new Set(sorted.map(placeOfSpan))];
}

function placeOfSpan({ at, count }: Span): string {
  return `${at} ${count}`;
}

/** @returns what stands before a value in the state as JSON. */
function textBefore({ name }: Part, index: number): string {
  return `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`;
}

/** @returns where the values and the counts are, for `nound:registers`. */
function placesOf(parts: readonly Part[], plan: readonly Reading[]): ArrayBuffer {
  const places = parts.flatMap((part, index) => {
    const before = utf8Length(textBefore(part, index));
    const { form, span } = part;
    if (form === undefined) return [before, 0, part.index, placeForm.text];
    const source = plan.findIndex((reading) => contains(reading.span, span));
    return [before, source, 2 + 2 * (span.at - (plan[source]?.span.at ?? 0)), form];
  });
  return new Uint16Array([...places, 0, 0, 1, placeForm.text]).buffer;
}

/** ms that a reading may spend in all with questions that are not answered, while it finds out which are. */
const longestSilence = 2_500;

/** What a noun is reading by itself that has been asked for its state meanwhile: its last question is under way. */
const nothing: readonly Reading[] = [];

/** ms for which what the noun has read by itself is its state: those who are told of it read it at once. */
const newsTime = 100;

/** @returns the keys of the state. */
export function modbusShape(keys: ModbusKeys): Shape {
  const shape = Object.entries(keys).map(([name, key]): [string, Key] => [name, keyOf(key)]);
  return { ...Object.fromEntries(shape), ...countsShape };
}

/** A state that is asked for. One that is asked for again is the same object, so the server writes its answer once. */
class WrittenState {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    Object.freeze(this);
  }
}

/** GET reads the unit. PUT and POST write what is writable, and read it back. DELETE resets the counts. */
export class ModbusNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly settable: boolean;
  readonly poll: number;
  readonly [leftByDelete]: readonly string[];
  private readonly modbus: ModbusUnit;
  private readonly options: ModbusOptions;
  private readonly keys: ModbusKeys;
  private readonly parts: readonly Part[];
  /** Those of them whose power of ten is another value. */
  private readonly scaled: readonly Part[];
  /** The state as JSON, without its values. */
  private readonly frame: string;
  /** Texts in it: of what is not known, of the counts, of the values that are decoded. */
  private readonly texts: string[] = ["null", ""];
  private plan: readonly Reading[];
  /** Where the values are in the answers of that plan; undefined before it is needed. */
  private places: ArrayBuffer | undefined;
  private readonly report: (error: unknown) => void;
  private probes = 0;
  private reported = "";
  /** The last state as JSON, as it was asked for, and the sum of its counts; -1 if they are others now. */
  private text = "";
  private written = new WrittenState("");
  private counted = -1;
  /** Whether it is being read. */
  private isReading = false;
  /**
   * Who is told of what it reads by itself; what it is reading so, the index of the question that it asks, and whether
   * an answer is another one than the last; and when it has read what is not its state yet.
   */
  private taker: NewsTaker | undefined;
  private looksAt: readonly Reading[] | undefined;
  private asks = 0;
  private hasNews = false;
  private newsFrom: Milliseconds = Number.NEGATIVE_INFINITY;
  /** Whether that is the last state, because all was answered. */
  private isWhole = false;

  constructor(modbus: ModbusUnit, options: ModbusOptions, report: (error: unknown) => void) {
    const { keys, poll = 5_000 } = options;
    this.modbus = modbus;
    this.options = options;
    this.keys = keys;
    this.shape = modbusShape(keys);
    this.settable = Object.values(keys).some(({ writable }) => writable === true);
    this.poll = poll;
    this[leftByDelete] = Object.keys(keys).filter((name) => keys[name]?.writable && keys[name]?.default === undefined);
    const powers = new Set(Object.values(keys).map(({ scaleBy }) => scaleBy));
    this.parts = Object.entries(keys).map(([name, key]) => {
      const form = powers.has(name) ? undefined : formOf(key);
      const index = form === undefined ? this.texts.push("null") - 1 : 0;
      return { name, key, span: spanOf(key), form, bytes: undefined, value: null, texts: this.texts, index };
    });
    this.frame = this.parts.map(textBefore).join("");
    this.scaled = this.parts.filter(({ key }) => key.scaleBy !== undefined);
    this.plan = this.planFor(this.parts, false);
    this.report = report;
  }

  private planFor(parts: readonly Part[], wasSilent: boolean): Reading[] {
    const { gap = 0, most } = this.options;
    const spans = parts.map(({ span }) => span);
    return planReads(spans, gap, most).map((span) => {
      const some = parts.filter((one) => contains(span, one.span));
      const decoded = some.filter(({ form }) => form === undefined);
      return {
        span,
        question: readQuestion(span.table, span.at, span.count),
        parts: some,
        decoded,
        answer: "",
        isMisread: false,
        news: undefined,
        look: undefined,
        wasAnswered: false,
        wasSilent,
      };
    });
  }

  /** @returns a state as JSON. @throws TypeError for what is none. */
  readonly writeState = (state: unknown): string => (state instanceof WrittenState ? state.text : writeState(state));

  /** A key that cannot be read is null. */
  async getState(): Promise<State> {
    return JSON.parse((await this[readWritten]()).text) as State;
  }

  [readWritten](): Awaitable<WrittenState> {
    const hasNews = this.modbus.bus.now() - this.newsFrom <= newsTime;
    this.newsFrom = Number.NEGATIVE_INFINITY;
    if (hasNews && this.isWhole) return this.lastState();
    if (!hasNews) this.plan.forEach(forgetNews);
    return this.read();
  }

  private lastState(): WrittenState {
    if (this.written.text !== this.text) this.written = new WrittenState(this.text);
    return this.written;
  }

  /** Decodes what it has read by itself. @returns the state as JSON. */
  private takeNews(): string {
    const { plan } = this;
    let misread: unknown;
    for (let index = 0; index < plan.length; index++) {
      const reading = plan[index] as Reading;
      misread = decode(reading, reading.news as string) ?? misread;
      reading.news = undefined;
    }
    return this.stateAfter(undefined, misread, false);
  }

  [readsItself](taker: NewsTaker): () => void {
    this.taker = taker;
    const stop = this.modbus.bus.every(this.poll, () => {
      if (this.isReading || this.looksAt !== undefined || this.plan.length === 0) return;
      this.looksAt = this.plan;
      this.asks = 0;
      this.hasNews = false;
      this.look(this.plan);
    });
    return () => {
      if (this.taker === taker) this.taker = undefined;
      stop();
    };
  }

  /** Asks one question after the other, until one is not answered. */
  private look(plan: readonly Reading[]): void {
    const reading = plan[this.asks] as Reading;
    reading.look ??= this.modbus.prepare(reading.question, (outcome) => {
      const asked = this.looksAt ?? [];
      reading.news = outcome;
      if (outcome !== reading.answer) this.hasNews = true;
      this.asks += 1;
      if (typeof outcome !== "string") this.endLook(false);
      else if (this.asks < asked.length) this.look(asked);
      else this.endLook(asked === this.plan);
    });
    this.modbus.bus.ask(reading.look);
  }

  /** Tells what it has read by itself, unless all is as it was. @param isWhole whether all was answered. */
  private endLook(isWhole: boolean): void {
    this.looksAt = undefined;
    if (!this.hasNews && this.reported === "" && this.sum() === this.counted) return;
    this.newsFrom = this.modbus.bus.now();
    this.isWhole = isWhole;
    this.taker?.hasRead(isWhole ? this.takeNews() : undefined);
  }

  /** @returns a number that is another one after each change of the counts: they grow, until they are set. */
  private sum(): number {
    const { timeouts, garbled, strays, misnumbered, late, exceptions } = this.modbus.counts;
    return timeouts + garbled + strays + misnumbered + late + exceptions;
  }

  private async read(): Promise<WrittenState> {
    this.isReading = true;
    // What it is reading by itself ends with the next answer, because this takes what was answered so far.
    if (this.looksAt !== undefined) this.looksAt = nothing;
    try {
      await this.readAll();
      return this.lastState();
    } finally {
      this.isReading = false;
    }
  }

  /** @returns the outcome of a question, asked now unless it is known. @throws ModbusError. */
  private async answerTo(reading: Reading, insists: boolean): Promise<string> {
    const { news } = reading;
    reading.news = undefined;
    if (typeof news === "object") throw new ModbusError(news);
    return news ?? (await this.modbus.ask(reading.question, insists));
  }

  private async readAll(): Promise<void> {
    const before = this.plan;
    const asked = [...before];
    const answered: Reading[] = [];
    let failure: unknown;
    let misread: unknown;
    let silences = 0;
    let isSame = this.reported === "";
    for (let reading = asked.shift(); reading !== undefined; reading = asked.shift()) {
      try {
        const answer = await this.answerTo(reading, silences > 0);
        reading.wasAnswered = true;
        answered.push(reading);
        if (answer === reading.answer && !reading.isMisread) continue;
        isSame = false;
        misread = decode(reading, answer) ?? misread;
      } catch (error) {
        const isSilent = error instanceof ModbusError && error.wasSent;
        if (isSilent) silences += 1;
        if (silences < this.mostSilences && (await this.mayDivide(reading, error, answered.length > 0))) {
          asked.unshift(...(isSilent && !reading.wasSilent ? [reading] : this.divide(reading, isSilent)));
          // It may have been lost by chance, and is asked once more.
          reading.wasSilent = isSilent;
          continue;
        }
        failure ??= error;
        // A unit that does not answer is not asked for the rest.
        if (!(error instanceof ModbusError) || error.exception === undefined) break;
      }
    }
    // It refuses all, so nothing was found out.
    if (answered.length === 0) this.take(before);
    if (failure !== undefined) this.forgetAllBut(answered);
    this.stateAfter(failure, misread, isSame);
  }

  /** @param isSame whether all answers are those of the last state. @returns the state as JSON. */
  private stateAfter(failure: unknown, misreading: unknown, isSame: boolean): string {
    const sum = this.sum();
    if (failure !== undefined || !isSame) {
      const misread = (this.scaled.length > 0 ? this.scaleParts() : undefined) ?? misreading;
      const problem = failure ?? misread;
      if (problem !== undefined || this.reported !== "") this.tell(problem);
    } else if (sum === this.counted) return this.text;
    if (sum !== this.counted) this.texts[1] = `,${JSON.stringify(this.modbus.counts).slice(1)}`;
    this.counted = sum;
    const { plan } = this;
    this.places ??= placesOf(this.parts, plan);
    const answers: string[] = [];
    for (let index = 0; index < plan.length; index++) answers.push((plan[index] as Reading).answer);
    this.text = write(this.frame, this.places, answers, this.texts);
    return this.text;
  }

  /** What was not answered is not known. */
  private forgetAllBut(answered: readonly Reading[]): void {
    const known = new Set(answered.flatMap(({ parts }) => parts));
    for (const part of this.parts) if (!known.has(part)) forget(part);
    for (const reading of this.plan) if (!answered.includes(reading)) reading.answer = "";
  }

  /** Finds out the values whose power of ten is another value. @returns the first failure. */
  private scaleParts(): unknown {
    let failure: unknown;
    for (let index = 0; index < this.scaled.length; index++) {
      const part = this.scaled[index] as Part;
      const { key, bytes } = part;
      if (key.scaleBy === undefined || bytes === undefined) continue;
      const power = this.parts.find(({ name }) => name === key.scaleBy)?.value ?? null;
      try {
        setValue(part, power === null ? null : valueIn(key, registersIn(bytes), powerIn(key.scaleBy, power)));
      } catch (error) {
        setValue(part, null);
        failure ??= error;
      }
    }
    return failure;
  }

  /** @throws StateError for null; HttpError 500 or 503 with what the unit says. */
  async setState(state: State): Promise<State> {
    return await this.set(state, false);
  }

  /** @param triesAll whether it goes on after a key that fails. @throws as `setState`, the first failure. */
  private async set(state: State, triesAll: boolean): Promise<State> {
    this.newsFrom = Number.NEGATIVE_INFINITY;
    const wanted = Object.entries(this.keys).filter(([name]) => Object.hasOwn(state, name));
    for (const [name] of wanted) {
      if (state[name] === null) throw new StateError("Null means that the unit does not answer.", name);
    }
    let failure: unknown;
    for (const [name] of wanted) {
      try {
        await writeValue(this.modbus, this.options, name, state[name] ?? null);
      } catch (error) {
        if (!triesAll) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return await this.getState();
  }

  /** @throws as `setState`. */
  async updateState(change: State): Promise<State> {
    return await this.setState(change);
  }

  /**
   * Resets the counts, and writes the defaults. Each key is tried: a relay that does not switch must not keep others
   * on. @throws as `setState`, the first failure.
   */
  async deleteState(): Promise<State> {
    Object.assign(this.modbus.counts, noCounts());
    this.counted = -1;
    const defaults = Object.entries(this.keys).flatMap(([name, key]): [string, Scalar][] =>
      key.default === undefined ? [] : [[name, key.default]],
    );
    return await this.set(Object.fromEntries(defaults), true);
  }

  [leave](): State {
    return { ...this.modbus.counts };
  }

  [takeOver](left: State): void {
    const { counts } = this.modbus;
    this.counted = -1;
    for (const name of countNames) {
      const value = left[name];
      if (isCount(value)) counts[name] = value;
    }
  }

  close(): void {
    this.modbus.close();
  }

  /** Questions without an answer after which the rest of a reading is left for the next one. */
  private get mostSilences(): number {
    return Math.max(2, Math.floor(longestSilence / (this.options.timeout ?? 500)));
  }

  /** @returns whether a unit that refuses a question, or does not answer it, may answer parts of it. */
  private async mayDivide(reading: Reading, error: unknown, hasAnswered: boolean): Promise<boolean> {
    const { parts, wasAnswered } = reading;
    if (!(error instanceof ModbusError) || partsOf(parts).length <= 1) return false;
    const { exception, wasSent } = error;
    // It may lack the address of one key, or one in a gap.
    if (exception === illegalAddress || exception === illegalValue) return true;
    if (wasAnswered || !(wasSent || exception === unitFailure)) return false;
    if (!wasSent || hasAnswered) return true;
    this.probes += 1;
    const { table, at, count } = (parts[this.probes % parts.length] as Part).span;
    return (await readBack(this.modbus, table, at, count)) !== undefined;
  }

  /** From now on, the halves of a question are asked for in its place. @returns them. */
  private divide(reading: Reading, isSilent: boolean): readonly Reading[] {
    const places = partsOf(reading.parts);
    const first = new Set(places.slice(0, Math.ceil(places.length / 2)));
    const [left, right] = [true, false].map((isFirst) =>
      reading.parts.filter(({ span }) => first.has(placeOfSpan(span)) === isFirst),
    );
    const halves = [left ?? [], right ?? []].flatMap((parts) => this.planFor(parts, isSilent));
    this.take(this.plan.flatMap((one) => (one === reading ? halves : [one])));
    return halves;
  }

  private take(plan: readonly Reading[]): void {
    this.plan = plan;
    this.places = undefined;
  }

  private tell(failure: unknown): void {
    const sentence = failure instanceof Error ? failure.message.replace(/ in [0-9]+ s$/, "") : "";
    if (failure !== undefined && sentence !== this.reported) this.report(failure);
    this.reported = sentence;
  }
}

/** @throws TypeError for keys that do not fit a unit. */
function checkKeys(keys: ModbusKeys): void {
  for (const [name, key] of Object.entries(keys)) {
    if (countKeys.includes(name)) throw new TypeError(`The key ${JSON.stringify(name)} is that of a count.`);
    const misfit = misfitOf(name, keys);
    if (misfit !== undefined) {
      const [option, sentence] = misfit;
      throw new TypeError(`The option ${JSON.stringify(option)} of the key ${JSON.stringify(name)}: ${sentence}.`);
    }
    const isSettable = (key.read === "coil" || key.read === "holding") && key.bit === undefined;
    if (key.writable === true && !isSettable) throw new TypeError(`The key ${JSON.stringify(name)} cannot be written.`);
  }
}

/**
 * A noun for the registers and bits of a Modbus unit. Its keys are null while the unit does not answer.
 * @throws TypeError as `openModbus`; for a key that cannot be written, or has the name of a count.
 *
 * @example
 * const keys = { watts: { read: "input", at: 12, as: "float32", unit: "W" } } as const;
 * server.register("grid", modbusNoun({ device: "/dev/ttyS1", baud: 9_600, unit: 1, keys }));
 */
export function modbusNoun(options: ModbusOptions): Noun {
  const { keys, unit = 1, simulatedAs: source = `${placeOf(options)}-${unit}`, ...others } = options;
  checkKeys(keys);
  const modbus = openModbus(options);
  if (isSimulated) addSource(source, simulatedValues(simulatedUnits(options).unit(unit), keys));
  const report = (error: unknown) => logFailure(source, error instanceof Error ? error.message : String(error));
  return describeNoun(new ModbusNoun(modbus, options, report), others);
}
