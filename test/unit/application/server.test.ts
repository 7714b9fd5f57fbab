import { beforeEach, expect, test } from "vitest";
import { defineNoun, type Noun, Server, switchNoun } from "../../../ts/nound.ts";
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
  const lines: string[] = [];
  const server = new Server({ log: (line) => lines.push(line) });
  const failing = () => {
    throw new Error("stuck");
  };
  server.register("a", { ...plain(), close: failing });
  server.register("b", closing(closed, "b"));
  await server.close();
  expect(closed).toEqual(["b"]);
  expect(lines.join("\n")).toContain("closing a: Error: stuck");
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

test("a limit that is none is refused, naming it", () => {
  expect(() => new Server({ limits: { maxConnections: 0 } })).toThrow("The limit maxConnections must be");
});

test("a closed server answers no more", async () => {
  const server = new Server();
  await server.close();
  await expect(request(server, { path: "/led" })).rejects.toThrow("the server has been closed");
});
