/** Clients that do harm to an encrypted address: floods, halves, mutations. Whatever they do ends with them. */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect as connectPlain, createServer, type Socket } from "node:net";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress, freePort, portOf } from "../harness/address.ts";
import { certificate, ecKeys } from "../harness/certificates.ts";
import { missing, run } from "../harness/client-program.ts";
import { commandOf } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { agent, ask as send } from "../harness/https-client.ts";
import { NoundProcess, privateFile, startNound } from "../harness/nound-process.ts";
import { acceptsAt, childrenOf } from "../harness/process-status.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { tokenFile } from "../harness/token-file.ts";
import { expectMedian } from "../harness/waiting-time.ts";

const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });

const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };

interface Served {
  readonly nound: NoundProcess;
  readonly plain: number;
  readonly port: number;
}

async function start(limits: { readonly tlsConnections?: number } = {}): Promise<Served> {
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const nound = forThisTest(await startNound({ nouns, listen: [plain, `https://${sealed}`], https, limits }));
  await acceptsAt(nound.acceptor, portOf(sealed));
  return { nound, plain: portOf(plain), port: portOf(sealed) };
}

const read = (port: number, more: object = {}) => send({ ca: own.pem, port, path: "/led", ...more });

/** Connects without TLS. */
function open(port: number, from = "127.0.0.1"): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectPlain({ port, host: "127.0.0.1", localAddress: from }, () => resolve(socket));
    socket.on("error", reject);
    onTestFinished(() => void socket.destroy());
  });
}

/** The first bytes that a client of TLS sends: its ClientHello. */
async function clientHello(): Promise<Buffer> {
  const port = await freePort();
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.once("data", (bytes) => {
        resolve(bytes);
        socket.destroy();
        server.close();
      });
    });
    server.listen(port, "127.0.0.1", () => connect(port, "127.0.0.1", { servername: "hall" }).on("error", () => {}));
  });
}

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Waits until nothing of the clients is left: no process, no descriptor. */
async function nothingIsLeft(acceptor: number, descriptors: number): Promise<void> {
  await eventually("every process has ended", () => childrenOf(acceptor).length === 0);
  await eventually("every descriptor is closed", () => descriptorsOf(acceptor) === descriptors);
}

test("a flood of half handshakes delays no client, whatever address it comes from, and leaves nothing", async () => {
  const { nound, plain, port } = await start({ tlsConnections: 8 });
  const { acceptor } = nound;
  const descriptors = descriptorsOf(acceptor);
  const hello = await clientHello();
  const sockets = await Promise.all(Array.from({ length: 100 }, () => open(port)));
  for (const socket of sockets) socket.on("error", () => {}).write(hello.subarray(0, 100));
  for (let count = 0; count < 5; count++) {
    expect(await read(port, { localAddress: `127.0.0.${2 + count}` })).toMatchObject({ status: 200 });
    expect(await read(port)).toMatchObject({ status: 200 });
  }
  expect((await fetch(`http://127.0.0.1:${plain}/led`)).status).toBe(200);
  expect(childrenOf(acceptor).length).toBeLessThanOrEqual(8);
  for (const socket of sockets) socket.destroy();
  await nothingIsLeft(acceptor, descriptors);
});

test("a ClientHello that is cut off at any byte, by FIN or RST, leaves nothing", async () => {
  const { nound, port } = await start();
  const { acceptor } = nound;
  const descriptors = descriptorsOf(acceptor);
  const hello = await clientHello();
  const step = process.env["NOUND_LONG"] === undefined ? 7 : 1;
  for (let length = 0; length < hello.length; length += step) {
    const socket = await open(port);
    socket.on("error", () => {});
    socket.write(hello.subarray(0, length));
    if (length % 2 === 0) socket.end();
    else socket.resetAndDestroy();
  }
  expect(await read(port)).toMatchObject({ status: 200 });
  await nothingIsLeft(acceptor, descriptors);
});

test("mutated handshakes and records leave nothing", async () => {
  const { nound, port } = await start();
  const { acceptor } = nound;
  const descriptors = descriptorsOf(acceptor);
  const hello = await clientHello();
  const count = process.env["NOUND_LONG"] === undefined ? 200 : 10_000;
  for (let tries = 0; tries < count; tries++) {
    const bytes = Buffer.from(hello);
    for (let changes = 1 + randomInt(8); changes > 0; changes--) bytes[randomInt(bytes.length)] = randomInt(256);
    const socket = await open(port);
    socket.on("error", () => {});
    socket.end(bytes);
    await new Promise((resolve) => socket.resume().once("close", resolve));
  }
  expect(await read(port)).toMatchObject({ status: 200 });
  await nothingIsLeft(acceptor, descriptors);
});

test("plain HTTP at the encrypted port gets no answer, and the next client gets one", async () => {
  const { port } = await start();
  const socket = await open(port);
  socket.on("error", () => {});
  let received = "";
  socket.on("data", (bytes) => (received += bytes.toString("latin1")));
  socket.write("GET /led HTTP/1.1\r\nHost: a\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve));
  expect(received).not.toContain("HTTP/1.1");
  expect(await read(port)).toMatchObject({ status: 200 });
});

test("at the limit, a new client takes the place of the one whose last request is oldest", async () => {
  const { nound, port } = await start({ tlsConnections: 4 });
  const kept = Array.from({ length: 4 }, () => agent());
  for (const one of kept) expect(await read(port, { agent: one })).toMatchObject({ status: 200 });
  expect(await read(port, { agent: kept[0] })).toMatchObject({ isReused: true });
  const { acceptor } = nound;
  expect(childrenOf(acceptor)).toHaveLength(4);
  expect(await read(port, { agent: agent() })).toMatchObject({ status: 200 });
  expect(childrenOf(acceptor)).toHaveLength(4);
  expect(await read(port, { agent: kept[0] })).toMatchObject({ isReused: true });
  expect(await read(port, { agent: kept[1] })).toMatchObject({ isReused: false });
});

test("at the limit, clients that take nothing give their places at once (judged by test:time)", async () => {
  const { port } = await start({ tlsConnections: 2 });
  const requests = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_000);
  for (let count = 0; count < 2; count++) {
    const socket = connect({ port, host: "127.0.0.1", ca: own.pem }, () => socket.write(requests));
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.on("error", resolve).once("readable", resolve));
  }
  const began = performance.now();
  expect(await read(port)).toMatchObject({ status: 200 });
  expectMedian("at the limit, an answer", [performance.now() - began], 5_000);
});

test("a client that sends a byte a second loses its connection after ten", async () => {
  const { nound, port } = await start();
  const hello = await clientHello();
  const socket = await open(port);
  socket.on("error", () => {});
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => socket.write(hello.subarray(sent, ++sent)), 1_000);
  onTestFinished(() => clearInterval(timer));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  clearInterval(timer);
  expect(performance.now() - began).toBeGreaterThan(9_000);
  await eventually("its process ends", () => childrenOf(nound.acceptor).length === 0);
}, 30_000);

test("an acceptor that is killed takes no connection with it, and the server goes on", async () => {
  const { nound, plain, port } = await start();
  const kept = agent();
  await fetch(`http://127.0.0.1:${plain}/led`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: '{"led":1}',
  });
  expect(await read(port, { agent: kept })).toMatchObject({ body: '{"led":1}' });
  process.kill(nound.acceptor, "SIGKILL");
  expect(await read(port, { agent: kept })).toMatchObject({ status: 200, isReused: true });
  expect((await fetch(`http://127.0.0.1:${plain}/led`)).status).toBe(200);
});

const noPrlimit = missing("prlimit", "--version");
test.skipIf(noPrlimit !== undefined || commandOf("nound").length > 1)(
  `without descriptors where the nouns are, one connection is lost, and the next one is served${noPrlimit ?? ""}`,
  async () => {
    const { nound, port } = await start();
    const { acceptor, pid } = nound;
    const limit = async (descriptors: string) => {
      await run("prlimit", ["--pid", String(pid), `--nofile=${descriptors}:`]);
    };
    await limit("3");
    await expect(read(port)).rejects.toThrow();
    await limit("256");
    expect(await read(port)).toMatchObject({ status: 200 });
    expect(nound).toMatchObject({ acceptor, pid });
  },
);

test.skipIf(commandOf("nound").length > 1 || process.env["NOUND_SANITIZERS"] !== undefined)(
  "code in the process of one connection acts on no other (skipped under a runner and with sanitizers)",
  async () => {
    const seed = String(randomInt(1_000_000));
    const played = endedByThisTest(new NoundProcess(["300", seed], "", { program: "nound-acceptor-forgeries" }));
    expect({ seed, ...(await played.ending()) }).toMatchObject({ seed, stdout: "300 rounds\n", stderr: "", status: 0 });
  },
);

/** Ticks of a processor that the processes have used which a process has forked, and which have ended. */
function ticksOfChildren(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "over %s, no signature is verified of the chain of a client",
  async (version) => {
    const panel = certificate({ name: "panel", usages: ["client"] });
    // As many as Mbed TLS follows; each could have signed the one before it.
    const chained = () => certificate({ name: "Same", isAuthority: true, keys: ecKeys("P-384") });
    const leaf = certificate({ name: "panel", usages: ["client"], issuer: chained(), keys: panel.keys });
    const chain = [leaf, ...Array.from({ length: 8 }, chained)].map(({ pem }) => pem).join("");
    const tokens = tokenFile(`panel GET led key:${panel.keyHash}`);
    const [plain, sealed] = [await freeAddress(), await freeAddress()];
    const listen = [plain, `https://${sealed}`];
    const nound = forThisTest(await startNound({ nouns, listen, https, access: { tokens } }));
    const ticksOf = async (cert: string) => {
      const before = ticksOfChildren(nound.acceptor);
      for (let count = 0; count < 20; count++) {
        const secrets = { cert, key: panel.key, minVersion: version, maxVersion: version, agent: false };
        expect(await read(portOf(sealed), secrets)).toMatchObject({ status: 200 });
      }
      await eventually("every process has ended", () => childrenOf(nound.acceptor).length === 0);
      return ticksOfChildren(nound.acceptor) - before;
    };
    const [long, short] = [await ticksOf(chain), await ticksOf(panel.pem)];
    expect(long).toBeLessThan(3 * short);
  },
);
