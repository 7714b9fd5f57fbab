/**
 * Writes a value to a unit, and reads it back until the unit has it: some take it later, some say nothing, and some
 * only say that they took it.
 *
 *     await writeValue(unit, { keys, confirm: "answer" }, "watts", 1_500);
 */

import { HttpError } from "../../core/http/http-error.ts";
import type { Scalar } from "../../core/noun/state.ts";
import type { Table } from "./functions.ts";
import { type ModbusKey, powerIn, rawOf, spanOf, valueIn } from "./modbus-key.ts";
import type { ModbusOptions } from "./modbus-noun.ts";
import { ModbusError, type ModbusUnit } from "./unit.ts";

/** What counts of the options of the noun. */
type Options = Pick<ModbusOptions, "keys" | "confirm" | "timeout">;

/** ms until a value that was not taken is read again, doubled each time, and ms in all at most. */
const [firstRest, longestRest] = [50, 1_000];

/** @param name of its key. @throws HttpError 500 or 503 with what the unit says; StateError for what has no registers. */
export async function writeValue(unit: ModbusUnit, options: Options, name: string, value: Scalar): Promise<void> {
  const key = options.keys[name] as ModbusKey;
  const { read, at, confirm = options.confirm ?? "read" } = key;
  const table = read === "coil" ? "coil" : "holding";
  const raw = rawOf(name, key, value, await powerOf(unit, options, name));
  const isTaken = (kept: readonly number[]) => kept.every((one, index) => one === raw[index]);
  let wasSent = false;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await unit.write(table, at, raw);
      break;
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error;
      wasSent ||= error.wasSent;
      // The answer alone may have been lost. A value that is there already can be written again.
      const kept = error.wasSent && confirm === "read" ? await readBack(unit, read, at, raw.length) : undefined;
      if (kept !== undefined && isTaken(kept)) return;
      if (kept !== undefined && isFirst) continue;
      const may = wasSent && error.exception === undefined ? ", so it may have been written" : "";
      throw refusal(error.exception === undefined ? 503 : 500, name, `${error.message}${may}`);
    }
  }
  if (confirm === "answer") return;
  const end = Math.min(longestRest, options.timeout ?? 500);
  for (let rest = firstRest, waited = 0; ; rest *= 2) {
    const kept = await readBack(unit, read, at, raw.length);
    // It has taken the value, and cannot be asked for it.
    if (kept === undefined || isTaken(kept)) return;
    if (waited + rest > end) {
      throw refusal(500, name, `it has ${JSON.stringify(valueIn(key, kept, await powerOf(unit, options, name)))}`);
    }
    await unit.bus.rest(rest);
    waited += rest;
  }
}

function refusal(status: 500 | 503, name: string, reason: string): HttpError {
  return HttpError.keeping(status, `The unit did not take ${JSON.stringify(name)}: ${reason}.`);
}

/** @returns what a unit has; undefined if it cannot be read. */
export async function readBack(
  unit: ModbusUnit,
  table: Table,
  at: number,
  count: number,
): Promise<readonly number[] | undefined> {
  try {
    return await unit.read(table, at, count, true);
  } catch (error) {
    if (error instanceof ModbusError) return undefined;
    throw error;
  }
}

/** @returns the power of ten by which a value is scaled now. @throws HttpError 503 if it cannot be read. */
async function powerOf(unit: ModbusUnit, { keys }: Options, name: string): Promise<number> {
  const by = keys[name]?.scaleBy;
  const key = by === undefined ? undefined : keys[by];
  if (by === undefined || key === undefined) return 0;
  try {
    const { table, at, count } = spanOf(key);
    return powerIn(by, valueIn(key, await unit.read(table, at, count)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal(503, name, `its scale cannot be read: ${reason}`);
  }
}
