/** Reads the command line. What it means is the daemon's business. */
import type { Account } from "./configuration.ts";
import { isListenAddress } from "./listen-address.ts";
import { exitStatus, StartError } from "./start-error.ts";

/** What the command line asks for. */
export type Command =
  | { readonly action: "help" }
  | { readonly action: "version" }
  | ServeCommand
  | RunCommand
  | { readonly action: "new-token"; readonly name: string }
  | CheckCommand;

/** Say what a configuration holds. */
export interface CheckCommand {
  readonly action: "check";
  readonly config: string;
  /** Addresses instead of the configuration's; none leaves those. */
  readonly listen: readonly string[];
}

/** Serve, from a configuration or, without one, the demonstration. */
export interface ServeCommand {
  readonly action: "serve";
  /** The path of the configuration; undefined for the demonstration. */
  readonly config: string | undefined;
  /** Addresses that stand instead of the configuration's; none leaves those. */
  readonly listen: readonly string[];
  /** The user to become, instead of the configuration's. */
  readonly account: Account | undefined;
}

/** Run a bundled application from a file, in place of this program. */
export interface RunCommand {
  readonly action: "run";
  /** The path of the application. */
  readonly path: string;
  /** What follows `--`: the application's command line. */
  readonly args: readonly string[];
}

/** What `--help` prints. */
export const helpText = `Usage: nound --config FILE [OPTION]...
       nound --simulate [OPTION]...
       nound --run FILE [-- ARGUMENT...]

Serves nouns, things with a state, to HTTP clients: GET reads a noun's state,
PUT sets it, POST updates it, DELETE resets it.

  -c, --config FILE     serve the nouns of this JSON configuration
      --simulate        simulate the hardware; without --config, serve a few
                        demonstration nouns on 127.0.0.1:8080
      --listen ADDRESS  listen here instead of where the configuration says:
                        127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock;
                        may be given more than once; ,mode=0660,group=www-data
                        behind a Unix socket says who may connect
      --user NAME       started as root, become this user once all is open
      --group NAME      with this group in place of the user's own
      --run FILE        run a bundled application, an ES module, in place of
                        this program; what follows -- is its command line
      --check           check the configuration, say what it holds, and end
      --new-token NAME  make a bearer token, print it and its line for the
                        token file, and end
      --debug           log connections, requests and errors to standard error,
                        as the environment's NOUND_DEBUG=1 does
      --version         print the version and end
  -h, --help            print this help and end

Examples:
  nound --simulate
  nound --config /etc/nound.json --listen 0.0.0.0:80

The smallest configuration; docs/configuration.md describes the whole:
  { "nouns": { "led": { "kind": "switch", "key": "led" } } }
`;

const flags = ["simulate", "check", "debug"] as const;
type Flag = (typeof flags)[number];

function refuse(sentence: string): never {
  throw new StartError(`${sentence}; see nound --help`, exitStatus.usage);
}

/** What has been read so far. */
interface Given {
  config: string | undefined;
  run: string | undefined;
  newToken: string | undefined;
  user: string | undefined;
  group: string | undefined;
  readonly listen: string[];
  readonly flags: Set<Flag>;
}

function takeConfig(given: Given, path: string): void {
  if (given.config !== undefined) {
    refuse("--config is given twice, and only one configuration can be served");
  }
  given.config = path;
}

function takeListen(given: Given, address: string): void {
  if (!isListenAddress(address)) {
    refuse(`--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock, not ${address}`);
  }
  given.listen.push(address);
}

function takeUser(given: Given, user: string): void {
  if (given.user !== undefined) {
    refuse("--user is given twice, and only one user can be become");
  }
  given.user = user;
}

function takeGroup(given: Given, group: string): void {
  if (given.group !== undefined) {
    refuse("--group is given twice, and the user's other groups come by themselves");
  }
  given.group = group;
}

function takeRun(given: Given, path: string): void {
  if (given.run !== undefined) {
    refuse("--run is given twice, and only one application can run");
  }
  given.run = path;
}

function takeNewToken(given: Given, name: string): void {
  if (given.newToken !== undefined) {
    refuse("--new-token is given twice, and only one token can be made");
  }
  given.newToken = name;
}

/** The options that take a value. */
const valueOptions: { readonly [name: string]: { readonly value: string; take(given: Given, value: string): void } } = {
  "--config": { value: "FILE", take: takeConfig },
  "--listen": { value: "ADDRESS", take: takeListen },
  "--new-token": { value: "NAME", take: takeNewToken },
  "--user": { value: "NAME", take: takeUser },
  "--group": { value: "NAME", take: takeGroup },
  "--run": { value: "FILE", take: takeRun },
};

const shortOptions: { readonly [name: string]: string } = { "-c": "--config", "-h": "--help" };

/**
 * @param args the command line without the program's name.
 * @returns what it asks for. `--help` and `--version` win over whatever follows them.
 * @throws StartError with the status for wrong usage.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const given: Given = {
    config: undefined,
    run: undefined,
    newToken: undefined,
    user: undefined,
    group: undefined,
    listen: [],
    flags: new Set(),
  };
  const end = args.indexOf("--");
  const rest = (end < 0 ? args : args.slice(0, end)).values();
  for (const arg of rest) {
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const name = shortOptions[written] ?? written;
    const attached = equals < 0 ? undefined : arg.slice(equals + 1);
    const option = Object.hasOwn(valueOptions, name) ? valueOptions[name] : undefined;
    if (option !== undefined) {
      option.take(given, readValue(written, option.value, attached ?? rest.next().value));
    } else if (attached !== undefined && isPlainOption(name)) {
      refuse(`${name} takes no value`);
    } else if (name === "--help" || name === "--version") {
      return { action: name === "--help" ? "help" : "version" };
    } else if (isPlainOption(name)) {
      given.flags.add(name.slice(2) as Flag);
    } else {
      refuse(arg.startsWith("-") ? `unknown option ${written}` : `unexpected argument ${arg}`);
    }
  }
  if (given.newToken !== undefined) {
    return toNewTokenCommand(given, given.newToken, end >= 0);
  }
  if (given.run !== undefined) {
    return toRunCommand(given, given.run, end < 0 ? [] : args.slice(end + 1));
  }
  return end < 0 ? toCommand(given) : refuse("only with --run FILE can arguments follow --");
}

function isPlainOption(name: string): boolean {
  return name === "--help" || name === "--version" || flags.some((flag) => name === `--${flag}`);
}

function readValue(option: string, what: string, value: string | undefined): string {
  if (value === undefined || value === "") {
    refuse(`${option} needs its ${what}`);
  }
  // A value that looks like an option is more likely one; such a file can still be given as ./-name.
  if (value.startsWith("-")) {
    refuse(`${option} needs its ${what}, found ${value}`);
  }
  return value;
}

function toRunCommand(
  { config, user, group, listen, flags: set }: Given,
  path: string,
  args: readonly string[],
): Command {
  const others = [config, user, group, ...listen, ...set];
  if (others.some((one) => one !== undefined)) {
    refuse("an application has options of its own: give them after --, as in nound --run app.js -- --debug");
  }
  return { action: "run", path, args };
}

function toNewTokenCommand(given: Given, name: string, more: boolean): Command {
  const { config, run, user, group, listen, flags: set } = given;
  if (more || [config, run, user, group, ...listen, ...set].some((one) => one !== undefined)) {
    refuse("--new-token NAME goes with no other option");
  }
  return { action: "new-token", name };
}

function toCommand({ config, user, group, listen, flags: set }: Given): Command {
  if (user === undefined && group !== undefined) {
    refuse("--group needs --user NAME, the user to become with this group");
  }
  if (set.has("check")) {
    return config === undefined ? refuse("--check needs --config FILE") : { action: "check", config, listen };
  }
  if (config === undefined && !set.has("simulate")) {
    refuse("there is nothing to serve: give --config FILE, or --simulate for a demonstration");
  }
  const account = user === undefined ? undefined : { user, group };
  return { action: "serve", config, listen, account };
}
