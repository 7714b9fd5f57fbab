/**
 * The server as an application has it, the stock program included. This module puts together a server, its signals, the
 * closing of its nouns, its log and its simulated hardware.
 */

import * as keeper from "nound:keeper";
import { isRestricted } from "nound:privileges";
import type { Noun } from "../../core/noun/noun.ts";
import { faceOf } from "../../core/noun/noun-face.ts";
import { defaultLimits, type ServerLimits } from "../../core/server/options.ts";
import type { Parts } from "../../core/server/part.ts";
import { HttpServer } from "../../core/server/server.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { DeviceOptions } from "../../parts/documents/part.ts";
import { httpsKey } from "../../parts/tls/part.ts";
import { isListenAddress, sealedAddress } from "../../platform/listen-address.ts";
import { type LogLevel, logError, logLine, logMessage, onFailureAt, raiseLog } from "../../platform/log.ts";
import { hash, interruption, isSimulated, loop, memory, net, system } from "../../platform/platform.ts";
import { keepProcessLimits, memoryForStates } from "../../platform/process-limits.ts";
import { setRenewal } from "../../platform/renewal.ts";
import { onSource } from "../../platform/simulated-sources.ts";
import { endOnSignal } from "./end-on-signal.ts";
import { askForOutputs } from "./guarded-outputs.ts";
import { reload, resumeParts, takeOverNoun, wasLeft } from "./hand-over.ts";
import { partsOf, type ServerOptions } from "./parts.ts";
import { isSignalHandled } from "./program.ts";

/** The servers that listen and are not closed yet: a signal ends all of them. */
const servers = ofProgram(() => new Set<Server>());

/** @returns bytes of memory that states may take in addition to those of all servers. */
function roomForStates(): number {
  let room = memoryForStates();
  for (const { core } of servers()) room -= core.nouns.stateMemory;
  return room;
}

/**
 * @returns the name that a noun is registered by; undefined if it has none. @param noun the noun, or the object that
 * servers call instead.
 */
export function nameOf(noun: Noun): string | undefined {
  for (const server of servers()) {
    for (const [name, registered] of server.nouns) {
      if (registered === noun || faceOf(registered) === noun) return name;
    }
  }
  return undefined;
}

/** @returns the limits of states of the servers that listen: of several, the largest ones. */
export function stateLimits(): Pick<ServerLimits, "stateBytes" | "statePairs"> {
  let largest: ServerLimits | undefined;
  for (const { core } of servers())
    if (core.host.limits.stateBytes > (largest?.stateBytes ?? 0)) largest = core.host.limits;
  return largest ?? defaultLimits;
}

/** A noun has another shape, or other words. */
export function reshaped(noun: Noun): void {
  for (const server of servers()) {
    for (const [name, registered] of server.nouns) if (registered === noun) server.reshaped(name);
  }
}

/** @returns ms that a reload may take: parts let go of their nouns first, then requests are answered. */
function timeToHandOver({ parts, host }: HttpServer): number {
  return host.limits.shutdownTimeout * (doRelease(parts) ? 2 : 1);
}

function doRelease({ all }: Parts): boolean {
  return all.some(({ release }) => release !== undefined);
}

/**
 * Tells the service manager that the program serves, and logs that it keeps its rights, unless it has given them up in
 * the turn in which it began to listen.
 */
function announceStart(): void {
  let count = 0;
  for (const { nouns } of servers()) count += nouns.length;
  const isOnTrial = Array.from(servers()).some(({ core }) => core.parts.all.some(({ confirmsStart }) => confirmsStart));
  const closing = Math.max(0, ...Array.from(servers(), ({ core }) => timeToHandOver(core)));
  keeper.ready(`nound ${system.version} serves ${count === 1 ? "1 noun" : `${count} nouns`}`, isOnTrial, closing);
  if (isSimulated || isRestricted()) return;
  logLine("serving with all rights that the program was started with: call restrict() after listen(), or use serve()");
}

function reportRejection(reason: unknown, callee: unknown): void {
  const names = Array.from(servers(), (server) => server.core.nouns.nameOfCall(callee));
  const name = names.find((found) => found !== undefined);
  if (name === undefined) logError("unhandled rejection", reason);
  else logError(name, reason, "a promise that nobody awaits was rejected: ");
}

/**
 * A REST server for nouns. Making one only sets how much is logged. Once it listens, SIGTERM and SIGINT end the
 * program: requests in flight finish, the nouns of all servers that listen are closed, and the process exits with
 * status 0. `onSignal` replaces that.
 *
 * @example
 * const server = new Server({ limits: { maxConnections: 32 } });
 * server.register("led", switchNoun({ key: "led" }));
 * server.listen("127.0.0.1:8080");
 */
export class Server {
  /** @internal */
  readonly core: HttpServer;
  /** Those that are closed. */
  private readonly closed = new WeakSet<Noun>();
  /** The names of the nouns that move simulated hardware. */
  private readonly sources = new Map<string, Noun>();
  private readonly level: LogLevel;
  private readonly listens: string[] = [];

  /** @throws RangeError for a limit that is not a positive whole number; TypeError for another malformed option. */
  constructor({ log = "none", ...options }: ServerOptions & DeviceOptions = {}) {
    // At once, because an application may say why it does not get as far as to listen.
    this.level = raiseLog(log);
    const platform = { net, clock: loop, interruption, memory, hash, roomForStates };
    const onFailure = onFailureAt(this.level);
    const chosen = {
      ...options,
      ...(this.level === "requests" && { log: system.log }),
      ...(onFailure !== undefined && { onFailure }),
    };
    this.core = new HttpServer(
      platform,
      chosen,
      partsOf({ ...options, log }, this.listens, () => this.core),
    );
  }

  /**
   * Makes a noun reachable under `/name`, before or while the server runs.
   * @param name 1 to 64 of `a-z 0-9 . _ ~ -`, in any case, but not `.` or `..`.
   * @throws TypeError when the name is malformed, or naming the operations the noun lacks; Error when the name is
   * taken.
   */
  register(name: string, noun: Noun): void {
    const key = name.toLowerCase();
    // The program's own noun has precedence; the source is left out.
    if (this.sources.delete(key)) this.core.unregister(key);
    this.core.register(name, noun);
    if (servers().has(this) && keeper.isSuccessor()) takeOverNoun(key, noun, this.core);
  }

  /** A noun has another shape, or other words. @param name in lower case. @internal */
  reshaped(name: string): void {
    this.core.reshaped(name);
  }

  /**
   * Removes a noun. Requests that have already reached it are still answered. The noun keeps its hardware until the
   * caller releases it, by `noun.close`.
   * @returns whether there was a noun of that name.
   */
  unregister(name: string): boolean {
    return this.core.unregister(name);
  }

  /**
   * Serves on one more address. With the first one, the limits of the process begin to hold, and errors and signals are
   * handled.
   * @param address `ADDRESS:PORT`, `[v6]:PORT`, or `unix:PATH`; port 0 lets the kernel choose. `https://` in front of
   *   the first two encrypts the connections, with the certificate of `https`. Only its user can use a
   *   Unix socket, unless the address says more: `unix:PATH,mode=0660,group=www-data`.
   * @returns the address as bound.
   * @throws Error with a sentence for people; always after `restrict`.
   */
  listen(address: string): string {
    if (isRestricted()) {
      throw new Error(`cannot listen on ${address}: the program has given that up; give serve() all its addresses`);
    }
    if (!isListenAddress(address)) {
      const forms = "an address is 127.0.0.1:8080, https://[::1]:8443 or unix:/run/nound.sock";
      throw new Error(`cannot listen on ${JSON.stringify(address)}: ${forms}`);
    }
    const sealed = sealedAddress(address);
    const bound = sealed === undefined ? this.core.listen(address) : this.core.parts.open(httpsKey)?.listen(sealed);
    if (bound === undefined) throw new Error(`cannot listen on ${address}: the server has no such part`);
    this.equipProcess();
    this.listens.push(bound);
    logLine(`listening on ${bound}`);
    return bound;
  }

  /**
   * Stops accepting, answers the requests that have begun, closes the connections and then the registered nouns.
   * @returns a promise that resolves when everything is closed.
   */
  async close(): Promise<void> {
    await this.end();
    this.closeNouns();
    servers().delete(this);
  }

  /**
   * All of its nouns, and those that move simulated hardware.
   * @internal
   */
  get served(): readonly (readonly [string, Noun])[] {
    return [...this.sources, ...this.nouns];
  }

  /**
   * The nouns that the program has registered and not closed.
   * @internal
   */
  get nouns(): readonly (readonly [string, Noun])[] {
    const { closed, sources } = this;
    const all = Array.from(this.core.nouns.all(), ({ name, original }) => [name, original] as const);
    return all.filter(([name, noun]) => !closed.has(noun) && !sources.has(name));
  }

  /** Ends its connections, while its parts finish. */
  private async end(): Promise<void> {
    const { parts, host } = this.core;
    const finished = parts.all.map((part) => part.finish?.(host.limits.shutdownTimeout));
    await Promise.all([...finished, this.core.close()]);
  }

  /** Gives the process what a server needs. Called with each address; only the first one has an effect. */
  private equipProcess(): void {
    if (servers().has(this)) return;
    keepProcessLimits();
    // Only if failures are reported, because this marks the promises of nouns.
    if (this.level !== "none") loop.onUnhandledRejection(reportRejection);
    if (servers().size === 0) {
      this.handleEvents();
      new Alarm(loop, announceStart).set(loop.now());
    }
    servers().add(this);
    if (isSimulated) onSource((name, source) => this.offer(name, source));
    // The sources come first, as they move the pins of the others.
    // What a part judges has its state last.
    const { parts } = this.core;
    const isNext = keeper.isSuccessor();
    if (doRelease(parts)) askForOutputs();
    if (isNext) {
      resumeParts(parts, "before the nouns");
      for (const [name, noun] of this.inOrder(this.served).toReversed()) takeOverNoun(name, noun, this.core);
    }
    interruption.exempt(() => {
      if (isNext) resumeParts(parts, "after the nouns");
      parts.openAt("at the start");
      for (const part of parts.all) part.start?.({ isNext, wasLeft });
    });
  }

  /**
   * Ends the program on a signal, unless the program handles signals itself. Reports errors that nobody catches,
   * because a failing noun must not end the service for the others.
   */
  private handleEvents(): void {
    const renewal = keeper.exists() ? () => reload(servers()) : undefined;
    setRenewal(renewal && (() => void renewal().catch((error: unknown) => logError("reload", error))));
    loop.onUncaughtError((error) => logError("uncaught error", error));
    if (isSignalHandled()) return;
    endOnSignal(loop, {
      closeServer: () => Promise.all(Array.from(servers(), (server) => server.end())).then(() => {}),
      closeNouns: () => {
        for (const server of servers()) server.closeNouns();
      },
      log: logLine,
      reload: renewal,
    });
  }

  /** @returns nouns in the order in which they are closed. */
  private inOrder(nouns: Iterable<readonly [string, Noun]>): readonly (readonly [string, Noun])[] {
    let ordered: readonly (readonly [string, Noun])[] = [...nouns];
    for (const part of this.core.parts.all) ordered = part.inOrder?.(ordered) ?? ordered;
    return ordered;
  }

  private offer(name: string, source: Noun): void {
    if (this.core.nouns.find(name) !== undefined && !this.sources.has(name)) return;
    this.core.register(name, source);
    this.sources.set(name, source);
  }

  /** If a noun fails or never returns, the others are still closed. */
  private closeNouns(): void {
    const { parts } = this.core;
    const nouns = this.inOrder(this.nouns);
    for (const [, noun] of nouns) this.closed.add(noun);
    parts.tell("end");
    if (keeper.isHandingOver()) return;
    // All of them together may take longer than the job of a promise that this is called in.
    interruption.exempt(() => {
      for (const [name, noun] of nouns) {
        const reason = parts.all.map((part) => part.keeps?.(name)).find((one) => one !== undefined);
        if (reason !== undefined) {
          logMessage("errors", () => `${name}: stays as it is, because ${reason}`);
          continue;
        }
        try {
          interruption.call(() => noun.close?.());
        } catch (error) {
          logError(`closing ${name}`, error);
        }
      }
    });
  }
}
