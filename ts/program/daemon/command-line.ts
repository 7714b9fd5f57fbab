/** Parses the command line. commands.ts and daemon.ts perform what it asks for. */

import { nearestWord } from "../../core/noun/nearest-word.ts";
import { baudPattern } from "../../parts/modbus/baud.ts";
import { type Grammar, readOptions, refuseUsage } from "../../platform/option-reader.ts";
import type { Account } from "../configuration/configuration.ts";
import type { SerialLine } from "../find/find-units.ts";

/** The request of the command line. */
export type Command =
  | { readonly action: "help" }
  | { readonly action: "version" | "bom" }
  | { readonly action: "find" | "find-button" }
  | { readonly action: "find-units"; readonly line: SerialLine }
  | ServeCommand
  | { readonly action: "new-token"; readonly name: string }
  | CheckCommand;

/** Options that replace those of a configuration. */
interface Replacements {
  /** If empty, the configuration's addresses are used. */
  readonly listen: readonly string[];
  /** The user to become. */
  readonly account: Account | undefined;
}

/**
 * Check a configuration; print its certificate's fingerprints, the service file for Avahi, or what it opens, allows and
 * stores; or delete what nound has stored of its device.
 */
export interface CheckCommand extends Replacements {
  readonly action: (typeof withConfiguration)[number];
  readonly config: string;
  /** Whether `--evidence` prints JSON. */
  readonly isJson: boolean;
  /** Whether `--forget` also deletes the files of tokens, passwords, keys and certificates that the configuration names. */
  readonly isAll: boolean;
}

/** Serve, from a configuration or, without one, the demonstration. */
export interface ServeCommand extends Replacements {
  readonly action: "serve";
  /** The path of the configuration; undefined for the demonstration. */
  readonly config: string | undefined;
}

/** What is done with a configuration, but for serving it. */
const withConfiguration = ["check", "avahi", "certificate", "forget", "evidence"] as const;

/** The options that may be given once, each with the reason. */
const onlyOnce = {
  "--config": "only one configuration can be served",
  "--new-token": "only one token can be made",
  "--user": "the program can become only one user",
  "--group": "the user's other groups are added anyway",
} as const;

const grammar: Grammar = {
  name: "nound",
  values: { "--config": "FILE", "--listen": "ADDRESS", "--new-token": "NAME", "--user": "NAME", "--group": "NAME" },
  flags: [
    ...["--help", "--version", "--simulate", "--check", "--avahi", "--certificate", "--debug", "--find", "--forget"],
    ...["--evidence", "--bom"],
  ],
  wordOf(word, flags) {
    if (flags.has("modbus")) return /^(?:\/.+|[0-9]{3,7}|8[NEO][12]|rs485)$/.test(word) ? word : undefined;
    if (flags.has("--forget") && word === "all") return word;
    if (flags.has("--evidence") && word === "json") return word;
    return flags.has("--find") && ["button", "modbus"].includes(word) ? word : undefined;
  },
  suggest(word) {
    const what = nearestWord(word, ["button"]);
    if (what !== undefined) return `--find ${what}`;
    return word.endsWith(".json") ? `--config ${word}` : undefined;
  },
};

const refuse = (sentence: string): never => refuseUsage(grammar, sentence);

/** @param words those behind `--find`. */
function findCommand(words: readonly string[]): Command {
  const [what, ...others] = words;
  if (what !== "modbus") {
    if (others.length > 0) refuse("--find can be followed by button or modbus DEVICE, but not by two of them");
    return { action: what === undefined ? "find" : "find-button" };
  }
  const devices = others.filter((word) => word.startsWith("/"));
  const baud = others.filter((word) => !word.startsWith("/")).join(" ") || "9600";
  const [device, ...more] = devices;
  if (device === undefined || more.length > 0 || !baudPattern.test(baud)) {
    return refuse("--find modbus needs one serial device, as in nound --find modbus /dev/ttyS1 19200 8E1");
  }
  return { action: "find-units", line: { device, baud: /^[0-9]+$/.test(baud) ? Number(baud) : baud } };
}

/**
 * @param args the command line without the program's name.
 * @returns what it asks for. `--help` and `--version` take precedence over everything after them.
 * @throws StartError with the status for wrong usage.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, flags, rest } = readOptions(args, grammar);
  for (const action of ["help", "version", "bom"] as const) if (flags.has(`--${action}`)) return { action };
  if (rest !== undefined) refuse("unexpected argument --");
  const only = (option: keyof typeof onlyOnce): string | undefined => {
    const [value, ...more] = values[option] ?? [];
    return more.length > 0 ? refuse(`${option} is given twice, and ${onlyOnce[option]}`) : value;
  };
  const [config, name] = [only("--config"), only("--new-token")];
  const [user, group, listen] = [only("--user"), only("--group"), values["--listen"] ?? []];
  const isAlone = Object.keys(values).length + listen.length + flags.size === 1;
  if (name !== undefined) {
    if (!isAlone) refuse("--new-token NAME cannot be combined with other options");
    return { action: "new-token", name };
  }
  if (flags.has("--find")) {
    const [, ...words] = flags;
    const isMixed = words.some((word) => word.startsWith("-"));
    if (isMixed || Object.keys(values).length > 0)
      refuse("--find can be followed by button or modbus DEVICE, but not by other options");
    return findCommand(words);
  }
  if (user === undefined && group !== undefined) {
    refuse("--group needs --user NAME, the user to become with this group");
  }
  const account = user === undefined ? undefined : { user, group };
  for (const action of withConfiguration) {
    if (!flags.has(`--${action}`)) continue;
    if (config === undefined) return refuse(`--${action} needs --config FILE`);
    return { action, config, listen, account, isJson: flags.has("json"), isAll: flags.has("all") };
  }
  if (config === undefined && !flags.has("--simulate")) {
    refuse("there is nothing to serve: give --config FILE, or --simulate for a demonstration");
  }
  return { action: "serve", config, listen, account };
}
