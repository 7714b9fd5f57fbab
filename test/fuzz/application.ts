/**
 * The application of the fuzzer: a server with nouns of every temper, made again for each input, so that an input finds
 * the same program whatever came before it.
 *
 * The harness calls `fuzz.begin` and `fuzz.end`, and reads the rest. There is no handler for uncaught errors: one ends
 * the runtime, which the harness takes for what it is, a defect.
 */

import * as hash from "nound:hash";
import * as interruption from "nound:interruption";
import * as loop from "nound:loop";
import * as memory from "nound:memory";
import * as net from "nound:net";
import * as system from "nound:system";
import type { Noun } from "../../ts/core/noun/noun.ts";
import type { State } from "../../ts/core/noun/state.ts";
import { StateError } from "../../ts/core/noun/state-error.ts";
import type { PartPlan } from "../../ts/core/server/part.ts";
import { HttpServer, type HttpServerOptions } from "../../ts/core/server/server.ts";
import { SwitchNoun } from "../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../ts/hardware/nouns/value-noun.ts";
import type { TimerId } from "../../ts/native/loop.ts";
import { changes } from "../../ts/parts/changes/part.ts";
import { documents } from "../../ts/parts/documents/part.ts";
import { streams } from "../../ts/parts/streams/part.ts";

loop.onUnhandledRejection((reason) => {
  throw reason;
});

interruption.limitCalls(1_000);
memory.limitMemory(33_554_432);

const fuzz = {
  /** Operations of nouns that were begun, ever. */
  executed: 0,
  /** Where the server that was made last listens. */
  address: "",
  /** Makes a server with the default limits, documents and a page, on a Unix socket. */
  begin: (_path: string): void => undefined,
  /** Makes the server with the narrow limits and a log, without documents, over TCP. */
  beginNarrow: (): void => undefined,
  /** Makes the server that asks for tokens, hosts and origins, over TCP. */
  beginGuarded: (): void => undefined,
  /** Closes the servers in order, as a signal would. */
  end: (): void => undefined,
  /** From now on an error that nobody caught ends nothing, as in an application's server. */
  tolerate: (): void => {
    loop.onUncaughtError(() => undefined);
    loop.onUnhandledRejection(() => undefined);
  },
};
Object.assign(globalThis, { fuzz });

/** Counts the operations of a noun. */
function counted(noun: Noun): Noun {
  const count = <T>(operation: () => T): T => {
    fuzz.executed += 1;
    return operation();
  };
  return {
    ...(noun.shape === undefined ? {} : { shape: noun.shape }),
    ...(noun.watch === undefined ? {} : { watch: noun.watch.bind(noun) }),
    ...(noun.poll === undefined ? {} : { poll: noun.poll }),
    getState: () => count(() => noun.getState()),
    setState: (state) => count(() => noun.setState(state)),
    updateState: (change) => count(() => noun.updateState(change)),
    deleteState: () => count(() => noun.deleteState()),
  };
}

/** A noun that does the same for every operation. */
function always(act: (state: State) => State | Promise<State>): Noun {
  return { getState: () => act({}), setState: act, updateState: act, deleteState: () => act({}) };
}

/** Answers after a time. */
function after(milliseconds: number): Noun {
  return always((state) => new Promise((resolve) => loop.setTimer(() => resolve(state), milliseconds)));
}

/** Changes by itself, and tells so, while somebody watches: three times as often as events are sent. */
function ticking(): Noun {
  let count = 0;
  return {
    ...always(() => ({ count })),
    watch: (changed) => {
      let timer: TimerId;
      const tick = (): void => {
        count += 1;
        changed();
        timer = loop.setTimer(tick, 7);
      };
      timer = loop.setTimer(tick, 7);
      return () => loop.clearTimer(timer);
    },
  };
}

function raise(): never {
  throw new Error("zqx");
}

/** Refuses every state. */
function refuse(): never {
  throw new StateError("This noun refuses.");
}

const shape = {
  level: { type: "integer", minimum: 0, maximum: 100 },
  name: { type: "string", maximumLength: 8, optional: true },
  on: { type: "boolean", optional: true },
  mode: { type: "choice", values: ["auto", 2, null], optional: true },
} as const;
const large: State = Object.freeze({ text: "x".repeat(40_000) });

/** The nouns, the e2e suite's names among them, so that its requests are seeds. */
function nouns(registry: Noun): { readonly [name: string]: Noun } {
  return {
    led: new SwitchNoun({ key: "led" }),
    note: new ValueNoun({ default: { text: "hello" } }),
    canary: new ValueNoun({ default: { alive: true } }),
    still: new ValueNoun({ default: { n: 1.5, s: "x", b: true, z: null } }),
    shaped: new ValueNoun({ shape, default: { level: 1 } }),
    soon: after(0),
    slow: after(40),
    late: after(7_000),
    promised: always((state) => Promise.resolve(state)),
    throwing: always(raise),
    rejecting: always(() => Promise.reject(new Error("zqx"))),
    refusing: always(refuse),
    nonsense: always(() => ({ value: Number.NaN })),
    large: always(() => large),
    ticking: ticking(),
    unwatchable: { ...always(() => ({ a: 1 })), watch: raise },
    registry,
  };
}

/** What a device tells of itself: the documents, the list of changes and the page. */
function documentsOf({ access = {} }: HttpServerOptions): readonly PartPlan[] {
  const facts = {
    title: "Händel",
    id: "7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e",
    machineId: undefined,
    model: undefined,
    kernel: "",
    boot: "",
    failures: () => 0,
    ends: () => [],
    certificate: () => undefined,
    address: undefined,
    access,
    began: 0,
    isSimulated: true,
    platform: { hash, loop, memory, system },
  };
  const failures = () => ({ last: 0, list: () => [], listen: () => () => undefined });
  const plans = [changes({}, { log: () => undefined, failures }), documents({}, facts)];
  return plans.filter((plan) => plan !== undefined);
}

function newServer(options: HttpServerOptions, plans: readonly PartPlan[] = []): HttpServer {
  const platform = { net, clock: loop, interruption, memory, hash };
  const server = new HttpServer(platform, options, [...plans, streams(() => 0)]);
  // Unregisters a noun and registers it again under way, in turns.
  const registry = always((state) => {
    if (!server.unregister("soon")) server.register("soon", counted(after(0)));
    return state;
  });
  for (const [name, noun] of Object.entries(nouns(registry))) server.register(name, counted(noun));
  return server;
}

let servers: HttpServer[] = [];

fuzz.begin = (path) => {
  const server = newServer({}, documentsOf({}));
  server.listen(`unix:${path}`);
  servers = [server];
};

fuzz.beginNarrow = () => {
  const server = newServer({
    limits: {
      targetBytes: 16,
      headerBytes: 160,
      headerFields: 5,
      bodyBytes: 40,
      statePairs: 3,
      maxConnections: 2,
      maxStreams: 1,
    },
    log: () => undefined,
  });
  fuzz.address = server.listen("127.0.0.1:0");
  servers.push(server);
};

/** Of the tokens in the dictionary: 32 times one letter. */
const sha256 = (token: string): string => hash.sha256(token.repeat(32));
const access = {
  tokens: [
    { name: "all", sha256: sha256("a"), verbs: ["GET", "PUT", "POST", "DELETE"], nouns: ["*"] },
    { name: "reader", sha256: sha256("r"), verbs: ["GET"], nouns: ["still", "s*"] },
  ],
  hosts: ["a", "hall.example:8080"],
  origins: ["https://panel.example"],
} as const;

fuzz.beginGuarded = () => {
  const options = { access, log: () => undefined };
  const server = newServer(options, documentsOf(options));
  fuzz.address = server.listen("127.0.0.1:0");
  servers.push(server);
};

fuzz.end = () => {
  for (const server of servers) void server.close();
  servers = [];
};
