/** HTTPS on a board whose kernel has TLS, where a connection has no process after its handshake; and on one without. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect as connectBare, type Socket } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { agent, ask } from "../harness/https-client.ts";
import { type BoardConfiguration, type BoardNound, forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";
import { virtKernelTls } from "./harness/virt-kernel-tls.ts";

const pump = { kind: "gpio-output", chip: "gpiochip0", offset: 0, key: "on" };
const limits = { bodyBytes: 100_000, tlsConnections: 100 };
const configuration: BoardConfiguration = { nouns: { pump }, limits, isSealed: true, stateDirectory: "/tmp/https" };
const path = "/pump";

describe.each([
  ["in the kernel", virtKernelTls, 0],
  ["in processes", virt, 1],
] as const)("encrypted %s", (_, kind, each) => {
  const board = forAllTests(kind);
  const own = ["nound", "nound-acceptor"];

  const start = (more: Partial<BoardConfiguration> = {}): Promise<BoardNound> =>
    board().startNound({ ...configuration, ...more });

  const options = (more: ConnectionOptions = {}) =>
    ({
      host: "127.0.0.1",
      port: board().otherPort,
      rejectUnauthorized: false,
      minVersion: "TLSv1.3",
      ...more,
    }) as const;

  /** Waits until there are so many connections. */
  async function has(nound: BoardNound, connections: number): Promise<void> {
    const expected = [...own, ...Array.from({ length: each * connections }, () => "nound-acceptor")].join();
    await eventually(`${connections} connections`, async () => (await nound.processes()).join() === expected);
  }

  /** A connection, and the one of TCP under it. */
  async function opened(): Promise<readonly [TLSSocket, Socket]> {
    const bare = connectBare(board().otherPort, "127.0.0.1");
    const socket = connect({ ...options(), socket: bare });
    onTestFinished(() => void bare.destroy());
    for (const one of [bare, socket]) one.on("error", () => undefined);
    await once(socket, "secureConnect");
    return [socket, bare];
  }

  /** Waits for a text from the board. */
  async function heard(socket: TLSSocket, wanted: string): Promise<void> {
    let text = "";
    const listen = (bytes: Buffer) => (text += String(bytes));
    socket.on("data", listen);
    await eventually(`the board says ${wanted}`, () => text.includes(wanted));
    socket.off("data", listen);
  }

  /** Opens connections, one after the other, each with an answer. */
  async function severalOpened(count: number): Promise<readonly (readonly [TLSSocket, Socket])[]> {
    const all: (readonly [TLSSocket, Socket])[] = [];
    while (all.length < count) {
      const [socket, bare] = await opened();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await heard(socket, '{"on":0}');
      all.push([socket, bare]);
    }
    return all;
  }

  test.each(["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])(
    "a client asks, and sets a pin by a long body, on one connection: %s",
    async (ciphers) => {
      const nound = await start();
      const kept = { ...options(), agent: agent(options({ ciphers })), path };
      for (let count = 0; count < 20; count++)
        expect(await ask(kept)).toEqual({ status: 200, body: '{"on":0}', isReused: count > 0 });
      const put = { ...kept, method: "PUT", headers: { "content-type": "application/json" } };
      const reply = await ask(put, `{"on":${" ".repeat(65_536)}1}`);
      expect(reply).toEqual({ status: 200, body: '{"on":1}', isReused: true });
      expect(await board().pins.voltage(0)).toBe(1);
      await has(nound, 1);
    },
  );

  test("TLS 1.2 stays with a process", async () => {
    const nound = await start();
    const older = options({ minVersion: "TLSv1.2", maxVersion: "TLSv1.2" });
    expect(await ask({ ...older, agent: agent(older), path })).toMatchObject({ status: 200, body: '{"on":0}' });
    expect(await nound.processes()).toEqual([...own, "nound-acceptor"]);
  });

  test("a stream has its events, and ends with the program", async () => {
    const nound = await start();
    const [stream] = await opened();
    stream.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
    await heard(stream, 'data: {"on":0}');
    await nound.put(path, { on: 1 });
    await heard(stream, 'data: {"on":1}');
    await has(nound, 1);
    const ended = once(stream, "end");
    stream.resume();
    await nound.stop();
    await ended;
  });

  test("what is sent last arrives whole, with a close_notify behind it, also at a slow client", async () => {
    const entries = Array.from({ length: 400 }, (__, at) => [`noun${at}`, { kind: "switch", key: "on" }] as const);
    const nound = await start({ nouns: Object.fromEntries(entries) });
    const request = "GET /.well-known/wot HTTP/1.1\r\nHost: localhost\r\n";
    const script = `openssl s_client -connect 127.0.0.1:${board().otherPort} -quiet -verify_quiet | { sleep 2; cat; }`;
    const { stdout, stderr } = spawnSync("sh", ["-c", script], {
      input: `${`${request}\r\n`.repeat(3)}${request}Connection: close\r\n\r\n`,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
      timeout: 120_000,
    });
    expect(stdout.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(4);
    expect(stdout.length).toBeGreaterThan(2 ** 20);
    expect(stdout.endsWith("}")).toBe(true);
    // OpenSSL complains where the end comes without close_notify.
    expect(stderr).not.toMatch(/eof/i);
    await has(nound, 0);
  });

  test.each([
    ["says goodbye", (socket: TLSSocket) => socket.end()],
    ["is gone", (socket: TLSSocket) => socket.destroy()],
    ["resets the connection", (_socket: TLSSocket, bare: Socket) => bare.resetAndDestroy()],
  ])("a client that %s leaves its place to the next one", async (__, end) => {
    const nound = await start({ limits: { ...limits, tlsConnections: 4 } });
    for (let round = 0; round < 2; round++) for (const one of await severalOpened(4)) end(...one);
    await has(nound, 0);
    await severalOpened(4);
    await has(nound, 4);
    // Where all places are taken, the oldest one is given up.
    await severalOpened(2);
    await has(nound, 4);
  });

  test("a client that changes its keys has to connect again where the kernel encrypts", async () => {
    const nound = await start();
    const request = `printf 'GET ${path} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'`;
    // K asks for a KeyUpdate of both sides.
    const client = `openssl s_client -connect 127.0.0.1:${board().otherPort} -verify_quiet -brief`;
    const script = `{ ${request}; sleep 1; echo K; sleep 1; ${request}; sleep 1; } | ${client} 2>&1`;
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8", timeout: 60_000 });
    expect(stdout).toContain("KEYUPDATE");
    expect(stdout.match(/200 OK/g)).toHaveLength(1 + each);
    await has(nound, 0);
    expect(await ask({ ...options(), path })).toMatchObject({ status: 200 });
  });

  test("100 connections at once", async () => {
    const nound = await start();
    const all = await severalOpened(100);
    await has(nound, 100);
    for (const [socket] of all) socket.end();
    await has(nound, 0);
  });

  test("a client that keeps its connection asks again after a reload", async () => {
    const nound = await start();
    const kept = { ...options(), agent: agent(options()), path };
    expect(await ask(kept)).toMatchObject({ status: 200 });
    await nound.reload(configuration);
    expect(await ask(kept)).toMatchObject({ status: 200 });
    await has(nound, 1);
  });
});
