/** `--find`: prints a configuration of what the device has and is safe to serve, and a table for people. */

import { deviceModel } from "../../platform/device-model.ts";
import { oneLine } from "../../platform/one-line.ts";
import { hardware, interruption, reachHardware, system } from "../../platform/platform.ts";
import type { JsonObject } from "../../settings/json.ts";
import { mistakesOf } from "../../settings/setting.ts";
import { readConfiguration } from "../configuration/configuration.ts";
import { tryHardware } from "../configuration/try-hardware.ts";
import { busTable, pwmTable, serialTable } from "./bus-table.ts";
import { namesIn } from "./device-folders.ts";
import { lineTable } from "./line-table.ts";
import { missingParts } from "./missing-parts.ts";
import { nounNameFor } from "./printed.ts";
import { findNouns, type Refused } from "./servable-nouns.ts";

/** The noun that every machine has. */
const machine: JsonObject = { kind: "sensor", device: "system", title: "This machine" };

/** @returns why the noun cannot be served here; undefined if it can, and gives values. */
async function whyNot(name: string, noun: JsonObject): Promise<string | undefined> {
  try {
    const configuration = interruption.exempt(() => readConfiguration({ nouns: { [name]: noun } }));
    return (await tryHardware(configuration)).mistakes.get(name);
  } catch (error) {
    const [mistake] = mistakesOf(error) ?? [];
    if (mistake === undefined) throw error;
    return `a configuration cannot contain its names: ${mistake}`;
  }
}

/** Names of the system may have control characters, which must not reach the terminal. */
function printedJson(value: unknown): string {
  return oneLine(JSON.stringify(value));
}

/** @returns the text of a configuration, a line for each noun. */
function configurationOf(nouns: ReadonlyMap<string, JsonObject>, model: string): string {
  const lines = Array.from(nouns, ([name, noun]) => `    ${printedJson(name)}: ${printedJson(noun)}`);
  const comment = printedJson(`Found by nound --find${model === "" ? "" : ` on ${model}`}. Add outputs yourself.`);
  return `{\n  "$comment": ${comment},\n  "listen": "127.0.0.1:8080",\n  "nouns": {\n${lines.join(",\n")}\n  }\n}\n`;
}

/** Files that this user needs and may not open. */
async function refusedFiles(refused: readonly Refused[]): Promise<readonly Refused[]> {
  const chips = hardware()
    .gpio.listChips()
    .filter(({ refusal }) => refusal !== "");
  const others = chips.map(({ name }): Refused => ({ path: `/dev/${name}`, what: `the GPIO chip ${name}` }));
  for (const name of await namesIn("/dev")) {
    const path = `/dev/${name}`;
    if (!/^(?:i2c-[0-9]|spidev[0-9])/.test(name) || system.accessOf(path)?.isWritable !== false) continue;
    others.push({ path, what: name.startsWith("i2c") ? `the I2C bus ${name}` : `the SPI device ${name}` });
  }
  return [...refused, ...others];
}

/** @returns the command that gives the permission. */
function permission({ path, what }: Refused): string {
  const [first = ""] = path.split(" ");
  const group = system.accessOf(first)?.group ?? "";
  const command =
    group === ""
      ? `sudo chown $USER ${path} (until the next start; docs/hardware.md has a rule that lasts)`
      : `sudo usermod -aG ${group} $USER, then log in again`;
  return `${what}: ${command}`;
}

async function section(title: string, lines: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(`  ${oneLine(line)}\n`);
  return all.length === 0 ? "" : `\n${title}\n${all.join("")}`;
}

/** Prints the configuration to standard output and the table to standard error. Nothing of the hardware changes. */
export async function find(): Promise<void> {
  reachHardware();
  const model = deviceModel() ?? "";
  const { candidates, leftOut, refused } = await findNouns();
  const nouns = new Map<string, JsonObject>([["system", machine]]);
  const silent: string[] = [];
  for (const { title, noun } of candidates) {
    const name = nounNameFor(title, nouns);
    const reason = await whyNot(name, noun);
    if (reason === undefined) nouns.set(name, { ...noun, title });
    else silent.push(`${title}: ${reason}`);
  }
  system.printOutput(configurationOf(nouns, model));
  const device = model === "" ? "a device without a name" : model;
  const served = `${nouns.size === 1 ? "1 noun" : `${nouns.size} nouns`} in the configuration on standard output`;
  const table = [
    `${oneLine(`${device}, Linux ${system.kernelRelease()}, nound ${system.version}: ${served}`)}\n`,
    await section("GPIO lines, for gpio-input and gpio-output (--find claims no output):", lineTable()),
    await section("Buses:", busTable()),
    await section("PWM channels:", pwmTable()),
    await section("Serial devices:", serialTable()),
    await section("Present, but not in the configuration:", [...leftOut, ...silent]),
    await section("Missing permissions:", (await refusedFiles(refused)).map(permission)),
    (await namesIn("/sys")).length === 0
      ? "\nThere is no /sys here, as in some containers, so nothing else can be seen. Run it on the device itself.\n"
      : await section("This kernel does not have:", missingParts(model)),
    "\nTo serve it: nound --find > nound.json, then nound --config nound.json.\n" +
      "nound --find button names the line or the key of a button that you press.\n",
  ];
  system.printError(table.join(""));
}
