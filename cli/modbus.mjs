/**
 * `nound modbus FILE [PLACE] [UNIT]`: makes a noun of a map of a Modbus unit, as other programs use it: a template of
 * Wiren Board, or a map in the format MBMap 2.
 */

import { readFileSync } from "node:fs";
import { fail } from "../tools/build/configuration.mjs";
import { valuesOfMap } from "./modbus/mbmap.mjs";
import { nounsOf } from "./modbus/nouns.mjs";
import { valuesOfTemplate } from "./modbus/wiren-board.mjs";

const usage = "the command is: npx nound modbus FILE [DEVICE or SERVER:PORT] [UNIT]";

/** @returns the JSON of a file. Some templates have comments. */
function readMap(file) {
  try {
    const text = readFileSync(file, "utf8");
    const withoutComments = text.replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, string) => string ?? "",
    );
    return JSON.parse(withoutComments);
  } catch (error) {
    const isTemplate = file.endsWith(".jinja");
    const hint = isTemplate ? "; render it first: it is a program that writes JSON" : "";
    return fail(`${file} cannot be read: ${error.message}${hint}`);
  }
}

/** @returns the values of a map, whatever its format. */
function valuesOf(map, file) {
  if (Array.isArray(map?.device?.channels)) return valuesOfTemplate(map);
  if (map !== null && typeof map === "object" && (Array.isArray(map.registers) || map.registers instanceof Object)) {
    return valuesOfMap(map);
  }
  return fail(`${file} is neither a template of Wiren Board nor a map in the format MBMap 2`);
}

/** @param {readonly string[]} args the command line after `modbus`. */
export async function convertModbusMap(args) {
  const [file, place = "/dev/ttyS1", unit = "1", ...more] = args;
  if (file === undefined || more.length > 0 || !/^[0-9]{1,3}$/.test(unit)) fail(usage);
  const { title, values, left, options } = valuesOf(readMap(file), file);
  for (const reason of left) console.error(`nound: left out: ${reason}`);
  if (values.length === 0) fail(`${file} has no value that nound can read`);
  const where = place.startsWith("/") ? { device: place } : { server: place };
  const nouns = nounsOf({ title, values, options: { ...where, unit: Number(unit), ...options } });
  console.log(JSON.stringify(nouns, undefined, 2));
}
