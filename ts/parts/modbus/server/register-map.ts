/**
 * Nouns as coils and registers. A question takes the way of a request: the noun's queue, its shape, its guard.
 *
 *     const map = new RegisterMap(nouns, grant, { coil: { 0: "heater.on" } }, report);
 *     new Inquiry(map, { by: "modbus 192.0.2.7", onAnswer: send }).begin("\x01\0\0\0\x01");
 */
import type { NounDirectory } from "../../../core/feeds/noun-directory.ts";
import { checkState, type Key, type Shape } from "../../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../../core/noun/state.ts";
import { StateError } from "../../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../../core/operations/noun-route.ts";
import type { Asker, PendingAnswer } from "../../../core/operations/operation.ts";
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

/** Who asks a question. */
export interface Master {
  /** In words, for the list of changes. */
  readonly by: string;
  /** Called once, now or later, with the answer or an exception. */
  onAnswer(answer: string): void;
}

/** What a question asks of one noun. */
interface Step {
  readonly noun: string;
  readonly verb: "GET" | "PUT" | "POST";
  readonly state: State;
}

/** A question, and what it asks of which nouns, in this order. */
interface Plan {
  readonly question: string;
  readonly steps: readonly Step[];
  /** @returns the answer, once all nouns have answered. @throws Refusal. */
  compose(answers: readonly Answer[]): string;
}

const nothing: Plan = { question: "", steps: [], compose: () => "" };

/** Asks the nouns of one question after the other, for one master, which waits for each answer. */
export class Inquiry implements Asker {
  readonly hasNoPlace = true;
  /** The operation that it waits for. */
  private waiting: PendingAnswer | undefined;
  private readonly map: RegisterMap;
  private readonly master: Master;
  private plan: Plan = nothing;
  private answers: Answer[] = [];

  constructor(map: RegisterMap, master: Master) {
    this.map = map;
    this.master = master;
  }

  /** Whether it waits for a noun. */
  get isWaiting(): boolean {
    return this.waiting !== undefined;
  }

  /** Asks a question without framing. */
  begin(question: string): void {
    const { map } = this;
    try {
      this.plan = map.planOf(question);
    } catch (error) {
      this.master.onAnswer(map.refused(question, this.master.by, error));
      return;
    }
    this.answers = [];
    this.advance();
  }

  onAnswer(): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting?.answer !== undefined) this.advance(waiting.answer);
  }

  /** The master is gone, or has gone on. */
  abandon(): void {
    this.waiting?.abandon();
    this.waiting = undefined;
  }

  /** @param answer of the noun that it waited for. */
  private advance(answer?: Answer): void {
    const { answers, map, master, plan } = this;
    const { steps } = plan;
    let outcome: Answer | PendingAnswer | undefined = answer;
    let bytes: string;
    try {
      for (;;) {
        const step = steps[answers.length];
        if (step === undefined) break;
        outcome ??= map.perform(step, this, master.by);
        if (outcome.status === undefined) {
          this.waiting = outcome;
          return;
        }
        if (outcome.status !== 200) throw refusalOf(step, outcome);
        answers.push(outcome);
        outcome = undefined;
      }
      bytes = plan.compose(answers);
    } catch (error) {
      bytes = map.refused(plan.question, master.by, error);
    }
    master.onAnswer(bytes);
  }
}

function refusalOf({ noun }: Step, answer: Answer): Refusal {
  return new Refusal(unitFailure, noun, answer instanceof RefusalAnswer ? answer.detail : answer.note);
}

/** A question that was asked before: what it reads, and its answer as long as the nouns give the same ones. */
class Known implements Plan {
  readonly question: string;
  readonly steps: readonly Step[];
  private readonly table: Table;
  private readonly entries: readonly Entry[];
  private readonly shapeOf: (noun: string) => Shape | undefined;
  private answers: readonly Answer[] = [];
  private bytes = "";

  constructor(question: string, table: Table, entries: readonly Entry[], shapeOf: (noun: string) => Shape | undefined) {
    this.question = question;
    this.table = table;
    this.entries = entries;
    this.shapeOf = shapeOf;
    this.steps = [...new Set(entries.map(({ noun }) => noun))].map((noun) => ({
      noun,
      verb: "GET",
      state: emptyState,
    }));
  }

  compose(answers: readonly Answer[]): string {
    // The same answer again is the same state.
    let index = this.bytes === "" ? -1 : 0;
    while (index >= 0 && index < answers.length) index = answers[index] === this.answers[index] ? index + 1 : -1;
    if (index >= 0) return this.bytes;
    const { question, table } = this;
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    const states = new Map(this.steps.map(({ noun }, index) => [noun, stateOf(answers[index]) ?? emptyState]));
    const values: number[] = Array.from({ length: count }, () => 0);
    for (const entry of this.entries) {
      const registers = this.registersOf(entry, states.get(entry.noun) ?? emptyState);
      for (const [index, register] of registers.entries()) {
        const place = entry.at + index - at;
        if (place >= 0 && place < count) values[place] = register;
      }
    }
    const bytes = tables[table].isBits ? bitsAsBytes(values) : values.map(word).join("");
    this.bytes = question.slice(0, 1) + String.fromCharCode(bytes.length) + bytes;
    this.answers = answers;
    return this.bytes;
  }

  private registersOf(entry: Entry, state: State): readonly number[] {
    try {
      return registersIn(entry, state[entry.key], this.shapeOf(entry.noun)?.[entry.key]);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      throw new Refusal(unitFailure, entry.noun, error.message);
    }
  }
}

function checkStep({ noun, state }: Step, shape: Shape | undefined): void {
  try {
    if (shape !== undefined) checkState(shape, state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new Refusal(illegalValue, noun, error.message);
  }
}

/** Questions that are remembered. */
const mostKnown = 32;

/** The tables by the functions that read and write them. */
const tablesByFunction = new Map(
  (Object.keys(tables) as Table[]).flatMap((table) => {
    const { read, writeOne, writeMany } = tables[table];
    return [read, writeOne, writeMany].map((code) => [code, table] as const);
  }),
);

export class RegisterMap {
  private readonly nouns: NounDirectory;
  private readonly allows: (verb: "GET" | "PUT" | "POST", noun: string) => boolean;
  private readonly report: (noun: string, sentence: string) => void;
  /** By table and address, the entry that is there. */
  private readonly places = new Map<Table, Map<number, Entry>>();
  private readonly known = new Map<string, Known>();

  /** @param report receives why a question was refused. */
  constructor(
    nouns: NounDirectory,
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

  /** @param question without framing. @returns what it asks of which nouns. @throws Refusal if it cannot be answered. */
  planOf(question: string): Plan {
    return this.known.get(question) ?? this.plan(question);
  }

  /** @returns the exception for a refusal, which is told. @throws any other error. */
  refused(question: string, by: string, error: unknown): string {
    if (!(error instanceof Refusal)) throw error;
    if (error.message !== "") this.report(error.noun || "modbusServer", `${by}: ${error.message}`);
    return String.fromCharCode(question.charCodeAt(0) | 0x80, error.code);
  }

  /** Takes a step. @throws Refusal. */
  perform(step: Step, asker: Asker, by: string): Answer | PendingAnswer {
    const route = this.noun(step.noun).route(step.verb);
    if (step.verb !== "GET") checkStep(step, route.shape);
    return route.perform(step.state, asker, by);
  }

  private noun(name: string): RegisteredNoun {
    const noun = this.nouns.find(name);
    if (noun === undefined) throw new Refusal(unitFailure, name, "there is no noun of this name");
    return noun;
  }

  /** @throws Refusal for a question that cannot be answered. */
  private plan(question: string): Plan {
    const code = question.charCodeAt(0);
    const table = tablesByFunction.get(code);
    if (table === undefined) throw new Refusal(illegalFunction);
    return code === tables[table].read ? this.planRead(question, table) : this.planWrite(question, table);
  }

  private planRead(question: string, table: Table): Plan {
    if (question.length !== 5) throw new Refusal(illegalValue);
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    if (count < 1 || count > tables[table].mostRead) throw new Refusal(illegalValue);
    const known = new Known(question, table, this.entriesAt(table, at, count), (noun) => this.shapeOf(noun));
    for (const { noun } of known.steps) {
      if (!this.allows("GET", noun)) throw new Refusal(illegalAddress, noun, 'it may not be read: see "may"');
    }
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.set(question, known);
    return known;
  }

  private planWrite(question: string, table: Table): Plan {
    const { at, values } = writtenBy(question, table);
    const changes = this.changesOf(this.entriesAt(table, at, values.length), at, values);
    const isOne = question.charCodeAt(0) === tables[table].writeOne;
    return {
      question,
      steps: changes.map(([noun, state]) => ({ noun, verb: this.allows("POST", noun) ? "POST" : "PUT", state })),
      compose: () => (isOne ? question : question.slice(0, 5)),
    };
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

  private shapeOf(noun: string): Shape | undefined {
    return this.nouns.find(noun)?.face.shape;
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
      const declared = noun.face.shape?.[key];
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
