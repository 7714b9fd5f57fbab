/** Hands the states of nouns over to the next process at a reload, and takes over those of the last one. */
import * as keeper from "nound:keeper";
import { tokensOf } from "../../core/access/token-file.ts";
import { type HandingNoun, leave, shapeText, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { byItself, traitsOf } from "../../core/noun/noun-traits.ts";
import { checkState } from "../../core/noun/shape.ts";
import { emptyState, type State } from "../../core/noun/state.ts";
import { toState } from "../../core/noun/state-writer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import type { Parts } from "../../core/server/part.ts";
import type { HttpServer } from "../../core/server/server.ts";
import { ofProgram } from "../../native/of-program.ts";
import { logError, logMessage } from "../../platform/log.ts";
import { isSimulated } from "../../platform/platform.ts";
import { isKept, type Outputs } from "./guarded-outputs.ts";

/** ms for the first request of a client that has just connected. */
const firstRequestTime = 1_000;

/** What a check leaves for the process that serves. */
export interface LeftByCheck {
  /** Whether nothing but the token file has changed. */
  readonly areAlone: boolean;
  /** The token file, if it has changed. After a refusal, always: `isOld` says whether it is as at the last start. */
  readonly text?: string;
  readonly isOld?: boolean;
  /** The nouns of the next process, if the one that serves has guards. */
  readonly outputs?: Outputs;
}

/** A server of the program that is reloaded. */
interface ReloadedServer {
  readonly core: HttpServer;
  /** All of its nouns, and those that move simulated hardware. */
  readonly served: readonly (readonly [string, Noun])[];
}

/** What a noun has left, with the shape of its states. */
interface Left {
  readonly shape: string;
  readonly state: State;
  /** The state that a client sees; only on simulated hardware, which nothing else holds. */
  readonly shown?: State;
}

/** What the last process has left, by the noun's name. Read when the first noun is registered. */
const left = ofProgram(() => readLeft(keeper.states()));

/** Names of nouns that the last process had. */
const leftNames = ofProgram(() => new Set<string>());

/** @returns whether the last process had a noun of this name, with a state of the same shape. */
export function wasLeft(name: string): boolean {
  return leftNames().has(name);
}

/**
 * @param part its name. With a `$`, which no noun's name has, it is the key of its line.
 * @returns what the part of the last process has left; undefined if it has left nothing.
 */
function leftPart(part: string): string | undefined {
  const text = left().get(`$${part}`)?.state[part];
  left().delete(`$${part}`);
  return typeof text === "string" ? text : undefined;
}

/** Gives the parts of a server what those of the last process have left. */
export function resumeParts(parts: Parts, when: "before the nouns" | "after the nouns"): void {
  for (const plan of parts.plans) {
    const isFirst = parts.find(plan)?.resumesFirst === true;
    if (isFirst !== (when === "before the nouns")) continue;
    const text = leftPart(plan.name);
    try {
      if (text !== undefined) parts.open(plan)?.resume?.(text);
    } catch (error) {
      logError("reload", error, `the ${plan.name} before it cannot be read: `);
    }
  }
}

/** Reads the lines that an untrusted process has left. What is not as this program writes it is left out. */
function readLeft(text: string | undefined): Map<string, Left> {
  const found = new Map<string, Left>();
  try {
    for (const line of text?.split("\n") ?? []) {
      const [name, { shape, state, shown }] = JSON.parse(line) as [string, { [key: string]: unknown }];
      if (typeof shape !== "string") continue;
      found.set(name, { shape, state: toState(state), ...(shown !== undefined && { shown: toState(shown) }) });
    }
  } catch (error) {
    logError("reload", error, "the states of the last process cannot be read: ");
  }
  return found;
}

/** Sets a state as a request does, so that it is limited and counted like that of a client. */
function set(registered: RegisteredNoun, state: State): void {
  const { shape } = registered.face;
  if (shape !== undefined) checkState(shape, state);
  let refused = "";
  registered.ask("PUT", state, ({ status, note }) => {
    if (status !== 200) refused = note;
  });
  if (refused !== "") throw new Error(refused);
}

/** Restores a noun's state from the previous process, by name, if both nouns have the same shape. */
export function takeOverNoun(name: string, noun: Noun, server: HttpServer): void {
  const own = left().get(name);
  left().delete(name);
  if (own === undefined || own.shape !== shapeText(noun.shape)) return;
  leftNames().add(name.toLowerCase());
  const { [leave]: leaves, [takeOver]: takes } = noun as HandingNoun;
  const registered = server.nouns.find(name.toLowerCase());
  try {
    if (isSimulated && own.shown !== undefined) void noun.setState(own.shown);
    if (takes !== undefined) takes.call(noun, own.state);
    else if (leaves !== undefined && registered !== undefined) set(registered, own.state);
  } catch (error) {
    logError(name, error, "its state was not taken over: ");
  }
}

/** @returns the state of simulated hardware; undefined for what has none, and for a noun that cannot be read. */
function shownBy(noun: Noun): State | undefined {
  // To set a mirror would change the other device.
  if (!isSimulated || noun.settable === false || traitsOf(noun)[byItself] === "mirror") return undefined;
  try {
    const shown = noun.getState();
    return shown instanceof Promise ? undefined : shown;
  } catch {
    return undefined;
  }
}

/** Leaves what the nouns have for the next process, each in a line. @throws Error with a sentence if that cannot be. */
function leaveStates(servers: ReadonlySet<ReloadedServer>): void {
  keeper.leave("", true);
  let separator = "";
  const add = (key: string, own: Left) => {
    keeper.leave(`${separator}${JSON.stringify([key, own])}`, false);
    separator = "\n";
  };
  for (const { core, served } of servers) {
    for (const plan of core.parts.plans) {
      const text = core.parts.find(plan)?.leave?.() ?? "";
      if (text !== "") add(`$${plan.name}`, { shape: "", state: { [plan.name]: text } });
    }
    for (const [name, noun] of served) {
      const state = (noun as HandingNoun)[leave]?.() ?? emptyState;
      const shown = shownBy(noun);
      add(name, { shape: shapeText(noun.shape), state, ...(shown && { shown }) });
    }
  }
}

/**
 * Brings the guarded nouns to their defaults that the next process does not have, or not as they are.
 * @returns whether all of them are there. If not, a line of the log says which.
 */
async function bringHome(servers: ReadonlySet<ReloadedServer>, next: Outputs): Promise<boolean> {
  const away = await Promise.all(
    Array.from(servers).flatMap(({ core: { parts, host } }) =>
      parts.all.map((part) => part.release?.((name) => isKept(name, next), host.limits.shutdownTimeout)),
    ),
  );
  const names = away.flatMap((some) => some ?? []);
  if (names.length === 0) return true;
  const [it, its] = names.length === 1 ? ["it", "its default"] : ["them", "their defaults"];
  const reason = `${names.join(", ")} must go to ${its} first, and did not`;
  logMessage("errors", () => `reload: not reloaded: ${reason}: repair ${it}, or restart nound to give ${it} up`);
  return false;
}

const reloading = ofProgram(() => ({
  isUnderWay: false,
  /** Whether the tokens are others than at the start of this process. */
  hasOtherTokens: false,
}));

/**
 * Takes new tokens. If anything else has changed, it ends this process for the next one, once the requests in flight
 * are answered. The broker is told nothing: the next process takes its session up.
 * @returns a promise that is resolved if the process goes on, and rejected if it cannot hand over.
 */
export async function reload(servers: ReadonlySet<ReloadedServer>): Promise<void> {
  const own = reloading();
  const { areAlone, text, isOld, outputs }: LeftByCheck = JSON.parse(keeper.tokens() ?? '{"areAlone":false}');
  if (text !== undefined && (isOld !== true || own.hasOtherTokens)) {
    own.hasOtherTokens = isOld !== true;
    const tokens = tokensOf("the token file", text);
    for (const { core } of servers) core.setTokens(tokens, firstRequestTime);
  }
  if (areAlone) keeper.admit();
  if (areAlone || own.isUnderWay) return;
  try {
    leaveStates(servers); // A first time, while all clients can still be served if it fails.
  } catch (error) {
    logError("reload", error, "not reloaded, and nothing has changed: ");
    keeper.refuse();
    return;
  }
  own.isUnderWay = true;
  if (outputs !== undefined && !(await bringHome(servers, outputs))) {
    own.isUnderWay = false;
    keeper.refuse();
    return;
  }
  keeper.beginHandingOver();
  await Promise.all(Array.from(servers, ({ core }) => core.close(firstRequestTime)));
  leaveStates(servers);
  keeper.handOver();
}
