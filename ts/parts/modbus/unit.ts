/**
 * A unit on a bus: reads and writes its four tables.
 *
 *     const unit = new ModbusUnit(bus, 1, 500, () => bus.close());
 *     await unit.read("holding", 40, 2); // [230, 1]
 */
import type { Milliseconds } from "../../native/units.ts";
import { type Ask, type Bus, type Failure, type ModbusCounts, noCounts, type Outcome } from "./bus.ts";
import {
  illegalFunction,
  type Question,
  readAnswer,
  readQuestion,
  type Table,
  tables,
  writeQuestion,
} from "./functions.ts";

/**
 * A question that has no answer, or an exception.
 *
 * @example
 * const meter = openModbus({ device: "/dev/ttyS1" });
 * meter.read("input", 0, 1).catch((error: unknown) => error instanceof ModbusError && error.exception);
 */
export class ModbusError extends Error {
  override readonly name = "ModbusError";
  /** The code of the exception by which the unit refuses; undefined if it does not answer. */
  readonly exception: number | undefined;
  /** Whether the question was sent and not answered: what it asked for may have been done. */
  readonly wasSent: boolean;

  /** @internal */
  constructor({ exception, reason, wasSent = false }: Failure) {
    super(reason);
    this.exception = exception;
    this.wasSent = wasSent;
  }
}

/**
 * A unit on a Modbus line or behind a Modbus server. Questions to the units of one bus are asked one after the other.
 *
 * @example
 * const meter: ModbusUnit = openModbus({ device: "/dev/ttyS1", baud: 9_600, unit: 1 });
 * const [volts = 0] = await meter.read("input", 0, 1);
 */
export class ModbusUnit {
  /** Counts of failures. */
  readonly counts: ModbusCounts = noCounts();
  /** @internal */
  readonly bus: Bus;
  private readonly number: number;
  private readonly time: Milliseconds;
  private readonly onClose: () => void;
  /** Whether the unit lacks the functions that write one value. */
  private writesMany = false;
  private isOpen = true;

  /** @internal */
  constructor(bus: Bus, number: number, time: Milliseconds, onClose: () => void) {
    this.bus = bus;
    this.number = number;
    this.time = time;
    this.onClose = onClose;
  }

  /**
   * Reads values.
   * @param table `coil` (function 1), `discrete` (2), `holding` (3) or `input` (4).
   * @param at the first address, from 0.
   * @param count at most 125 registers, or 2000 bits.
   * @param insists whether it asks also a unit that has just not answered.
   * @returns registers from 0 to 65535, or 0 and 1.
   * @throws ModbusError (a rejected promise); RangeError for addresses that no unit has.
   */
  async read(table: Table, at: number, count: number, insists = false): Promise<number[]> {
    checkRange(at, count, tables[table].mostRead);
    const answer = await this.ask(readQuestion(table, at, count), insists);
    return readAnswer(table, count, answer);
  }

  /**
   * Writes values: one by the function 5 or 6, several by 15 or 16. A unit without 5 and 6 gets 15 and 16 for one, too.
   * @param table `coil` or `holding`.
   * @param at the first address, from 0.
   * @param values registers from 0 to 65535, at most 123; or 0 and 1, at most 1968.
   * @throws as `read`.
   */
  async write(table: "coil" | "holding", at: number, values: readonly number[]): Promise<void> {
    checkRange(at, values.length, tables[table].mostWritten);
    const isOne = values.length === 1;
    try {
      await this.ask(writeQuestion(table, at, values, !isOne || this.writesMany), true);
    } catch (error) {
      const lacks = error instanceof ModbusError && error.exception === illegalFunction;
      if (!lacks || !isOne || this.writesMany) throw error;
      await this.ask(writeQuestion(table, at, values, true), true);
      this.writesMany = true;
    }
  }

  /** Closes it; with the last unit of a bus, the bus. Calling it again has no effect. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onClose();
  }

  /** @internal Asks a question in its turn. @param isUrgent as in `Ask`. @throws ModbusError (a rejected promise). */
  ask(question: Question, isUrgent = false): Promise<string> {
    return new Promise((resolve, reject) => {
      const done = (outcome: Outcome) =>
        typeof outcome === "string" ? resolve(outcome) : reject(new ModbusError(outcome));
      this.bus.ask(this.prepare(question, done, isUrgent));
    });
  }

  /** @internal @returns what may be asked any number of times. */
  prepare(question: Question, done: (outcome: Outcome) => void, isUrgent = false): Ask {
    return { unit: this.number, question, time: this.time, counts: this.counts, isUrgent, done };
  }
}

function checkRange(at: number, count: number, most: number): void {
  if (Number.isSafeInteger(at) && at >= 0 && count >= 1 && count <= most && at + count <= 65_536) return;
  throw new RangeError(`a question has 1 to ${most} addresses from 0 to 65535; these are ${count} from ${at} on`);
}
