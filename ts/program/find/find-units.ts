/** `--find modbus`: asks every unit of a serial line for a register, and prints those that answer as nouns. */

import { checkModbusDevice, openModbus } from "../../parts/modbus/modbus.ts";
import { ModbusError, type ModbusUnit } from "../../parts/modbus/unit.ts";
import { reachHardware } from "../../platform/platform.ts";
import { exitStatus, StartError, sentenceOf } from "../../platform/start-error.ts";
import { printNoun, printSentence } from "./printed.ts";

/** A serial line, and how its units talk: `19200 8E1`. */
export interface SerialLine {
  readonly device: string;
  readonly baud: number | string;
}

/** ms that each unit has for an answer. Most need less than 50. */
const answerTime = 100;

/** The last unit that the standard allows on a line. */
const lastUnit = 247;

/** The exceptions of a gateway that got no answer of the unit: nobody is there. */
const fromGateway: readonly unknown[] = [10, 11];

/** The tables that may be read without any effect: the functions 3 and 4. */
const tables = ["holding", "input"] as const;

/** The answer of a unit to one question: `words` are the end of a sentence, and a value is no exception. */
interface Answer {
  readonly table: (typeof tables)[number];
  readonly words: string;
  readonly isValue: boolean;
}

/** How often the silent units are asked, as long as an answer came after its time. */
const mostRounds = 4;

/** Asks for register 0. @returns the answer; undefined if none came. */
async function answerOf(unit: ModbusUnit, table: Answer["table"]): Promise<Answer | undefined> {
  try {
    const [value] = await unit.read(table, 0, 1, true);
    return { table, words: `register 0 of "${table}" is ${value}`, isValue: true };
  } catch (error) {
    if (!(error instanceof ModbusError)) throw error;
    const { exception, message } = error;
    const isAnswer = exception !== undefined && !fromGateway.includes(exception);
    return isAnswer ? { table, words: `${message}, asked for register 0 of "${table}"`, isValue: false } : undefined;
  }
}

/** @returns the better answer of a unit: a value rather than an exception. */
async function bestAnswer(unit: ModbusUnit): Promise<Answer | undefined> {
  let best: Answer | undefined;
  for (const table of tables) {
    const answer = await answerOf(unit, table);
    // A unit that is silent takes its whole time for each question.
    if (answer === undefined || answer.isValue) return answer ?? best;
    best ??= answer;
  }
  return best;
}

/** Prints a unit for people, and as a noun. */
function printUnit(line: SerialLine, unit: number, { table, words }: Answer): void {
  const noun = { kind: "modbus", ...line, unit, keys: { register0: { at: `${table} 0` } } };
  printSentence(`unit ${unit} answers: ${words}`);
  printNoun(`unit${unit}`, noun);
}

/** @returns how many answers have come after their time, each while another unit was asked. */
function lateAnswers(units: readonly ModbusUnit[]): number {
  return units.reduce((sum, { counts }) => sum + counts.late, 0);
}

/**
 * Asks all units, one after the other, and prints each that answers. If an answer comes too late, its unit is among the
 * silent ones, which are asked again. @throws StartError if no unit answers.
 */
export async function findUnits(line: SerialLine): Promise<void> {
  reachHardware();
  const { device, baud } = line;
  try {
    checkModbusDevice(line);
  } catch (error) {
    throw new StartError(sentenceOf(error), exitStatus.unavailable);
  }
  const asked = `baud ${baud}`;
  const longest = Math.ceil((lastUnit * (answerTime + (15 * 11_000) / Number.parseInt(String(baud), 10))) / 1_000);
  printSentence(`asking units 1 to ${lastUnit} of ${device} (${asked}): ${longest} s, or longer if answers are late`);
  const units = Array.from({ length: lastUnit }, (_, index) =>
    openModbus({ ...line, unit: index + 1, timeout: answerTime }),
  );
  let silent = [...units.entries()];
  for (let round = 0, isWorthIt = true; round < mostRounds && isWorthIt; round++) {
    const late = lateAnswers(units);
    const asked = silent;
    silent = [];
    for (const entry of asked) {
      const [index, unit] = entry;
      const answer = await bestAnswer(unit);
      if (answer === undefined) silent.push(entry);
      else printUnit(line, index + 1, answer);
    }
    // If the answer of the last one is late, it comes while another one is asked.
    const [first, other] = silent;
    const answer = first && other && (await answerOf(first[1], "holding"));
    isWorthIt = answer !== undefined || late !== lateAnswers(units);
  }
  for (const unit of units) unit.close();
  if (silent.length < units.length) return;
  const remedy = "try another rate or parity, as in `nound --find modbus DEVICE 19200 8E1`, or swap the wires A and B";
  throw new StartError(`no unit of ${device} answers (${asked}); ${remedy}`, exitStatus.unavailable);
}
