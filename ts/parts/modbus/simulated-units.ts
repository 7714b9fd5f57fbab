/**
 * Units on a simulated bus: the other end of a link, which answers as the protocol demands.
 *
 *     const units = new SimulatedUnits("rtu");
 *     units.unit(1).holding.set(40, 230);
 *     units.answer(rtuFrame(1, "\x03\x00\x28\x00\x01")); // a frame with 230
 */
import type { Link, LinkHandler } from "./bus.ts";
import { findQuestion, rtuFrame, takeTcpFrame, tcpFrame } from "./framing.ts";
import { bitsAsBytes, type Table, tables, word, wordAt } from "./functions.ts";

/**
 * A simulated unit, seen from its side. An address that was never set has 0.
 *
 * @example
 * const meter: SimulatedUnit = modbusUnit("/dev/ttyS1", 1);
 * meter.input.set(0, 2_301);
 */
export class SimulatedUnit {
  /** The outputs, 0 or 1 by address. */
  readonly coil = new Map<number, number>();
  /** The inputs of one bit. */
  readonly discrete = new Map<number, number>();
  /** The registers that can be set. */
  readonly holding = new Map<number, number>();
  /** The registers that only the unit sets. */
  readonly input = new Map<number, number>();
  /** Whether it does not answer. */
  isAbsent = false;
  /** The code of the exception by which it refuses everything; undefined if it does not. */
  exception: number | undefined;

  /** @internal Performs a question without framing. @returns the answer. */
  answer(question: string): string {
    const code = question.charCodeAt(0);
    const refuse = (exception: number) => String.fromCharCode(code | 0x80, exception);
    if (this.exception !== undefined) return refuse(this.exception);
    if (question.length < 5) return refuse(3);
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    for (const [table, { read, writeOne, writeMany, mostRead, mostWritten, isBits }] of Object.entries(tables)) {
      const values = this[table as Table];
      if (code === read) {
        if (count < 1 || count > mostRead) return refuse(3);
        if (at + count > 65_536) return refuse(2);
        const found = Array.from({ length: count }, (_, index) => values.get(at + index) ?? 0);
        const bytes = isBits ? bitsAsBytes(found) : found.map(word).join("");
        return question.slice(0, 1) + String.fromCharCode(bytes.length) + bytes;
      }
      if (code === writeOne) {
        if (isBits && count !== 0 && count !== 0xff00) return refuse(3);
        values.set(at, isBits ? count / 0xff00 : count);
        return question;
      }
      if (code === writeMany) {
        const length = isBits ? Math.ceil(count / 8) : count * 2;
        if (count < 1 || count > mostWritten || question.charCodeAt(5) !== length) return refuse(3);
        if (question.length !== 6 + length) return refuse(3);
        if (at + count > 65_536) return refuse(2);
        for (let index = 0; index < count; index++) {
          const bit = (question.charCodeAt(6 + (index >> 3)) >> (index & 7)) & 1;
          values.set(at + index, isBits ? bit : wordAt(question, 6 + 2 * index));
        }
        return question.slice(0, 5);
      }
    }
    return refuse(1);
  }
}

/** The units of one bus. As a link, they answer in the next turn of the promises. */
export class SimulatedUnits implements Link {
  readonly isEchoing = false;
  private readonly units = new Map<number, SimulatedUnit>();
  private readonly framing: "rtu" | "tcp";
  private handler: LinkHandler | undefined;

  constructor(framing: "rtu" | "tcp") {
    this.framing = framing;
  }

  /** @returns the unit, the same for each call with the same number. */
  unit(number: number): SimulatedUnit {
    const unit = this.units.get(number) ?? new SimulatedUnit();
    this.units.set(number, unit);
    return unit;
  }

  open(handler: LinkHandler, done: (reason?: string) => void): void {
    this.handler = handler;
    done();
  }

  send(bytes: string): void {
    const answer = this.answer(bytes);
    if (answer !== "") void Promise.resolve().then(() => this.handler?.onBytes(answer));
  }

  close(): void {
    this.handler = undefined;
  }

  /** @param bytes a framed question. @returns the framed answer; "" for none. */
  answer(bytes: string): string {
    if (this.framing === "tcp") {
      const frame = takeTcpFrame(bytes);
      const unit = frame && this.units.get(frame.unit);
      if (frame === undefined || unit === undefined || unit.isAbsent) return "";
      return tcpFrame(frame.transaction, frame.unit, unit.answer(frame.bytes));
    }
    const frame = findQuestion(bytes);
    const unit = frame && this.units.get(frame.unit);
    return frame === undefined || unit === undefined || unit.isAbsent
      ? ""
      : rtuFrame(frame.unit, unit.answer(frame.bytes));
  }
}
