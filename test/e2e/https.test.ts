/** Encrypted connections from clients: Node's client over TLS 1.2 and 1.3, certificates, and what a client may do. */
import { createHash, createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { type RequestOptions, request } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { join } from "node:path";
import { connect, type SecureVersion } from "node:tls";
import { describe, expect, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { type Certificate, certificate, ecKeys, rsaKeys } from "../harness/certificates.ts";
import { missing, run } from "../harness/client-program.ts";
import type { Configuration } from "../harness/configuration.ts";
import { commandOf } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { agent, ask as send } from "../harness/https-client.ts";
import { NoundProcess, privateFile, startNound, temporaryPath } from "../harness/nound-process.ts";
import { childrenOf, holdsPartOf, ownMemory } from "../harness/process-status.ts";
import { reloadProcess } from "../harness/reloaded-service.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";

const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;

function folder(): string {
  const path = temporaryPath("states");
  mkdirSync(path, { mode: 0o700 });
  return path;
}

const authority = certificate({ name: "House", isAuthority: true });
const own = certificate({ name: "hall", hosts: ["127.0.0.1", "localhost"], issuer: authority });
const https = (one: Certificate = own) => ({
  certificate: privateFile("certificate.pem", one.pem),
  key: privateFile("key.pem", one.key),
});

interface Served {
  readonly nound: NoundProcess;
  readonly port: number;
}

/** Starts nound on https alone. */
async function start(configuration: Partial<Configuration>): Promise<Served> {
  const address = await freeAddress();
  const nound = await startNound({ nouns, listen: [`https://${address}`], ...configuration });
  return { nound, port: portOf(address) };
}

/** Sends a request, and trusts the authority. */
const ask = (options: RequestOptions, body?: string | readonly string[]) =>
  send({ ca: authority.pem, ...options }, body);

const headers = { "content-type": "application/json" };

describe.each(["TLSv1.2", "TLSv1.3"] as const)("over %s", (version: SecureVersion) => {
  test("a client reads, sets, updates and resets a noun on one connection", async () => {
    const { nound, port } = await start({ https: https() });
    forThisTest(nound);
    const kept = { port, path: "/led", agent: agent({ minVersion: version, maxVersion: version }) };
    expect(await ask(kept)).toMatchObject({ status: 200, body: '{"led":0}' });
    const put = { ...kept, method: "PUT", headers };
    expect(await ask(put, '{"led":1}')).toMatchObject({ status: 200, body: '{"led":1}', isReused: true });
    expect(await ask({ ...kept, method: "HEAD" })).toMatchObject({ status: 200, body: "", isReused: true });
    expect(await ask(put, ['{"l', 'ed":0}'])).toMatchObject({ status: 200, body: '{"led":0}', isReused: true });
    expect(await ask({ ...kept, method: "POST", headers }, '{"led":1}')).toMatchObject({
      status: 200,
      body: '{"led":1}',
    });
    expect(await ask({ ...kept, method: "DELETE" })).toMatchObject({ status: 200, body: '{"led":0}' });
  });

  test("a client that comes again resumes its session", async () => {
    const { nound, port } = await start({ https: https() });
    forThisTest(nound);
    let session: Buffer | undefined;
    const visit = () =>
      new Promise<boolean>((resolve, reject) => {
        const options = { ca: authority.pem, minVersion: version, maxVersion: version, ...(session && { session }) };
        const socket = connect(port, "127.0.0.1", options, () => {
          socket.write("GET /led HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        });
        socket.on("session", (given) => (session = given));
        socket.on("error", reject);
        socket.on("end", () => resolve(socket.isSessionReused()));
        socket.resume();
      });
    expect(await visit()).toBe(false);
    expect(await visit()).toBe(true);
  });

  test("a long document arrives whole, and a stream has its events", async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`led${index}`, nouns.led]));
    const { nound, port } = await start({ nouns: many, https: https() });
    forThisTest(nound);
    const kept = { port, agent: agent({ minVersion: version, maxVersion: version, maxSockets: 2 }) };
    const { body } = await ask({ ...kept, path: "/openapi.json" });
    expect(JSON.parse(body)).toMatchObject({ servers: [{ url: `https://127.0.0.1:${port}` }] });
    const events: string[] = [];
    const stream = request(
      { host: "127.0.0.1", ca: authority.pem, ...kept, path: "/led7", headers: { accept: "text/event-stream" } },
      (response) => response.on("data", (bytes) => events.push(String(bytes))),
    );
    stream.on("error", () => undefined);
    stream.end();
    await eventually("it begins", () => events.join("").includes('{"led":0}'));
    await ask({ ...kept, path: "/led7", method: "PUT", headers }, '{"led":1}');
    await eventually("it has the change", () => events.join("").includes('{"led":1}'));
    stream.destroy();
  });
});

function plainText(port: number, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = plainRequest({ host: "127.0.0.1", port, path, headers: fields }, (response) => {
      let text = "";
      response.on("data", (bytes) => (text += String(bytes)));
      response.on("end", () => resolve(text));
    });
    asking.on("error", reject).end();
  });
}

test("http and https serve the same nouns, and a description names the scheme of its request", async () => {
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const nound = forThisTest(await startNound({ nouns, listen: [plain, `https://${sealed}`], https: https() }));
  await fetch(`http://${plain}/led`, { method: "PUT", headers, body: '{"led":1}' });
  const port = portOf(sealed);
  expect(await ask({ port, path: "/led" })).toMatchObject({ body: '{"led":1}' });
  const path = "/.well-known/wot";
  // The bytes of both requests are equal.
  const same = { host: "hall.example" };
  const hall = { port, path, headers: same, servername: "127.0.0.1", checkServerIdentity: () => undefined };
  expect(JSON.parse((await ask(hall)).body)).toMatchObject({ base: "https://hall.example/" });
  expect(JSON.parse((await ask(hall)).body)).toMatchObject({ base: "https://hall.example/" });
  const text = await plainText(portOf(plain), path, same);
  expect(JSON.parse(text)).toMatchObject({ base: "http://hall.example/" });
  expect(nound.printed).toBe("");
});

/** The certificate that nound has made in a folder. */
const madeIn = (path: string) => readFileSync(join(path, "https-certificate.pem"), "utf8");

test("without a certificate nound makes one, which a client trusts that has it, and keeps its key", async () => {
  const stateDirectory = folder();
  const first = await start({ stateDirectory });
  forThisTest(first.nound);
  expect(await ask({ port: first.port, path: "/led", ca: madeIn(stateDirectory) })).toMatchObject({ status: 200 });
  expect(statSync(join(stateDirectory, "https-key.pem")).mode & 0o777).toBe(0o600);
  const key = readFileSync(join(stateDirectory, "https-key.pem"), "utf8");
  const before = madeIn(stateDirectory);
  await first.nound.stop();
  const again = await start({ stateDirectory, listen: [`https://127.0.0.1:${first.port}`] });
  expect(madeIn(stateDirectory)).toBe(before);
  await forThisTest(again.nound).stop();
  const other = await start({ stateDirectory, access: { hosts: ["hall.example"] } });
  forThisTest(other.nound);
  expect(madeIn(stateDirectory)).not.toBe(before);
  expect(readFileSync(join(stateDirectory, "https-key.pem"), "utf8")).toBe(key);
  const hall = { port: other.port, path: "/led", servername: "hall.example", headers: { host: "hall.example" } };
  expect(await ask({ ...hall, ca: madeIn(stateDirectory) })).toMatchObject({ status: 200 });
});

test("a certificate that nound made by a wrong clock, and that begins later, is made anew of its key", async () => {
  const stateDirectory = folder();
  const path = join(stateDirectory, "https-certificate.pem");
  const first = await start({ stateDirectory });
  await first.nound.stop();
  const made = new X509Certificate(readFileSync(path));
  const privateKey = createPrivateKey(readFileSync(join(stateDirectory, "https-key.pem")));
  const hosts = (made.subjectAltName ?? "").split(", ").map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  const keys = { privateKey, publicKey: createPublicKey(privateKey) };
  const early = certificate({ name: hosts[0] ?? "", hosts, keys, from: "2031-01-01", to: "2032-01-01" });
  writeFileSync(path, early.pem);
  const { nound, port } = await start({ stateDirectory });
  forThisTest(nound);
  const anew = new X509Certificate(readFileSync(path));
  expect(anew.subjectAltName).toBe(made.subjectAltName);
  expect(Date.parse(anew.validFrom)).toBeLessThan(Date.now());
  expect(anew.checkPrivateKey(privateKey)).toBe(true);
  expect(await ask({ port, path: "/led", ca: readFileSync(path) })).toMatchObject({ status: 200 });
});

test("an application that has given up its rights serves by a certificate that it has made", async () => {
  const [stateDirectory, address] = [folder(), await freeAddress()];
  const application = privateFile(
    "application.ts",
    `import { serve, switchNoun } from "nound";
     serve({
       name: "hall",
       version: "1.0.0",
       listen: "https://${address}",
       https: { stateDirectory: ${JSON.stringify(stateDirectory)} },
       nouns: () => ({ led: switchNoun({ key: "led" }) }),
     });`,
  );
  const port = portOf(address);
  forThisTest(new NoundProcess([], `https://${address}`, { application: await bundleApplication(application) }));
  await eventually("its certificate is there", () => existsSync(join(stateDirectory, "https-certificate.pem")));
  await eventually("it serves", async () => {
    const { status } = await ask({ port, path: "/led", ca: madeIn(stateDirectory) }).catch(() => ({ status: 0 }));
    return status === 200;
  });
  expect(await ask({ port, path: "/led", ca: madeIn(stateDirectory) })).toMatchObject({ body: '{"led":0}' });
});

test("the description has the SHA-256 of the certificate, that a person may compare it", async () => {
  const { nound, port } = await start({ https: https() });
  forThisTest(nound);
  const sha256 = createHash("sha256").update(own.der).digest("hex");
  const { body } = await ask({ port, path: "/.well-known/wot" });
  expect(JSON.parse(body)).toMatchObject({ "nound:certificate": sha256 });
});

const refused: readonly (readonly [string, (port: number) => Socket, string])[] = [
  [
    "of an older version",
    (port) =>
      connect({ port, host: "127.0.0.1", maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }),
    "the client speaks no TLS 1.2 and no TLS 1.3",
  ],
  [
    "without a cipher in common",
    (port) => connect({ port, host: "127.0.0.1", maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" }),
    "the client has no cipher, or no kind of key, in common with nound",
  ],
  [
    "of plain HTTP",
    (port) =>
      connectPlain({ port, host: "127.0.0.1" }).on("connect", function greet(this: Socket) {
        this.write("GET /led HTTP/1.1\r\nHost: a\r\n\r\n");
      }),
    "the client does not speak TLS: is its URL https?",
  ],
  [
    "that goes",
    (port) =>
      connectPlain({ port, host: "127.0.0.1" }).on("connect", function go(this: Socket) {
        this.end("\x16\x03\x01");
      }),
    "the client broke off the handshake",
  ],
];

test.each(refused)("with the log of requests, a client %s is told of, and why", async (_, visit, reason) => {
  const { nound, port } = await start({ https: https(), log: "requests" });
  endedByThisTest(nound);
  const socket = visit(port).on("error", () => undefined);
  await eventually("the log has it", () => nound.printed.includes(`no encrypted connection: ${reason}`));
  expect(nound.printed).toMatch(/^127\.0\.0\.1:\d+: no encrypted connection: /m);
  socket.destroy();
  await nound.stop();
});

const noCurl = missing("curl", "--version");
// Node's client looks at a certificate after its handshake.
test.skipIf(noCurl !== undefined)(
  `the log tells of a client that does not trust the certificate${noCurl ?? ""}`,
  async () => {
    const { nound, port } = await start({ https: https(), log: "requests" });
    endedByThisTest(nound);
    const other = privateFile("other.pem", certificate({ name: "other", isAuthority: true }).pem);
    await expect(run("curl", ["-s", "--cacert", other, `https://127.0.0.1:${port}/led`])).rejects.toThrow();
    // When curl closes with bytes unread, the kernel sends RST, and the alert may be lost.
    const line = /no encrypted connection: the client (does not trust the certificate \(TLS alert 48\)|broke off)/;
    await eventually("the log has it", () => line.test(nound.printed));
    await nound.stop();
  },
);

test("a reload reads another certificate", async () => {
  const files = https();
  const { nound, port } = await start({ https: files });
  forThisTest(nound);
  const other = certificate({ name: "other", hosts: ["127.0.0.1"] });
  writeFileSync(files.certificate, other.pem);
  writeFileSync(files.key, other.key);
  expect(await ask({ port, path: "/led", agent: agent() })).toMatchObject({ status: 200 });
  expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
  await eventually("it has the other one", async () => {
    const { status } = await ask({ port, path: "/led", ca: other.pem, agent: agent() }).catch(() => ({ status: 0 }));
    return status === 200;
  });
});

const wrong: readonly (readonly [string, () => { readonly certificate: string; readonly key: string }, string])[] = [
  [
    "a key of another certificate",
    () => ({ certificate: privateFile("c.pem", own.pem), key: privateFile("k.pem", authority.key) }),
    '"key" does not belong to "certificate"',
  ],
  [
    "no certificate",
    () => ({ certificate: privateFile("c.pem", "hello"), key: privateFile("k.pem", own.key) }),
    "it begins with -----BEGIN CERTIFICATE-----",
  ],
  [
    "no key",
    () => ({ certificate: privateFile("c.pem", own.pem), key: privateFile("k.pem", own.pem) }),
    'the file of "key" is no key in PEM of RSA, P-256 or P-384',
  ],
  [
    "a file that is missing",
    () => ({ certificate: "/none.pem", key: privateFile("k.pem", own.key) }),
    'cannot use /none.pem, the file of "certificate": No such file or directory',
  ],
];

test.each(wrong)("does not start with %s, and says so", async (_, files, sentence) => {
  const address = await freeAddress();
  const failing = startNound({ nouns, listen: [`https://${address}`], https: files() });
  await expect(failing).rejects.toThrow(sentence);
});

test.each([
  ["RSA with 2,048 bits", rsaKeys()],
  ["RSA with 4,096 bits", rsaKeys(4_096)],
  ["P-384", ecKeys("P-384")],
])("serves with a key of %s", async (_, keys) => {
  const one = certificate({ name: "hall", hosts: ["127.0.0.1"], issuer: authority, keys });
  const { nound, port } = await start({ https: https(one) });
  forThisTest(nound);
  expect(await ask({ port, path: "/led" })).toMatchObject({ status: 200 });
});

/** A sanitizer maps terabytes of addresses, which nobody can search. The memory of an emulator is its own. */
const hasOwnMemory = process.env["NOUND_SANITIZERS"] === undefined && commandOf("nound").length === 1;

describe.runIf(process.getuid?.() === 0 && hasOwnMemory)("as root", () => {
  test("the key is in the acceptor, and no byte of it where the nouns are or where a connection is", async () => {
    const { nound, port } = await start({ https: https() });
    endedByThisTest(nound);
    const secret = Buffer.from(own.keys.privateKey.export({ format: "jwk" }).d ?? "", "base64url");
    const kept = { port, path: "/led", agent: agent() };
    expect(await ask(kept)).toMatchObject({ status: 200 });
    const turned = Buffer.from(secret).reverse(); // a library may keep a number from its lowest byte on
    const holds = (pid: number) => holdsPartOf(secret, pid) || holdsPartOf(turned, pid);
    expect(holds(nound.acceptor)).toBe(true);
    const [connection = 0] = childrenOf(nound.acceptor);
    expect([nound.keeper, nound.pid, connection].map(holds)).toEqual([false, false, false]);
  });
});

test.skipIf(!hasOwnMemory)(
  "a connection takes at most 76 KB of memory of its own, and the acceptor 60 KB",
  async () => {
    const { nound, port } = await start({ stateDirectory: folder() });
    endedByThisTest(nound);
    await ask({ port, path: "/led", agent: agent(), rejectUnauthorized: false });
    const [connection = 0] = childrenOf(nound.acceptor);
    expect(ownMemory(connection)).toBeLessThanOrEqual(76);
    expect(ownMemory(nound.acceptor)).toBeLessThanOrEqual(60);
  },
);

test("when a connection ends, nothing of it is left", async () => {
  const { nound, port } = await start({ https: https() });
  forThisTest(nound);
  const keeping = agent();
  await ask({ port, path: "/led", agent: keeping });
  const { acceptor } = nound;
  expect(childrenOf(acceptor)).toHaveLength(1);
  keeping.destroy();
  await eventually("its process ends", () => childrenOf(acceptor).length === 0);
});

test.skipIf(commandOf("nound").length > 1 || missing("prlimit") !== undefined)(
  "without descriptors, one connection is lost, and https goes on (skipped under a runner and without prlimit)",
  async () => {
    const { nound, port } = await start({ https: https() });
    endedByThisTest(nound);
    const { acceptor, pid } = nound;
    const limit = async (files: number) => run("prlimit", [`--pid=${pid}`, `--nofile=${files}:`]);
    await limit(3);
    await expect(ask({ port, path: "/led" })).rejects.toThrow();
    await limit(1_000);
    expect(await ask({ port, path: "/led" })).toMatchObject({ status: 200 });
    expect([nound.acceptor, nound.pid]).toEqual([acceptor, pid]);
  },
);
