import { beforeEach, expect, test } from "vitest";
import { world } from "../../../ts/native/simulated/world.ts";
import { Server, switchNoun } from "../../../ts/nound.ts";
import { setRenewal } from "../../../ts/platform/renewal.ts";
import { advance, reset } from "../../../ts/testing.ts";

beforeEach(reset);

const https = { stateDirectory: "/var/lib/hall" };
const get = "GET /led HTTP/1.1\r\nHost: hall.example\r\n\r\n";

function serving(options: ConstructorParameters<typeof Server>[0] = { https }): Server {
  const server = new Server(options);
  server.register("led", switchNoun({ key: "led" }));
  return server;
}

test("the certificate is for the host, the hosts that are allowed and the address, but for no address of all", () => {
  const server = serving({ https, access: { hosts: ["hall.example:8443", "[2001:db8::7]"] } });
  expect(server.listen("https://0.0.0.0:8443")).toBe("https://0.0.0.0:8443");
  const names = world().acceptor.settings?.names.split(",");
  expect(names).toEqual(expect.arrayContaining(["hall.example", "2001:db8::7"]));
  expect(names).not.toContain("0.0.0.0");
  expect(world().acceptor.settings).toMatchObject({ folder: "/var/lib/hall", certificate: "", most: 32, asks: 0 });
});

test("the certificate has a name where nobody has named the host", () => {
  world().hostName = "(none)";
  serving().listen("https://0.0.0.0:8443");
  expect(world().acceptor.settings).toMatchObject({ names: "nound" });
});

test("clients are asked for a certificate if a token is a key, which is then theirs", () => {
  const key = "ab".repeat(32);
  const tokens = [{ name: "panel", sha256: `key:${key}`, verbs: ["GET"], nouns: ["led"] }] as const;
  serving({ https, access: { tokens } }).listen("https://127.0.0.1:8443");
  const { acceptor } = world();
  expect(acceptor.asks).toBe(true);
  for (const [shown, status] of [
    [key, 200],
    [undefined, 401],
    ["cd".repeat(32), 401],
    [key, 200],
  ] as const) {
    const peer = acceptor.connect("127.0.0.1:8443", shown);
    peer.send(get);
    expect(peer.received).toContain(`HTTP/1.1 ${status}`);
  }
});

test("a client that waits for a place gets that of the one whose last request is oldest", () => {
  serving().listen("https://127.0.0.1:8443");
  const { acceptor } = world();
  const [first, second] = [acceptor.connect("127.0.0.1:8443"), acceptor.connect("127.0.0.1:8443")];
  second.send(get);
  first.send(get);
  acceptor.fill();
  expect([first.released, second.released]).toEqual([false, true]);
});

test("a failed handshake is reported only where requests are logged", () => {
  serving().listen("https://127.0.0.1:8443");
  expect(world().acceptor.settings).toMatchObject({ tells: 0 });
  reset();
  serving({ https, log: "requests" }).listen("https://127.0.0.1:8443");
  expect(world().acceptor.settings).toMatchObject({ tells: 1 });
});

test.each([
  ["an acceptor that has ended", "end"],
  ["an acceptor whose certificate is due to be renewed", "age"],
] as const)("%s is replaced with the process, once a minute at most", async (_, how) => {
  let renewals = 0;
  serving().listen("https://127.0.0.1:8443");
  setRenewal(() => {
    renewals += 1;
  });
  world().acceptor[how]();
  await advance(59_000);
  expect(renewals).toBe(0);
  await advance(2_000);
  expect(renewals).toBe(1);
});

test("an order that the acceptor does not take is logged", async () => {
  const key = "ab".repeat(32);
  const tokens = [{ name: "panel", sha256: `key:${key}`, verbs: ["GET"], nouns: ["led"] }] as const;
  const server = serving({ https, access: { tokens }, log: "requests" });
  server.listen("https://127.0.0.1:8443");
  const refuse = () => {
    throw new Error("its process takes no order: Operation not permitted");
  };
  Object.assign(world().acceptor, { ask: refuse, close: refuse });
  server.core.parts.tell("tokensReplaced");
  await server.close();
  expect(world().printed.match(/https: Error: its process takes no order/g)).toHaveLength(2);
});

test("a server that closes waits for handshakes, and answers one request of each client", async () => {
  const server = serving();
  server.listen("https://127.0.0.1:8443");
  server.listen("https://127.0.0.1:8444");
  const { acceptor } = world();
  acceptor.isShaking = true;
  let isClosed = false;
  const closing = server.core.close(1_000).then(() => (isClosed = true));
  await advance(100);
  const peer = acceptor.shake(0);
  acceptor.finish(0);
  acceptor.finish(0); // A second time, it means nothing.
  acceptor.finish(7);
  peer.send(get);
  expect(peer.received).toContain("HTTP/1.1 200");
  expect(peer.received).toContain("Connection: close");
  await advance(100);
  expect(isClosed).toBe(false);
  acceptor.finish(1);
  await closing;
});

test("a server that closes waits for handshakes until shutdownTimeout, or the end of the acceptor", async () => {
  const hung = serving({ https, limits: { shutdownTimeout: 3_000 } });
  hung.listen("https://127.0.0.1:8443");
  world().acceptor.isShaking = true;
  let isClosed = false;
  const closing = hung.close().then(() => (isClosed = true));
  await advance(2_999);
  expect(isClosed).toBe(false);
  await advance(2);
  await closing;
  reset();
  const ended = serving();
  ended.listen("https://127.0.0.1:8443");
  world().acceptor.isShaking = true;
  const soon = ended.close();
  world().acceptor.end();
  await soon;
  expect(world().printed).toBe("");
});

test("https without a certificate and without a folder for one is refused", () => {
  const server = serving({});
  expect(() => server.listen("https://127.0.0.1:8443")).toThrow('https needs "certificate" and "key"');
  expect(() => serving().listen("https://unix:/run/hall.sock")).toThrow("cannot listen on");
});
