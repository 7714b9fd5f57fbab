/** The devices of the kernel's input layer and their codes, by /sys/class/input, for `--find`. */
import * as input from "nound:input";
import { inputCodes } from "../../hardware/open/input-codes.ts";
import { namesIn, textIn } from "./device-folders.ts";

/** An input device. */
export interface FoundInput {
  /** Its name, as the kind `input` has it. */
  readonly device: string;
  /** Of its file in /dev. It need not be there. */
  readonly path: string;
  /** The names of its keys, axes and switches. */
  readonly codes: readonly string[];
}

/** By the number of a type, its file in `capabilities`. */
const types = [
  [1, "key"],
  [2, "rel"],
  [5, "sw"],
] as const;

/** @returns whether a bit is set in words of the kernel: hexadecimal, the highest word first. */
export function hasBit(words: string, bit: number, wordBits: number): boolean {
  const all = words.split(" ");
  const word = all[all.length - 1 - Math.floor(bit / wordBits)] ?? "";
  const place = bit % wordBits;
  const digit = word[word.length - 1 - Math.floor(place / 4)] ?? "0";
  return ((Number.parseInt(digit, 16) >> (place % 4)) & 1) === 1;
}

/** @returns the devices in the order of their numbers. */
export async function findInputs(): Promise<readonly FoundInput[]> {
  const found: FoundInput[] = [];
  for (const name of await namesIn("/sys/class/input")) {
    if (!/^event[0-9]+$/.test(name)) continue;
    const folder = `/sys/class/input/${name}/device`;
    const device = await textIn(`${folder}/name`);
    if (device === undefined || device === "") continue;
    const words = new Map<number, string>();
    for (const [type, file] of types) words.set(type, (await textIn(`${folder}/capabilities/${file}`)) ?? "0");
    const codes = Array.from(inputCodes()).filter(({ type, code }) =>
      hasBit(words.get(type) ?? "0", code, input.wordBits),
    );
    found.push({ device, path: `/dev/input/${name}`, codes: codes.map((code) => code.name) });
  }
  return found;
}
