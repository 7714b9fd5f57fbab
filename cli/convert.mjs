/**
 * `nound convert FILE`: makes a configuration of one of MQTT IO (before 2021: PI MQTT GPIO), a program in Python that
 * has lines and sensors at a broker.
 */

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { fail } from "../tools/build/configuration.mjs";
import { configurationOf } from "./convert/mqtt-io.mjs";

/** @returns what a file in YAML says. */
function readYaml(file) {
  try {
    // As PyYAML reads it: of two equal keys the last one counts, and a number with an exponent has a point, so that
    // 000803702e49 is an address.
    const customTags = (tags) => tags.filter(({ format }) => format !== "EXP");
    return parse(readFileSync(file, "utf8"), { version: "1.1", logLevel: "error", customTags, uniqueKeys: false });
  } catch (error) {
    return fail(`${file} cannot be read: ${error.message}`);
  }
}

/** @param {readonly string[]} args the command line after `convert`. */
export async function convertConfiguration(args) {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0) fail("the command is: npx nound convert FILE");
  const { configuration, left, steps } = configurationOf(readYaml(file));
  for (const reason of left) console.error(`nound: left out: ${reason}`);
  if (Object.keys(configuration.nouns).length === 0) fail(`${file} has nothing that nound can serve`);
  for (const step of steps) console.error(`nound: to do: ${step}`);
  console.log(JSON.stringify(configuration, undefined, 2));
}
