/**
 * The server: nouns under their names, listening sockets, and the connections between them.
 *
 *     const server = new HttpServer({ net, clock: loop, interruption, memory });
 *     server.register("led", new SwitchNoun({ key: "led" }));
 *     server.listen("127.0.0.1:8080");
 */

import type { Listener, Socket } from "../../native/net.ts";
import { Access, type AccessOptions, type Sealing } from "../access/access.ts";
import type { Token } from "../access/tokens.ts";
import { HttpError } from "../http/http-error.ts";
import { zeroForEachStatus } from "../http/status.ts";
import type { OnFailure } from "../noun/failure.ts";
import type { Noun } from "../noun/noun.ts";
import { NounCall } from "../operations/noun-call.ts";
import type { QueueContext } from "../operations/noun-queue.ts";
import { WaitingClients } from "../operations/waiting-clients.ts";
import { Alarm } from "../time/alarm.ts";
import { Deadlines } from "../time/deadlines.ts";
import { Turns } from "../time/turns.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { Connections } from "./connections.ts";
import { HeadMemory } from "./head-memory.ts";
import type { Host, Platform } from "./host.ts";
import { escapeForLog } from "./log.ts";
import { completeServerLimits, type ServerLimits } from "./options.ts";
import { type PartPlan, Parts } from "./part.ts";
import { Router } from "./router.ts";
import { SealedClients } from "./sealed-clients.ts";
import { Service } from "./service.ts";
import { timesOf } from "./waits.ts";

/**
 * The options of a server.
 *
 * @example
 * const options: HttpServerOptions = { limits: { bodyBytes: 1_024 }, log: (line) => lines.push(line) };
 * const server = new HttpServer(options);
 */
export interface HttpServerOptions {
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<ServerLimits>;
  /** Receives the lines of the debug log: printable ASCII without a line end. Without it the server logs nothing. */
  readonly log?: (line: string) => void;
  /** Called for each failure of a noun. */
  readonly onFailure?: OnFailure;
  /**
   * Access: tokens, hosts and origins. Without it, everyone who reaches the server may do everything; pages of other
   * origins may change nothing.
   */
  readonly access?: AccessOptions;
}

/** A server of nouns. */
export class HttpServer {
  /** What its sources and those who follow its nouns use. */
  readonly host: Host;
  readonly nouns: Router;
  readonly parts: Parts;
  /** Undefined if the options require nothing. Its module is not loaded then. */
  readonly access: Access | undefined;
  private readonly heads: HeadMemory[] = [];
  private readonly context: ConnectionContext;
  private readonly connections: Connections;
  private readonly listeners: Listener[] = [];
  /** Undefined until the server listens on https. */
  sealed: SealedClients | undefined;
  private closing: Promise<void> | undefined;
  /** ms for the first request of a client that connects while the server closes. */
  private newTime = 0;
  /** Ends the closing once every connection is closed; undefined before it. */
  private checkAllClosed: (() => void) | undefined;

  /**
   * @param plans what the server has besides nouns, in the order in which a request is offered to them.
   * @throws RangeError naming a limit that is not a positive whole number; TypeError naming an access option that is
   * wrong.
   */
  constructor(platform: Platform, options: HttpServerOptions = {}, plans: readonly PartPlan[] = []) {
    const { net, clock, interruption, memory, roomForStates = () => Number.POSITIVE_INFINITY } = platform;
    const { log, onFailure, access: accessOptions = {} } = options;
    const limits = completeServerLimits(options.limits ?? {});
    this.parts = new Parts(plans, () => this.host);
    const deadlines = new Deadlines<Connection>(clock);
    this.connections = new Connections(limits.maxConnections, deadlines);
    const relieve = () => this.relieve();
    const call = new NounCall(interruption, onFailure, log !== undefined);
    const clients = new WaitingClients(limits);
    const notes = plans.find(({ hearsResults }) => hearsResults);
    const firstResult: QueueContext["onResult"] = (...result) => {
      try {
        queueContext.onResult = notes && this.parts.open(notes)?.onResult;
        queueContext.onResult?.(...result);
      } catch {
        // There is no memory for it, and the client waits for the answer.
      }
    };
    const onResult = notes && firstResult;
    const queueContext: QueueContext = { clock, call, clients, roomForStates, relieve, limits, onResult };
    this.nouns = new Router(queueContext, limits.bodyBytes, () => this.parts.all.map(({ link = "" }) => link).join(""));
    this.host = {
      ...platform,
      limits,
      turns: new Turns(clock),
      nouns: this.nouns,
      asksForTokens: accessOptions.tokens !== undefined,
      counts: () => ({
        requests: { ...this.context.answered, 200: this.context.answered[200] + this.context.counted.alone },
        connections: this.connections.size,
        streams: this.parts.all.reduce((sum, { size = 0 }) => sum + size, 0),
      }),
      feeds: { opened: undefined },
      parts: this.parts,
      relieve,
      onFailure,
      log,
    };
    this.parts.openAt("with the server");
    const { tokens, hosts, origins } = accessOptions;
    const isOpen = (tokens ?? hosts ?? origins) === undefined;
    this.access = isOpen
      ? undefined
      : new Access(
          accessOptions,
          platform,
          this.parts.all.some(({ admitsOwnOrigin }) => admitsOwnOrigin),
          (count, from) => {
            onFailure?.("access", `refused ${count === 1 ? "a wrong token" : `${count} wrong tokens`} from ${from}`);
            if (notes !== undefined) this.parts.open(notes)?.tokensRefused?.(count, from);
          },
        );
    this.context = {
      ...this.host,
      mostRead: net.mostRead,
      ...this.readingOf(undefined),
      now: clock.now,
      deadlines,
      counted: { requests: 0, alone: 0 },
      answered: zeroForEachStatus(),
      times: timesOf(limits),
      isScarce: memory.isScarce,
      onClosed: this.forget,
    };
  }

  /** @returns what reads the requests of clients whose connections are encrypted in the same way. */
  private readingOf(sealing: Sealing | undefined): Pick<ConnectionContext, "heads" | "service"> {
    const { access, nouns: router, parts } = this;
    const { headerBytes, statePairs } = this.host.limits;
    const heads = new HeadMemory(headerBytes, this.host.hash?.keyed, access?.hasTokens);
    this.heads.push(heads);
    return { heads, service: new Service({ access, router, parts, sealing, statePairs }) };
  }

  /**
   * Makes a noun reachable under `/name`, before or while the server runs.
   * @param name 1 to 64 of `a-z 0-9 . _ ~ -`, in any case.
   * @throws TypeError when the name is malformed, or naming the operations the noun lacks; Error when the name is
   *   taken, by a document for instance.
   */
  register(name: string, noun: Noun): void {
    if (typeof name === "string") for (const part of this.parts.all) part.checkName?.(name.toLowerCase());
    this.nouns.register(name, noun);
    this.forgetHeads();
    this.tellReplaced(name.toLowerCase());
  }

  /** Forgets the requests that were read: nouns or tokens are others. */
  private forgetHeads(): void {
    for (const heads of this.heads) heads.forget();
  }

  /** A noun has another shape, or other words: it is as if another noun had its name. */
  reshaped(name: string): void {
    this.nouns.reshaped(name);
    this.forgetHeads();
    this.tellReplaced(name);
  }

  /** Tells of a noun that has come or gone, perhaps in the call of a noun. */
  private tellReplaced(name: string): void {
    this.host.interruption.exempt(() => {
      this.host.feeds.opened?.replaced(name);
      this.parts.replaced(name, this.nouns.find(name));
    });
  }

  /** @returns whether there was a noun of that name. Requests that have reached it already are still answered. */
  unregister(name: string): boolean {
    this.forgetHeads();
    const wasThere = this.nouns.unregister(name);
    this.tellReplaced(name.toLowerCase());
    return wasThere;
  }

  /**
   * Serves on one more address: `ADDRESS:PORT`, `[v6]:PORT` or `unix:PATH`.
   * @returns the address as bound, with the port that the kernel chose for port 0.
   * @throws Error with a sentence for people.
   */
  listen(address: string): string {
    if (this.closing !== undefined) throw new Error(`cannot listen on ${address}: the server has been closed`);
    const listener = this.host.net.listen(address, this.accept);
    this.listeners.push(listener);
    return listener.address;
  }

  /**
   * Serves encrypted connections on one more address.
   * @param open has a listener opened that passes its connections to these clients.
   * @returns the address as bound.
   * @throws what `open` throws.
   */
  listenSealed(open: (clients: SealedClients) => Listener): string {
    if (this.closing !== undefined) throw new Error("cannot listen: the server has been closed");
    this.sealed ??= new SealedClients({
      access: this.access,
      contextOf: (sealing) => ({ ...this.context, ...this.readingOf(sealing) }),
      add: this.add,
      onClosed: () => this.checkAllClosed?.(),
      makeRoom: (isOne) =>
        void (this.connections.closeOldest(isOne) || this.parts.all.some((part) => part.endOldest?.(isOne))),
    });
    const listener = open(this.sealed);
    this.listeners.push(listener);
    return listener.address;
  }

  /**
   * Stops accepting, answers the requests that have begun, and closes; after `shutdownTimeout` it closes whatever is
   * left.
   * @param newTime ms for the first request of a client that has just connected.
   * @returns a promise that is resolved once every connection is closed. A noun that calls this in its own operation
   *   may wait for it, because this does not wait for the connection of that operation.
   */
  close(newTime = 0): Promise<void> {
    // A noun may call this: the requests of all clients are then served in its call.
    this.closing ??= this.host.interruption.exempt(() => this.beginClosing(newTime));
    return this.closing;
  }

  /**
   * Replaces the tokens of a server that has some. What a token has begun that may do less now ends: its streams at
   * once, and all connections when their requests in progress are answered, as a connection may have had any token.
   * @param newTime as for `close`.
   */
  setTokens(tokens: readonly Token[], newTime = 0): void {
    this.access?.setTokens(tokens);
    this.forgetHeads();
    this.host.interruption.exempt(() => {
      this.parts.tell("tokensReplaced");
      this.connections.finishAll(newTime);
    });
  }

  private beginClosing(newTime: number): Promise<void> {
    const { connections, listeners } = this;
    const { clock, limits } = this.host;
    this.newTime = newTime;
    return new Promise((resolve) => {
      // Without an iterator, which needs memory: a server that cannot close its listeners could not be closed again.
      for (let index = 0; index < listeners.length; index++) listeners[index]?.close();
      this.access?.closed();
      this.parts.tell("close");
      this.host.feeds.opened?.close();
      this.context.deadlines.end();
      const last = new Alarm(clock, () => connections.closeAll());
      const alarm = new Alarm(clock, () => {
        // This comes first, so that an operation that waits for it ends and is answered before its connection is
        // closed.
        resolve();
        last.set(clock.now() + 1);
      });
      alarm.set(clock.now() + limits.shutdownTimeout);
      // The operation of this connection has closed the server, and may wait for the end.
      const closer = connections.serving;
      this.checkAllClosed = () => {
        if (this.sealed?.areExpected) return;
        if (connections.size > (closer !== undefined && connections.has(closer) ? 1 : 0)) return;
        alarm.stop();
        resolve();
      };
      connections.finishAll(newTime);
      this.checkAllClosed();
    });
  }

  private readonly accept = (socket: Socket): void => this.add(new Connection(this.context, socket));

  private readonly add = (connection: Connection): void => {
    if (this.connections.add(connection)) {
      this.context.log?.(escapeForLog(`${connection.socket.peer} connected`));
      if (this.closing !== undefined) connection.finish(this.newTime);
    } else {
      const detail = "Every connection of the server is busy with a request; try again later.";
      connection.refuse(HttpError.closing(503, detail));
    }
  };

  /** Has the parts forget, then closes what holds the most, while memory is scarce. @returns whether it is not. */
  private relieve(): boolean {
    const { parts } = this;
    while (this.context.isScarce()) {
      if (parts.any("relieve")) continue;
      if (!this.connections.closeLargest() && !parts.any("endLargest")) return false;
    }
    return true;
  }

  private readonly forget = (connection: Connection): void => {
    this.connections.delete(connection);
    this.checkAllClosed?.();
  };
}
