/** A reload among requests: none is lost, plain or encrypted. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request as plainRequest, type RequestOptions } from "node:http";
import { request } from "node:https";
import { connect as connectPlain, createServer, type Socket } from "node:net";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress, freePort, portOf } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, mosquittoMissing } from "../harness/mosquitto.ts";
import { privateFile, startNound } from "../harness/nound-process.ts";
import { acceptsAt, awaitsHangup } from "../harness/process-status.ts";
import { reloadProcess } from "../harness/reloaded-service.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";

const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });

const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };

/** How many descriptors a process has; 0 once it has ended. */
function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** A port in front of another one, which passes the first bytes of its only client on, and the others when it is told. */
async function delaying(port: number, first: number): Promise<{ readonly port: number; readonly goOn: () => void }> {
  const own = await freePort();
  let goOn = () => {};
  const server = createServer((client) => {
    const there = connectPlain(port, "127.0.0.1");
    let held: Buffer | undefined = Buffer.alloc(0);
    let passed = 0;
    client.on("data", (bytes: Buffer) => {
      const now = held === undefined ? bytes.length : Math.min(bytes.length, first - passed);
      there.write(bytes.subarray(0, now));
      passed += now;
      if (held !== undefined) held = Buffer.concat([held, bytes.subarray(now)]);
    });
    goOn = () => {
      if (held !== undefined) there.write(held);
      held = undefined;
    };
    there.on("data", (bytes) => client.write(bytes)).on("end", () => client.end());
    client.on("end", () => there.end());
    for (const one of [client, there]) one.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: own, goOn: () => goOn() };
}

test.each([0, 100])(
  "a handshake of which %d bytes have come when a reload begins ends, and its request is answered",
  async (first) => {
    const [plain, sealed] = [await freeAddress(), await freeAddress()];
    const nound = forThisTest(await startNound({ nouns, listen: [plain, `https://${sealed}`], https }));
    const { acceptor, pid } = nound;
    await acceptsAt(acceptor, portOf(sealed));
    const idle = descriptorsOf(acceptor);
    const front = await delaying(portOf(sealed), first);
    const socket = connect({ port: front.port, host: "127.0.0.1", ca: own.pem });
    let answer = "";
    socket.on("error", (error) => (answer += error.message)).on("data", (bytes) => (answer += String(bytes)));
    socket.on("close", () => (answer += "(closed)"));
    socket.on("secureConnect", () => socket.write("GET /led HTTP/1.1\r\nHost: a\r\n\r\n"));
    // The connection, the pair with its process, and what the server is to get.
    const shaking = idle + 3;
    await eventually("its process waits", () => descriptorsOf(acceptor) === shaking);
    const reloaded = reloadProcess(nound.keeper);
    await eventually("the acceptor accepts no more", () => descriptorsOf(acceptor) < shaking);
    front.goOn();
    await eventually("it has an answer", () => answer !== "");
    expect(answer).toContain('{"led":0}');
    expect(answer).toContain("Connection: close");
    expect(await reloaded).toMatchObject({ status: 0 });
    expect(nound.pid).not.toBe(pid);
    socket.destroy();
  },
);

test("a client that connects during a reload, and is silent until it is over, is answered", async () => {
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const nound = forThisTest(await startNound({ nouns, listen: [plain, `https://${sealed}`], https }));
  const { pid } = nound;
  process.kill(pid, "SIGSTOP");
  const reloaded = reloadProcess(nound.keeper);
  await eventually("the process that serves is told to hand over", () => awaitsHangup(pid));
  const sockets = await Promise.all(
    [plain, sealed].map(async (address) => {
      const socket = connectPlain(portOf(address), "127.0.0.1");
      await once(socket, "connect");
      return socket;
    }),
  );
  process.kill(pid, "SIGCONT");
  expect(await reloaded).toMatchObject({ status: 0 });
  const [open, toSeal] = sockets as [Socket, Socket];
  for (const socket of [open, connect({ socket: toSeal, host: "127.0.0.1", ca: own.pem })]) {
    socket.write("GET /led HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let answer = "";
    for await (const bytes of socket) answer += String(bytes);
    expect(answer).toContain('{"led":0}');
  }
});

/** Sends a request on a connection of its own. @returns the status. */
function ask(send: typeof request | typeof plainRequest, options: RequestOptions, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = send({ host: "127.0.0.1", agent: false, ...options }, (response) => {
      response.on("end", () => resolve(response.statusCode ?? 0)).on("error", reject);
      response.resume();
    });
    asking.on("error", reject).end(body);
  });
}

const missing = mosquittoMissing();
const isLong = process.env["NOUND_LONG"] !== undefined;

test.skipIf(missing !== undefined)(
  `reloads with a broker, a mirror and 20 clients lose no request (skipped: ${missing ?? "never here"})`,
  async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop("SIGKILL"));
    const other = await freeAddress();
    endedByThisTest(await startNound({ nouns, listen: [other] }));
    const [plain, sealed] = [await freeAddress(), await freeAddress()];
    const nound = await startNound({
      nouns: { ...nouns, far: { kind: "mirror", url: `http://${other}/led` } },
      listen: [plain, `https://${sealed}`],
      https,
      mqtt: { server: broker.address, id: "hall" },
      limits: { tlsConnections: 64 },
    });
    endedByThisTest(nound);
    let isOver = false;
    const counted = { plain: 0, encrypted: 0 };
    const lost: string[] = [];
    const headers = { "content-type": "application/json" };
    const client = async (number: number): Promise<void> => {
      const kind = number % 2 === 0 ? "encrypted" : "plain";
      for (let turn = number; !isOver; turn++) {
        const options = { port: portOf(kind === "plain" ? plain : sealed), path: "/led", ca: own.pem, headers };
        const isPut = turn % 3 === 0;
        const method = isPut ? "PUT" : "GET";
        const send = kind === "plain" ? plainRequest : request;
        const since = performance.now();
        try {
          const status = await ask(send, { ...options, method }, isPut ? `{"led":${turn % 2}}` : undefined);
          if (status !== 200) lost.push(`${kind}: ${status}`);
        } catch (error) {
          lost.push(`${kind}: ${String(error)} after ${Math.round(performance.now() - since)} ms`);
        }
        counted[kind] += 1;
      }
    };
    const clients = Array.from({ length: 20 }, (_, number) => client(number));
    for (let reload = 0; reload < (isLong ? 1_000 : 20); reload++) {
      expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
    }
    isOver = true;
    await Promise.all(clients);
    console.log(`${counted.plain} plain and ${counted.encrypted} encrypted requests, ${lost.length} lost`);
    expect(lost).toEqual([]);
    expect(Math.min(counted.plain, counted.encrypted)).toBeGreaterThan(isLong ? 1_000 : 20);
  },
);
