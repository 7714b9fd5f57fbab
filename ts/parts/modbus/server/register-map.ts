/**
 * Nouns as coils and registers. A question takes the way of a request: the noun's queue, its shape, its guard.
 *
 *     const map = new RegisterMap(nouns, grant, { coil: { 0: "heater.on" } }, report);
 *     map.answer("\x01\0\0\0\x01", "modbus 192.0.2.7", (answer) => send(answer));
 */
import type { ServedNouns } from "../../../core/feeds/served-nouns.ts";
import { checkState, type Key, type Shape } from "../../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../../core/noun/state.ts";
import { StateError } from "../../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../../core/operations/noun-route.ts";
import type { PendingAnswer } from "../../../core/operations/operation.ts";
import {
  bitsAsBytes,
  illegalAddress,
  illegalFunction,
  illegalValue,
  type Table,
  tables,
  unitFailure,
  word,
  wordAt,
} from "../functions.ts";
import { type ModbusKey, rawOf, spanOf, valueIn } from "../modbus-key.ts";
import { encode } from "../values.ts";
import type { ServedRegister, ServedRegisters } from "./options.ts";

/** A key of a noun, and where it is. */
export interface Entry {
  readonly table: Table;
  readonly noun: string;
  readonly key: string;
  readonly at: number;
  readonly count: number;
  readonly form: ModbusKey;
  readonly none: number | undefined;
}

/** @returns the entries of a table, in the order of their addresses. */
export function entriesOf(table: Table, registers: ServedRegisters): readonly Entry[] {
  const entries = Object.entries(registers[table] ?? {}).map(([address, given]): Entry => {
    const served: ServedRegister = typeof given === "string" ? { key: given } : given;
    const { key: path, none, ...form } = served;
    const dot = path.indexOf(".") < 0 ? path.length : path.lastIndexOf(".");
    const at = Number(address);
    const read: ModbusKey = { ...form, read: table, at };
    const { count } = spanOf(read);
    return { table, noun: path.slice(0, dot).toLowerCase(), key: path.slice(dot + 1), at, count, form: read, none };
  });
  return entries.sort((one, other) => one.at - other.at);
}

/** A refusal of a question: its code, and the reason for the log. */
class Refusal extends Error {
  readonly code: number;
  readonly noun: string;

  constructor(code: number, noun = "", message = "") {
    super(message);
    this.code = code;
    this.noun = noun;
  }
}

/** @returns the registers of a value, or its bit. @throws Refusal where there is none. */
function registersIn({ noun, key, form, none }: Entry, value: Scalar | undefined, declared: Key | undefined): number[] {
  const { as = "uint16", order = "ABCD" } = form;
  if (value === null || value === undefined) {
    if (none !== undefined && as !== "string") return encode(none, { as, order });
    throw new Refusal(unitFailure, noun, `${JSON.stringify(key)} has no value now`);
  }
  if (form.read === "coil" || form.read === "discrete") return [value === true || value === 1 ? 1 : 0];
  if (as === "string") return rawOf(key, form, String(value));
  const choice = declared?.type === "choice" && typeof value === "string" ? declared.values.indexOf(value) : -1;
  return rawOf(key, form, choice >= 0 ? choice : Number(value));
}

/** @returns the value that registers, or a bit, mean for a key. */
function valueFor({ form }: Entry, registers: readonly number[], declared: Key | undefined): Scalar {
  const raw = valueIn(form, registers);
  if (declared?.type === "boolean") return Number(raw) !== 0;
  if (declared?.type === "choice") {
    const isWord = declared.values.some((one) => typeof one === "string");
    return (isWord ? declared.values[Number(raw)] : declared.values.find((one) => Number(one) === Number(raw))) ?? raw;
  }
  return typeof raw === "boolean" ? Number(raw) : raw;
}

/** A question that was asked before: its nouns, and its answer as long as their states are the same. */
interface Known {
  readonly entries: readonly Entry[];
  readonly nouns: readonly string[];
  answers: readonly Answer[];
  bytes: string;
}

/** Questions that are remembered. */
const mostKnown = 32;

export class RegisterMap {
  private readonly nouns: ServedNouns;
  private readonly allows: (verb: "GET" | "PUT" | "POST", noun: string) => boolean;
  private readonly report: (noun: string, sentence: string) => void;
  /** By table and address, the entry that is there. */
  private readonly places = new Map<Table, Map<number, Entry>>();
  private readonly known = new Map<string, Known>();

  /** @param report receives why a question was refused. */
  constructor(
    nouns: ServedNouns,
    allows: (verb: "GET" | "PUT" | "POST", noun: string) => boolean,
    registers: ServedRegisters,
    report: (noun: string, sentence: string) => void,
  ) {
    this.nouns = nouns;
    this.allows = allows;
    this.report = report;
    for (const table of Object.keys(tables) as Table[]) {
      const byAddress = new Map<number, Entry>();
      for (const entry of entriesOf(table, registers)) {
        for (let index = 0; index < entry.count; index++) byAddress.set(entry.at + index, entry);
      }
      this.places.set(table, byAddress);
    }
  }

  /**
   * Answers a question without framing.
   * @param by who asks, for the list of changes.
   * @param done called once, now or later, with the answer or an exception.
   * @returns ends what waits; `done` is not called then.
   */
  answer(question: string, by: string, done: (answer: string) => void): () => void {
    const code = question.charCodeAt(0);
    let waiting: PendingAnswer | undefined;
    let isOver = false;
    const refuse = (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.message !== "") this.report(error.noun || "modbusServer", `${by}: ${error.message}`);
      done(String.fromCharCode(code | 0x80, error.code));
    };
    /** Performs one step after the other. */
    const ask = (noun: RegisteredNoun, verb: "GET" | "PUT" | "POST", state: State, then: (answer: Answer) => void) => {
      waiting = noun.ask(
        verb,
        state,
        (answer) => {
          waiting = undefined;
          if (isOver) return;
          try {
            then(answer);
          } catch (error) {
            refuse(error);
          }
        },
        by,
      );
    };
    try {
      const table = (Object.keys(tables) as Table[]).find((one) => {
        const { read, writeOne, writeMany } = tables[one];
        return code === read || code === writeOne || code === writeMany;
      });
      if (table === undefined) throw new Refusal(illegalFunction);
      if (code === tables[table].read) this.read(question, table, ask, done);
      else this.write(question, table, ask, done);
    } catch (error) {
      refuse(error);
    }
    return () => {
      isOver = true;
      waiting?.abandon();
    };
  }

  /** @throws Refusal for a question that cannot be answered. */
  private read(question: string, table: Table, ask: Ask, done: (answer: string) => void): void {
    const known = this.known.get(question) ?? this.plan(question, table);
    const answers: Answer[] = [];
    const next = (): void => {
      const name = known.nouns[answers.length];
      if (name === undefined) {
        done(this.compose(question, table, known, answers));
        return;
      }
      ask(this.noun(name), "GET", emptyState, (answer) => {
        if (answer instanceof RefusalAnswer) throw new Refusal(unitFailure, name, answer.detail);
        answers.push(answer);
        next();
      });
    };
    next();
  }

  private noun(name: string): RegisteredNoun {
    const noun = this.nouns.find(name);
    if (noun === undefined) throw new Refusal(unitFailure, name, "there is no noun of this name");
    return noun;
  }

  /** @returns what a question reads. @throws Refusal. */
  private plan(question: string, table: Table): Known {
    if (question.length !== 5) throw new Refusal(illegalValue);
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    if (count < 1 || count > tables[table].mostRead) throw new Refusal(illegalValue);
    const entries = this.entriesAt(table, at, count);
    const nouns = [...new Set(entries.map(({ noun }) => noun))];
    for (const noun of nouns) {
      if (!this.allows("GET", noun)) throw new Refusal(illegalAddress, noun, 'it may not be read: see "may"');
    }
    const known: Known = { entries, nouns, answers: [], bytes: "" };
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.set(question, known);
    return known;
  }

  /** @throws Refusal where an address has nothing. */
  private entriesAt(table: Table, at: number, count: number): readonly Entry[] {
    const entries = new Set<Entry>();
    for (let index = 0; index < count; index++) {
      const entry = this.places.get(table)?.get(at + index);
      if (entry === undefined) throw new Refusal(illegalAddress);
      entries.add(entry);
    }
    return [...entries];
  }

  private compose(question: string, table: Table, known: Known, answers: readonly Answer[]): string {
    // The same answer again is the same state.
    if (known.bytes !== "" && answers.every((answer, index) => answer === known.answers[index])) return known.bytes;
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    const states = answers.map((answer) => stateOf(answer) ?? emptyState);
    const values: number[] = Array.from({ length: count }, () => 0);
    for (const entry of known.entries) {
      const state = states[known.nouns.indexOf(entry.noun)] ?? emptyState;
      const declared = this.shapeOf(entry.noun)?.[entry.key];
      let registers: readonly number[];
      try {
        registers = registersIn(entry, state[entry.key], declared);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        throw new Refusal(unitFailure, entry.noun, error.message);
      }
      for (const [index, register] of registers.entries()) {
        const place = entry.at + index - at;
        if (place >= 0 && place < count) values[place] = register;
      }
    }
    const bytes = tables[table].isBits ? bitsAsBytes(values) : values.map(word).join("");
    known.bytes = question.slice(0, 1) + String.fromCharCode(bytes.length) + bytes;
    known.answers = answers;
    return known.bytes;
  }

  private shapeOf(noun: string): Shape | undefined {
    return this.nouns.find(noun)?.noun.shape;
  }

  /** @throws Refusal for a question that cannot be done. */
  private write(question: string, table: Table, ask: Ask, done: (answer: string) => void): void {
    const { at, values } = writtenBy(question, table);
    const changes = this.changesOf(this.entriesAt(table, at, values.length), at, values);
    const isOne = question.charCodeAt(0) === tables[table].writeOne;
    const next = (): void => {
      const change = changes.shift();
      if (change === undefined) {
        done(isOne ? question : question.slice(0, 5));
        return;
      }
      const [name, state] = change;
      const noun = this.noun(name);
      const verb = this.allows("POST", name) ? "POST" : "PUT";
      const { shape } = noun.route(verb);
      try {
        if (shape !== undefined) checkState(shape, state);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        throw new Refusal(illegalValue, name, error.message);
      }
      ask(noun, verb, state, (answer) => {
        if (answer instanceof RefusalAnswer) throw new Refusal(unitFailure, name, answer.detail);
        if (answer.status >= 400) throw new Refusal(unitFailure, name, answer.note);
        next();
      });
    };
    next();
  }

  /** @returns the change of each noun. @throws Refusal for a noun that may not be written, and for a part of a value. */
  private changesOf(entries: readonly Entry[], at: number, values: readonly number[]): [noun: string, state: State][] {
    const changes = new Map<string, { [key: string]: Scalar }>();
    for (const entry of entries) {
      const { noun: name, key, count } = entry;
      const from = entry.at - at;
      if (from < 0 || from + count > values.length) {
        throw new Refusal(illegalAddress, name, `${JSON.stringify(key)} has ${count} registers, which are set at once`);
      }
      const noun = this.noun(name);
      if (!this.allows("POST", name) && !this.allows("PUT", name)) {
        throw new Refusal(illegalAddress, name, 'it may not be written: see "may"');
      }
      const declared = noun.noun.shape?.[key];
      if (!noun.isSettable || declared?.readOnly === true) {
        throw new Refusal(illegalAddress, name, `${JSON.stringify(key)} is read-only`);
      }
      const change = changes.get(name) ?? {};
      changes.set(name, change);
      change[key] = valueFor(entry, values.slice(from, from + count), declared);
    }
    return [...changes];
  }
}

type Ask = (noun: RegisteredNoun, verb: "GET" | "PUT" | "POST", state: State, then: (answer: Answer) => void) => void;

/** @returns what a question writes. @throws Refusal for one that is malformed. */
function writtenBy(question: string, table: Table): { at: number; values: readonly number[] } {
  const { writeOne, isBits, mostWritten } = tables[table];
  if (question.length < 5) throw new Refusal(illegalValue);
  const [at, second] = [wordAt(question, 1), wordAt(question, 3)];
  if (question.charCodeAt(0) === writeOne) {
    if (question.length !== 5 || (isBits && second !== 0 && second !== 0xff00)) throw new Refusal(illegalValue);
    return { at, values: [isBits ? second / 0xff00 : second] };
  }
  const length = isBits ? Math.ceil(second / 8) : second * 2;
  const isWhole = question.length === 6 + length && question.charCodeAt(5) === length;
  if (second < 1 || second > mostWritten || !isWhole) throw new Refusal(illegalValue);
  const values = Array.from({ length: second }, (_, index) =>
    isBits ? (question.charCodeAt(6 + (index >> 3)) >> (index & 7)) & 1 : wordAt(question, 6 + 2 * index),
  );
  return { at, values };
}
