/**
 * `nound convert FILE`: makes a configuration of one of MQTT IO (before 2021: PI MQTT GPIO), a program in Python that
 * has lines and sensors at a broker.
 */

import { readFileSync } from "node:fs";
import { isMap, LineCounter, parseDocument } from "yaml";
import { fail } from "../tools/build/configuration.mjs";
import { configurationOf } from "./convert/mqtt-io.mjs";

/** @returns what a file in YAML says, and what it says in vain, each with the reason. */
function readYaml(file) {
  try {
    const lines = new LineCounter();
    // As PyYAML reads it: of two equal keys the last one counts, and a number with an exponent has a point, so that
    // 000803702e49 is an address.
    const customTags = (tags) => tags.filter(({ format }) => format !== "EXP");
    const options = { version: "1.1", logLevel: "error", customTags, uniqueKeys: false, lineCounter: lines };
    const document = parseDocument(readFileSync(file, "utf8"), options);
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const pairs = isMap(document.contents) ? document.contents.items : [];
    const inVain = pairs
      .filter(({ key }, at) => pairs.findLastIndex((other) => String(other.key) === String(key)) > at)
      .map(({ key }) => {
        const { line } = lines.linePos(key.range[0]);
        return `${key} of line ${line}: the file has it again, and MQTT IO takes the last one`;
      });
    return { says: document.toJS(), inVain };
  } catch (error) {
    return fail(`${file} cannot be read: ${error.message}`);
  }
}

/** @param {readonly string[]} args the command line after `convert`. */
export async function convertConfiguration(args) {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0) fail("the command is: npx nound convert FILE");
  const { says, inVain } = readYaml(file);
  const { configuration, left, steps } = configurationOf(says);
  for (const reason of [...inVain, ...left]) console.error(`nound: left out: ${reason}`);
  if (Object.keys(configuration.nouns).length === 0) fail(`${file} has nothing that nound can serve`);
  for (const step of steps) console.error(`nound: to do: ${step}`);
  console.log(JSON.stringify(configuration, undefined, 2));
}
