/**
 * The server: nouns under their names, listening sockets, and the connections between them.
 *
 *     const server = new Server({ net, clock: loop, guard, memory });
 *     server.register("led", new SwitchNoun({ key: "led" }));
 *     server.listen("127.0.0.1:8080");
 */
import { HttpError } from "../http/http-error.ts";
import { RequestParser } from "../http/request-parser.ts";
import type { Guard } from "../native/guard.ts";
import type { Hash } from "../native/hash.ts";
import type { Clock } from "../native/loop.ts";
import type { Memory } from "../native/memory.ts";
import type { Listener, Net, Socket } from "../native/net.ts";
import type { Noun } from "../noun/noun.ts";
import { Access, type AccessOptions } from "./access.ts";
import { Answers } from "./answers.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { Deadlines } from "./deadlines.ts";
import { KnownRequests } from "./known-requests.ts";
import type { OnFailure } from "./log.ts";
import { completeLimits, defaultLimits, type ServerLimits } from "./options.ts";
import { Router } from "./router.ts";

/** What a server stands on: the C modules that its fields are named after (`clock` is `nound:loop`), or their simulated twins. */
export interface Platform {
  readonly net: Net;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly memory: Memory;
  /** Needed by a server with tokens alone. */
  readonly hash?: Hash;
}

/**
 * What can be chosen about a server.
 *
 * @example
 * const options: ServerOptions = { limits: { bodyBytes: 1_024 }, log: (line) => lines.push(line) };
 * const server = new Server(options);
 */
export interface ServerOptions {
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<ServerLimits>;
  /** Takes the debug log, line by line: printable ASCII without a line end. Without it the server is silent. */
  readonly log?: (line: string) => void;
  /** Is told of each failure of a noun. */
  readonly onFailure?: OnFailure;
  /** Who may speak. Without it everyone may who reaches the server, and no other origin's page may change anything. */
  readonly access?: AccessOptions;
}

/** See the module's description. */
export class Server {
  private readonly net: Net;
  private readonly clock: Clock;
  private readonly limits: ServerLimits;
  private readonly router: Router;
  private readonly known: KnownRequests;
  private readonly context: ConnectionContext;
  private readonly listeners: Listener[] = [];
  private readonly connections = new Set<Connection>();
  /** Connections over the cap, on their way out with a 503; oldest first. */
  private readonly refused = new Set<Connection>();
  private whenAllClosed: (() => void) | undefined;
  private closing: Promise<void> | undefined;

  /** @throws RangeError naming a limit that is not a positive whole number; TypeError naming an access option that is wrong. */
  constructor(platform: Platform, options: ServerOptions = {}) {
    this.net = platform.net;
    this.clock = platform.clock;
    this.limits = completeLimits(options.limits ?? {}, defaultLimits);
    this.router = new Router(platform, this.limits);
    const access = Access.from(options.access ?? {}, platform);
    this.known = new KnownRequests(access?.requestHash);
    this.context = {
      limits: this.limits,
      router: this.router,
      access,
      answers: new Answers(),
      known: this.known,
      unfed: new RequestParser(this.limits, this.known.parsed),
      clock: this.clock,
      deadlines: new Deadlines(this.clock),
      log: options.log,
      onFailure: options.onFailure,
      onClosed: (connection) => this.forget(connection),
    };
  }

  /**
   * Makes a noun reachable under `/name`, before or while the server runs.
   * @param name 1 to 64 of `a-z 0-9 . _ ~ -`, in any case.
   * @throws TypeError when the name is malformed, or naming the operations the noun lacks; Error when the name is taken.
   */
  register(name: string, noun: Noun): void {
    this.router.register(name, noun);
    this.known.forgetRoutes();
  }

  /** @returns whether there was a noun of that name. Requests that have reached it already are still answered. */
  unregister(name: string): boolean {
    this.known.forgetRoutes();
    return this.router.unregister(name);
  }

  /**
   * Serves on one more address: `ADDRESS:PORT`, `[v6]:PORT` or `unix:PATH`.
   * @returns the address as bound, with the port the kernel chose where 0 was asked for.
   * @throws Error with a sentence for people.
   */
  listen(address: string): string {
    if (this.closing !== undefined) throw new Error(`cannot listen on ${address}: the server has been closed`);
    const listener = this.net.listen(address, (socket) => this.accept(socket));
    this.listeners.push(listener);
    return listener.address;
  }

  /**
   * Stops accepting, answers the requests that have begun, and closes; after `shutdownTimeout` it closes whatever is left.
   * @returns a promise that is kept once every connection is closed.
   */
  close(): Promise<void> {
    this.closing ??= new Promise((resolve) => {
      for (const listener of this.listeners) listener.close();
      const timer = this.clock.setTimer(() => {
        for (const connection of [...this.connections, ...this.refused]) connection.close();
      }, this.limits.shutdownTimeout);
      this.whenAllClosed = () => {
        this.clock.clearTimer(timer);
        resolve();
      };
      for (const connection of [...this.connections]) connection.finish();
      this.checkAllClosed();
    });
    return this.closing;
  }

  private accept(socket: Socket): void {
    const connection = new Connection(this.context, socket);
    if (this.connections.size < this.limits.maxConnections) {
      this.connections.add(connection);
      connection.log?.("connected");
      return;
    }
    this.refused.add(connection);
    connection.refuse(HttpError.closing(503, "The server has all the connections it accepts; try again later."));
    // As many may be on their way out as may be in: the oldest has had its answer longest.
    const [oldest] = this.refused;
    if (this.refused.size > this.limits.maxConnections) oldest?.close();
  }

  private forget(connection: Connection): void {
    if (!this.connections.delete(connection)) this.refused.delete(connection);
    if (this.whenAllClosed !== undefined) this.checkAllClosed();
  }

  private checkAllClosed(): void {
    if (this.whenAllClosed === undefined || this.connections.size > 0 || this.refused.size > 0) return;
    const { whenAllClosed } = this;
    this.whenAllClosed = undefined;
    whenAllClosed();
  }
}
