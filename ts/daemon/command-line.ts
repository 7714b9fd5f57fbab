/** Parses the command line. main.ts and daemon.ts perform what it asks for. */
import { isListenAddress } from "../application/listen-address.ts";
import { exitStatus, StartError } from "../application/start-error.ts";
import type { Account } from "../configuration/configuration.ts";
import { didYouMean, nearestWord } from "../noun/nearest-word.ts";

/** The request of the command line. */
export type Command =
  | { readonly action: "help" }
  | { readonly action: "version" }
  | { readonly action: "find" | "find-button" }
  | ServeCommand
  | RunCommand
  | { readonly action: "new-token"; readonly name: string }
  | CheckCommand;

/** Check a configuration, or print the service file by which Avahi announces its server. */
export interface CheckCommand {
  readonly action: "check" | "avahi";
  readonly config: string;
  /** Addresses that replace the configuration's; if empty, the configuration's are used. */
  readonly listen: readonly string[];
  /** The user to become; it replaces the configuration's. */
  readonly account: Account | undefined;
}

/** Serve, from a configuration or, without one, the demonstration. */
export interface ServeCommand {
  readonly action: "serve";
  /** The path of the configuration; undefined for the demonstration. */
  readonly config: string | undefined;
  /** Addresses that replace the configuration's; if empty, the configuration's are used. */
  readonly listen: readonly string[];
  /** The user to become; it replaces the configuration's. */
  readonly account: Account | undefined;
}

/** Run a bundled application from a file, instead of the stock program. */
export interface RunCommand {
  readonly action: "run";
  readonly path: string;
  /** What follows `--`: the application's command line. */
  readonly args: readonly string[];
}

const flags = ["simulate", "check", "avahi", "debug", "find", "button"] as const;
type Flag = (typeof flags)[number];

function refuse(sentence: string): never {
  throw new StartError(`${sentence}; see nound --help`, exitStatus.usage);
}

/** What has been read so far. */
interface Given {
  /** The options that may be given once, with their values. */
  readonly values: { config?: string; run?: string; "new-token"?: string; user?: string; group?: string };
  readonly listen: string[];
  readonly flags: Set<Flag>;
}

/** The options that take a value, each with the reason why it may be given only once. */
const valueOptions: { readonly [name: string]: readonly [value: string, notTwice: string] } = {
  "--config": ["FILE", "only one configuration can be served"],
  "--new-token": ["NAME", "only one token can be made"],
  "--user": ["NAME", "the program can become only one user"],
  "--group": ["NAME", "the user's other groups are added anyway"],
  "--run": ["FILE", "only one application can run"],
  "--listen": ["ADDRESS", ""],
};

function take({ values, listen }: Given, option: string, value: string): void {
  if (option !== "--listen") {
    const name = option.slice(2) as keyof Given["values"];
    if (values[name] !== undefined) refuse(`${option} is given twice, and ${valueOptions[option]?.[1]}`);
    values[name] = value;
  } else if (isListenAddress(value)) {
    listen.push(value);
  } else {
    refuse(`--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock, not ${value}`);
  }
}

/** The options without a value. */
const plainOptions = ["help", "version", ...flags].filter((name) => name !== "button").map((name) => `--${name}`);

const shortOptions: { readonly [name: string]: string } = { "-c": "--config", "-h": "--help" };

/**
 * @param args the command line without the program's name.
 * @returns what it asks for. `--help` and `--version` take precedence over everything after them.
 * @throws StartError with the status for wrong usage.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const given: Given = { values: {}, listen: [], flags: new Set() };
  const end = args.indexOf("--");
  const rest = (end < 0 ? args : args.slice(0, end)).values();
  for (const arg of rest) {
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = shortOptions[written] ?? written;
    const attached = equals < 0 ? undefined : arg.slice(equals + 1);
    const option = Object.hasOwn(valueOptions, name) ? valueOptions[name] : undefined;
    if (option !== undefined) {
      take(given, name, readValue(written, option[0], attached ?? rest.next().value));
    } else if (attached !== undefined && isPlainOption(name)) {
      refuse(`${name} takes no value`);
    } else if (name === "--help" || name === "--version") {
      return { action: name === "--help" ? "help" : "version" };
    } else if (isPlainOption(name)) {
      given.flags.add(name.slice(2) as Flag);
    } else if (arg === "button" && given.flags.has("find")) {
      given.flags.add("button");
    } else {
      refuse(arg.startsWith("-") ? unknownOption(written) : unexpectedArgument(arg));
    }
  }
  const { run, "new-token": tokenName } = given.values;
  if (tokenName !== undefined) {
    if (end >= 0 || countOptions(given) > 1) refuse("--new-token NAME cannot be combined with other options");
    return { action: "new-token", name: tokenName };
  }
  if (given.flags.has("find")) {
    if (end >= 0 || countOptions(given) > (given.flags.has("button") ? 2 : 1)) {
      refuse("--find can only be followed by button");
    }
    return { action: given.flags.has("button") ? "find-button" : "find" };
  }
  if (run !== undefined) {
    if (countOptions(given) > 1) {
      refuse("options of the application follow --, as in nound --run app.js -- --debug");
    }
    return { action: "run", path: run, args: end < 0 ? [] : args.slice(end + 1) };
  }
  return end < 0 ? toCommand(given) : refuse("arguments after -- need --run FILE");
}

function unknownOption(option: string): string {
  return `unknown option ${option}${didYouMean(option, [...Object.keys(valueOptions), ...plainOptions, "--reload"])}`;
}

function unexpectedArgument(arg: string): string {
  if (nearestWord(arg, ["button"]) !== undefined) return `unexpected argument ${arg}, did you mean --find button?`;
  const hint = arg.endsWith(".json") ? `--config ${arg}` : arg.endsWith(".js") ? `--run ${arg}` : undefined;
  return `unexpected argument ${arg}${hint === undefined ? "" : `, did you mean ${hint}?`}`;
}

function countOptions({ values, listen, flags: set }: Given): number {
  return Object.keys(values).length + listen.length + set.size;
}

function isPlainOption(name: string): boolean {
  return plainOptions.includes(name);
}

function readValue(option: string, what: string, value: string | undefined): string {
  if (value === undefined || value === "") {
    refuse(`${option} needs its ${what}`);
  }
  // A value that begins with a hyphen is probably an option. A file with such a name can be given as ./-name.
  if (value.startsWith("-")) {
    refuse(`${option} needs its ${what}, found ${value}`);
  }
  return value;
}

function toCommand({ values: { config, user, group }, listen, flags: set }: Given): Command {
  if (user === undefined && group !== undefined) {
    refuse("--group needs --user NAME, the user to become with this group");
  }
  const account = user === undefined ? undefined : { user, group };
  for (const action of ["check", "avahi"] as const) {
    if (!set.has(action)) continue;
    return config === undefined ? refuse(`--${action} needs --config FILE`) : { action, config, listen, account };
  }
  if (config === undefined && !set.has("simulate")) {
    refuse("there is nothing to serve: give --config FILE, or --simulate for a demonstration");
  }
  return { action: "serve", config, listen, account };
}
