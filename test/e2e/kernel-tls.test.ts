/**
 * Connections that the kernel encrypts hold a place of the acceptor until it is told that they end. Here the kernel
 * encrypts nothing (native/clear-tls.c), and an application is the server, or the stock program.
 */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress, freePort, isListening, portOf } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { missing, run } from "../harness/client-program.ts";
import { commandOf } from "../harness/environment.ts";
import { eventually, within } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, privateFile, startNound } from "../harness/nound-process.ts";
import { comesToRest } from "../harness/process-status.ts";
import { endedByThisTest } from "../harness/served.ts";

const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
const files = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };

/** It does what a client says. The first SIGINT takes all memory from it, the second one gives it more. */
const application = (port: number, most: number) => `
  import { ask, listen, start } from "nound:acceptor";
  import { onSignal, setTimer } from "nound:loop";
  import { limitMemory, usedBytes } from "nound:memory";
  import { printOutput } from "nound:system";
  /** Made here, because the engine makes "repeat" when it is first used. */
  let held = "x".repeat(1);
  let isStarved = false;
  /** Takes all memory, to the last free place of any size. */
  const take = () => {
    for (let size = 1024; size > 0; size -= 8) {
      try { for (;;) held = [held, "x".repeat(size)]; } catch {}
    }
  };
  /** In the second turn there is a reserve. */
  const starve = () => { isStarved = true; setTimer(take, 0); limitMemory(usedBytes()); take(); };
  const order = () => { try { ask(false); return true; } catch { return false; } };
  const can = {
    hello: (socket) => socket.write("hello"),
    /** Sends more than the kernel takes. */
    much: (socket) => socket.write("x".repeat(1 << 23)),
    /** Ends the connection while the acceptor takes no order. */
    finish: (socket) => { while (order()); socket.finish(); },
    /** Closes it once the acceptor takes orders again. */
    close: (socket) => { if (order()) socket.close(); else setTimer(() => can.close(socket), 10); },
  };
  onSignal(() => isStarved ? limitMemory(0) : starve());
  const settings = { ...${JSON.stringify(files)}, folder: "", names: "", most: ${most}, asks: 0, tells: 0 };
  const ignore = () => {};
  start(settings, {
    onConnection: (listener, socket) => {
      const onBytes = (bytes) => can[bytes](socket);
      socket.handler = { onBytes, onEnd: ignore, onDrain: ignore, onGone: ignore };
    },
    onRefusal: ignore, onFull: ignore, onDue: ignore, onClosed: ignore, onEnd: ignore,
  });
  printOutput(listen("127.0.0.1:${port}"));
`;

interface Served {
  readonly nound: NoundProcess;
  readonly port: number;
}

async function start(most: number): Promise<Served> {
  const port = await freePort();
  const file = configurationFile(application(port, most));
  const nound = endedByThisTest(new NoundProcess([], "", { application: file, program: "nound-clear-runtime" }));
  await eventually("it listens", () => nound.printed === `127.0.0.1:${port}`);
  return { nound, port };
}

/** Does the handshake. @returns the connection in clear text, which is not read. */
async function shaken(port: number): Promise<Socket> {
  const bare = connectPlain({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  onTestFinished(() => void bare.destroy());
  const stream = new Duplex({ read: () => undefined, write: (bytes, _, done) => void bare.write(bytes, done) });
  bare.on("data", (bytes) => stream.push(bytes)).on("error", () => undefined);
  const client = connect({ socket: stream, rejectUnauthorized: false, minVersion: "TLSv1.3" });
  await within("a handshake", once(client, "secureConnect"));
  bare.removeAllListeners("data").pause();
  return bare;
}

/** Waits for a text from the server; tickets may be before it. */
async function heard(socket: Socket, wanted: string): Promise<void> {
  let text = "";
  socket.on("data", (bytes) => (text += bytes.toString("latin1"))).resume();
  await eventually(`the server says ${JSON.stringify(wanted)}`, () => text.endsWith(wanted));
}

async function isServed(port: number): Promise<Socket> {
  const socket = await shaken(port);
  socket.write("hello");
  await heard(socket, "hello");
  return socket;
}

const request = "GET /led HTTP/1.1\r\nHost: a\r\n\r\n";

/** Starts the stock program. */
async function startStock(): Promise<Served> {
  const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const listen = [plain, `https://${sealed}`];
  const nound = await startNound({ nouns, listen, https: files }, [], { program: "nound-clear-tls" });
  return { nound: endedByThisTest(nound), port: portOf(sealed) };
}

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`);

/** The number of the next descriptor that a process opens. */
function nextDescriptorOf(pid: number): number {
  const numbers = new Set(descriptorsOf(pid).map(Number));
  let next = 0;
  while (numbers.has(next)) next += 1;
  return next;
}

const limit = (pid: number, descriptors: number) => run("prlimit", ["--pid", String(pid), `--nofile=${descriptors}:`]);

/** Has the server close a connection of which the client has not taken all that the kernel has. */
async function leftWithMuch(nound: NoundProcess, client: Socket): Promise<void> {
  client.write("much");
  await comesToRest(nound.pid);
  client.write("close");
  await comesToRest(nound.pid);
}

const closeNotify = "\x01\x00";
const noPrlimit = missing("prlimit", "--version");
const skipped = noPrlimit !== undefined || commandOf("nound").length > 1;

test("a connection for which the server has no memory gives its place back", async () => {
  const { nound, port } = await start(1);
  nound.signal("SIGINT");
  await comesToRest(nound.pid);
  const lost = await shaken(port);
  await heard(lost, closeNotify);
  nound.signal("SIGINT");
  await isServed(port);
});

test.skipIf(skipped)(
  `a connection for which the server has no descriptor gives its place back${noPrlimit ?? ""}`,
  async () => {
    const { nound, port } = await start(1);
    await limit(nound.pid, 3);
    const lost = await shaken(port);
    await heard(lost, closeNotify);
    await limit(nound.pid, 256);
    await isServed(port);
  },
);

test("a connection that ended while the acceptor took no order gives its place back", async () => {
  const { nound, port } = await start(1);
  const client = await isServed(port);
  process.kill(nound.acceptor, "SIGSTOP");
  client.write("finish");
  await within("the connection ends", once(client, "end"));
  process.kill(nound.acceptor, "SIGCONT");
  client.write("close");
  await isServed(port);
});

test.skipIf(skipped)(
  `a client that takes nothing more keeps no other one out when descriptors are there again${noPrlimit ?? ""}`,
  async () => {
    const { nound, port } = await start(4);
    const { acceptor } = nound;
    const slow = await isServed(port);
    await comesToRest(acceptor);
    const before = descriptorsOf(acceptor).length;
    await leftWithMuch(nound, slow.pause());
    await limit(acceptor, nextDescriptorOf(acceptor));
    const next = isServed(port);
    await comesToRest(acceptor);
    await limit(acceptor, 256);
    await next;
    expect(descriptorsOf(acceptor)).toHaveLength(before + 1);
  },
);

test("connections whose server has crashed end by close_notify", async () => {
  const { nound, port } = await startStock();
  const { acceptor, pid } = nound;
  const client = await shaken(port);
  client.write(request);
  await heard(client, '{"led":0}');
  // So it does not see the end before the keeper does.
  process.kill(acceptor, "SIGSTOP");
  process.kill(pid, "SIGKILL");
  const end = heard(client, closeNotify);
  await eventually("there is another acceptor", () => nound.pid !== pid && isListening(`127.0.0.1:${port}`));
  process.kill(acceptor, "SIGCONT");
  await end;
});

test("connections that come while the server stands still are served when it goes on", async () => {
  const { nound, port } = await start(256);
  process.kill(nound.pid, "SIGSTOP");
  const clients: Socket[] = [];
  // More than the kernel keeps messages of the acceptor; not all at once, as it ends handshakes when they are too many.
  while (clients.length < 171) {
    clients.push(...(await Promise.all(Array.from({ length: 57 }, () => shaken(port)))));
    await comesToRest(nound.acceptor);
  }
  process.kill(nound.pid, "SIGCONT");
  for (const client of clients) client.write("hello");
  await Promise.all(clients.map((client) => heard(client, "hello")));
});
