import { beforeEach, expect, test } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { defineNoun, type Noun, onSignal, Server, switchNoun, systemNoun } from "../../../ts/nound.ts";
import { failureCount } from "../../../ts/platform/log.ts";
import { advance, exitStatus, request, reset, sendSignal } from "../../../ts/testing.ts";

beforeEach(reset);

/** A noun that takes down when it was closed. */
function closing(closed: string[], name: string): Noun {
  return defineNoun({
    shape: {},
    get: () => ({}),
    close: () => {
      closed.push(name);
    },
  });
}

test("nouns come and go while the server runs", async () => {
  const server = new Server();
  expect((await request(server, { path: "/led" })).status).toBe(404);
  server.register("led", switchNoun({ key: "led" }));
  expect((await request(server, { path: "/led" })).status).toBe(200);
  expect(server.unregister("LED")).toBe(true);
  expect((await request(server, { path: "/led" })).status).toBe(404);
  expect(server.unregister("led")).toBe(false);
});

test("close closes the nouns that are registered, once, and no other", async () => {
  const closed: string[] = [];
  const server = new Server();
  for (const name of ["a", "b", "c"]) server.register(name, closing(closed, name));
  server.unregister("B");
  await server.close();
  await server.close();
  expect(closed).toEqual(["a", "c"]);
});

test("a noun whose end fails keeps no other from its own", async () => {
  const closed: string[] = [];
  const server = new Server({ log: "errors" });
  const failing = () => {
    throw new Error("stuck");
  };
  server.register("a", { ...plain(), close: failing });
  server.register("b", closing(closed, "b"));
  server.listen("127.0.0.1:8080");
  await server.close();
  expect(closed).toEqual(["b"]);
  expect(world().printed).toContain("closing a: Error: stuck");
});

test("at SIGTERM, a guarded noun goes home before the noun that its guard names, which stays if not", async () => {
  for (const fails of [false, true]) {
    reset();
    const steps: string[] = [];
    const output = (name: string, guard?: Noun["guard"]): Noun => {
      let on = 0;
      const set = async (state: { on: number }) => {
        await Promise.resolve();
        if (fails && name === "heater" && state.on === 0) throw new Error("EIO");
        on = state.on;
        steps.push(`${name}=${on}`);
      };
      const shape = { on: { type: "integer", minimum: 0, maximum: 1 } } as const;
      return defineNoun({
        shape,
        default: { on: 0 },
        ...(guard !== undefined && { guard }),
        get: () => ({ on }),
        set,
        close: () => {
          steps.push(`close ${name}`);
        },
      });
    };
    const server = new Server({ log: "errors" });
    server.register("pump", output("pump"));
    server.register("heater", output("heater", { pump: { on: 1 } }));
    server.listen("127.0.0.1:8080");
    for (const path of ["/pump", "/heater"]) await request(server, { method: "PUT", path, body: { on: 1 } });
    steps.splice(0);
    sendSignal("SIGTERM");
    await advance(6_000);
    expect(exitStatus()).toBe(0);
    if (fails) {
      expect(steps).toEqual(["close heater"]);
      expect(world().printed).toContain("pump: stays as it is, because heater is not at its default");
    } else expect(steps).toEqual(["heater=0", "close heater", "close pump"]);
  }
});

test("of a noun that fails at each request, one failure is logged, and each minute the number of others", async () => {
  const server = new Server({ log: "errors" });
  const failing = () => {
    throw new Error("stuck");
  };
  server.register("failing", {
    ...plain(),
    getState: failing,
    deleteState: () => Promise.reject(new Error("stuck, too")),
  });
  server.register("led", switchNoun({ key: "led" }));
  for (let count = 0; count < 5; count++) expect((await request(server, { path: "/failing" })).status).toBe(500);
  expect((await request(server, { method: "DELETE", path: "/failing" })).status).toBe(500);
  // What a client did wrong is no failure of the noun.
  expect((await request(server, { method: "PUT", path: "/led", body: { led: 2 } })).status).toBe(422);
  expect((await request(server, { path: "/elsewhere" })).status).toBe(404);
  expect(world().printed).toMatch(/^failing: Error: stuck [^\n]*\n$/);
  await advance(60_000);
  expect((await request(server, { method: "DELETE", path: "/failing" })).status).toBe(500);
  const [, second, ...more] = world().printed.trimEnd().split("\n");
  expect(second).toMatch(/^failing: Error: stuck, too .* \(and 5 more since the last line\)$/);
  expect(more).toEqual([]);
});

test("a noun that does not answer in time has failed", async () => {
  const server = new Server({ limits: { nounTimeout: 500 }, log: "errors" });
  server.register("never", { ...plain(), getState: () => new Promise(() => {}) });
  const answer = request(server, { path: "/never" });
  await advance(500);
  expect((await answer).status).toBe(503);
  expect(world().printed).toBe("never: did not answer in time\n");
});

test("all failures are counted for the metrics, also those that the log leaves out", async () => {
  const server = new Server({ log: "errors" });
  server.register("failing", { ...plain(), getState: () => Promise.reject(new Error("stuck")) });
  const before = failureCount();
  await request(server, { path: "/failing" });
  await request(server, { path: "/failing" });
  expect(failureCount() - before).toBe(2);
});

/** @returns what the noun of the machine tells of the last failure. */
async function lastError(server: Server): Promise<unknown> {
  return (await request(server, { path: "/system" })).body["lastError"];
}

test("the machine's noun tells the last failure in a line of ASCII, also one that the log leaves out", async () => {
  const server = new Server({ log: "errors" });
  let sentence = "";
  server.register("system", systemNoun());
  server.register("failing", { ...plain(), getState: () => Promise.reject(new Error(sentence)) });
  expect(await lastError(server)).toBe("");
  for (const [text, told] of [
    ["stuck", "failing: Error: stuck"],
    ["h\u00e9\u001b[1m\nagain", "failing: Error: h\\xe9\\x1b[1m"],
    ["\u20ac".repeat(300), `failing: Error: ${"\\u20ac".repeat(40)}`.slice(0, 200)],
  ] as const) {
    sentence = text;
    await request(server, { path: "/failing" });
    expect(await lastError(server)).toBe(told);
  }
});

test("the machine's noun tells no failure that nobody wants logged", async () => {
  const server = new Server();
  server.register("system", systemNoun());
  server.register("never", { ...plain(), getState: () => new Promise(() => {}) });
  const answer = request(server, { path: "/never" });
  await advance(10_000);
  await answer;
  expect(await lastError(server)).toBe("");
});

test("what one test logged is forgotten by the next", async () => {
  const server = new Server({ log: "errors" });
  server.register("never", { ...plain(), getState: () => Promise.reject(new Error("stuck")) });
  await request(server, { path: "/never" });
  expect(world().printed).toMatch(/^never: Error: stuck [^\n]*\n$/);
});

test("without a log nothing is printed, whatever fails", async () => {
  const server = new Server();
  server.register("failing", { ...plain(), getState: () => Promise.reject(new Error("stuck")) });
  expect((await request(server, { path: "/failing" })).status).toBe(500);
  expect(world().printed).toBe("");
});

/** The least that a noun has. */
function plain(): Noun {
  return { getState: () => ({}), setState: (state) => state, updateState: () => ({}), deleteState: () => ({}) };
}

test("the first signal lets a request finish, a second ends at once", async () => {
  const server = new Server();
  server.register("never", { ...plain(), getState: () => new Promise(() => {}) });
  void request(server, { path: "/never" });
  sendSignal("SIGHUP");
  sendSignal("SIGINT");
  await advance(100);
  expect(exitStatus()).toBeUndefined();
  sendSignal("SIGINT");
  expect(exitStatus()).toBe(130);
});

test("a signal closes every server that is left, and the nouns of each", async () => {
  const closed: string[] = [];
  const servers = ["a", "b", "c"].map((name) => {
    const server = new Server();
    server.register(name, closing(closed, name));
    server.listen(`unix:${name}`);
    return server;
  });
  await servers[1]?.close();
  expect(closed).toEqual(["b"]);
  sendSignal("SIGTERM");
  await advance(0);
  expect(closed).toEqual(["b", "a", "c"]);
  expect(exitStatus()).toBe(0);
  for (const server of servers) {
    await expect(request(server, { path: "/" })).rejects.toThrow("the server has been closed");
  }
});

test("a server that does not listen leaves the process as it is", async () => {
  const server = new Server({ log: "errors" });
  server.register("a", plain());
  expect(world().onSignal).toBeUndefined();
  server.listen("127.0.0.1:8080");
  expect(world().onSignal).toBeDefined();
});

test.each(["before", "after"])("a program that handles signals %s it listens keeps its handler", (when) => {
  const names: string[] = [];
  const server = new Server();
  if (when === "after") server.listen("127.0.0.1:8080");
  onSignal((name) => names.push(name));
  if (when === "before") server.listen("127.0.0.1:8080");
  sendSignal("SIGTERM");
  expect(names).toEqual(["SIGTERM"]);
  expect(exitStatus()).toBeUndefined();
});

test("a limit that is none is refused, naming it", () => {
  expect(() => new Server({ limits: { maxConnections: 0 } })).toThrow("The limit maxConnections must be");
});

test("a closed server answers no more", async () => {
  const server = new Server();
  await server.close();
  await expect(request(server, { path: "/led" })).rejects.toThrow("the server has been closed");
});
