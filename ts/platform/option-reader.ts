/** Reads command lines: those of the stock program, and of an application that calls `serve`. */

import { didYouMean } from "../core/noun/nearest-word.ts";
import { isListenAddress } from "./listen-address.ts";
import { exitStatus, StartError } from "./start-error.ts";

/** The options that a program's command line may have. */
export interface Grammar {
  /** The program's name. */
  readonly name: string;
  /** The options with a value: what the value is, as the help has it. */
  readonly values: { readonly [option: string]: string };
  readonly flags: readonly string[];
  /** @returns what a word means that is no option, as a flag; undefined if it means nothing. */
  readonly wordOf?: (word: string, flags: ReadonlySet<string>) => string | undefined;
  /** @returns what a word that means nothing may have been meant to be; undefined if nothing is like it. */
  readonly suggest?: (word: string) => string | undefined;
}

/** The content of a command line. */
export interface GivenOptions {
  /** The values of each option, in their order. */
  readonly values: { readonly [option: string]: readonly string[] };
  readonly flags: ReadonlySet<string>;
  /** The words behind `--`; undefined without it. */
  readonly rest: readonly string[] | undefined;
}

/** @throws StartError with the status for wrong usage. */
export function refuseUsage({ name }: Pick<Grammar, "name">, sentence: string): never {
  throw new StartError(`${sentence}; see ${name} --help`, exitStatus.usage);
}

const shortOptions: { readonly [option: string]: string } = { "-c": "--config", "-h": "--help" };

/** @throws StartError if it is missing, or no address. */
function checkValue(grammar: Grammar, option: string, written: string, value: string | undefined): string {
  const what = grammar.values[option];
  if (option === "--listen" && value !== undefined && !isListenAddress(value)) {
    const examples = `127.0.0.1:8080, [::1]:8080 or unix:/run/${grammar.name}.sock`;
    refuseUsage(grammar, `--listen takes an address such as ${examples}, not "${value}"`);
  }
  if (value === undefined || value === "") refuseUsage(grammar, `${written} needs its ${what}`);
  // A value that begins with a hyphen is probably an option. A file with such a name can be given as ./-name.
  if (value.startsWith("-")) refuseUsage(grammar, `${written} needs its ${what}, found ${value}`);
  return value;
}

function unknownWord(word: string, { flags, values, suggest }: Grammar): string {
  if (word.startsWith("-")) {
    return `unknown option ${word}${didYouMean(word, [...Object.keys(values), ...flags, "--reload"])}`;
  }
  const meant = suggest?.(word);
  return `unexpected argument ${word}${meant === undefined ? "" : `, did you mean ${meant}?`}`;
}

/**
 * @param args a command line without the program's name. What follows `--help` or `--version` is not read.
 * @throws StartError with the status for wrong usage.
 */
export function readOptions(args: readonly string[], grammar: Grammar): GivenOptions {
  const end = args.indexOf("--");
  const words = (end < 0 ? args : args.slice(0, end)).values();
  const values: { [option: string]: string[] } = {};
  const flags = new Set<string>();
  for (const word of words) {
    const [written = "", attached] = word.startsWith("--") ? word.split(/=(.*)/s) : [word];
    const option = shortOptions[written] ?? written;
    if (Object.hasOwn(grammar.values, option)) {
      const value = checkValue(grammar, option, written, attached ?? words.next().value);
      values[option] = [...(values[option] ?? []), value];
    } else if (grammar.flags.includes(option)) {
      if (attached !== undefined) refuseUsage(grammar, `${option} takes no value`);
      flags.add(option);
      if (option === "--help" || option === "--version") break;
    } else {
      flags.add(grammar.wordOf?.(word, flags) ?? refuseUsage(grammar, unknownWord(written, grammar)));
    }
  }
  return { values, flags, rest: end < 0 ? undefined : args.slice(end + 1) };
}
