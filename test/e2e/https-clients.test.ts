/** Who an encrypted client is: by its key, by a token, and by its address; and what --check and --certificate say. */

import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { type Certificate, type CertificateOptions, certificate, ecKeys, rsaKeys } from "../harness/certificates.ts";
import { missing } from "../harness/client-program.ts";
import type { Configuration } from "../harness/configuration.ts";
import { eventually } from "../harness/eventually.ts";
import { agent, ask as send } from "../harness/https-client.ts";
import {
  configurationFile,
  type NoundProcess,
  privateFile,
  runNound,
  startNound,
  temporaryPath,
} from "../harness/nound-process.ts";
import { statusWords } from "../harness/process-status.ts";
import { reloadProcess } from "../harness/reloaded-service.ts";
import { forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

const nouns = {
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
  pump: { kind: "switch", key: "pump", values: [0, 1], default: 0 },
} as const;

const authority = certificate({ name: "House", isAuthority: true });
const own = certificate({ name: "hall", hosts: ["127.0.0.1"], issuer: authority });
const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };
const ask = (options: RequestOptions, body?: string) => send({ ca: authority.pem, ...options }, body);

async function start(configuration: Partial<Configuration>): Promise<{ nound: NoundProcess; port: number }> {
  const address = await freeAddress();
  const nound = forThisTest(await startNound({ nouns, listen: [`https://${address}`], https, ...configuration }));
  return { nound, port: portOf(address) };
}

/** @returns how many clients of a listening socket of 127.0.0.1 nobody has accepted yet: its `rx_queue` (proc_net_tcp). */
function waitingAt(port: number): number {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const line = readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .find((one) => one.includes(` ${place} 00000000:0000 0A `));
  return Number.parseInt(/:([0-9A-F]{8}) [0-9]{2}:/.exec(line ?? "")?.[1] ?? "", 16);
}

/** What a client needs to show a certificate that it has signed itself. */
const panel = certificate({ name: "panel", usages: ["client"] });
const stranger = certificate({ name: "stranger", usages: ["client"] });
const shown = ({ pem, key }: typeof panel) => ({ cert: pem, key });
const headers = { "content-type": "application/json" };
/** The field `Seccomp` of a process with a filter of system calls, which a sanitizer goes without. */
const filtered = process.env["NOUND_SANITIZERS"] === undefined ? "2" : "0";
const put = { path: "/led", method: "PUT", headers };

test.each(["TLSv1.2", "TLSv1.3"] as const)("a client is known by its key over %s", async (version) => {
  const made = await makeToken("other");
  const tokens = tokenFile(`panel GET,PUT led key:${panel.keyHash}`, made.line);
  const { port } = await start({ access: { tokens } });
  const secure = { minVersion: version, maxVersion: version } as const;
  const known = { port, agent: agent({ ...secure, ...shown(panel) }) };
  expect(await ask({ ...known, ...put }, '{"led":1}')).toMatchObject({ status: 200, body: '{"led":1}' });
  expect(await ask({ ...known, path: "/led" })).toMatchObject({ status: 200, isReused: true });
  expect(await ask({ ...known, ...put, path: "/pump" }, '{"pump":1}')).toMatchObject({ status: 403 });
  // The same bytes from others mean something else.
  for (const secrets of [{}, shown(stranger)]) {
    const other = { port, agent: agent({ ...secure, ...secrets }) };
    expect(await ask({ ...other, path: "/led" })).toMatchObject({ status: 401 });
    const authorization = `Bearer ${made.token}`;
    expect(await ask({ ...other, path: "/pump", headers: { authorization } })).toMatchObject({ status: 200 });
    expect(await ask({ ...other, path: "/led" })).toMatchObject({ status: 401 });
  }
});

/** Resumes a session, if one is given. @returns whether that was done, and the session to resume next. */
function visit(port: number, session?: Buffer): Promise<{ readonly isReused: boolean; readonly session: Buffer }> {
  return new Promise((resolve, reject) => {
    let given: Buffer = Buffer.alloc(0);
    const socket = connect({ port, host: "127.0.0.1", ca: authority.pem, ...(session && { session }) }, () =>
      socket.write("GET /led HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    socket.on("session", (next: Buffer) => (given = next)).on("error", reject);
    socket.on("end", () => resolve({ isReused: socket.isSessionReused(), session: given }));
    socket.resume();
  });
}

test("keys that a reload adds or removes count at once, and while one counts no session is resumed", async () => {
  const [made, later] = [await makeToken("other"), await makeToken("later")];
  const tokens = tokenFile(made.line);
  const { nound, port } = await start({ access: { tokens } });
  for (const id of [nound.pid, nound.acceptor]) expect(statusWords(id, "Seccomp")).toEqual([filtered]);
  const reload = async (...lines: readonly string[]) => {
    const { pid } = nound;
    writeFileSync(tokens, `${lines.join("\n")}\n`);
    expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
    expect(nound.pid).toBe(pid); // The tokens alone have changed.
  };
  const status = async () => (await ask({ port, path: "/led", agent: agent(shown(panel)) })).status;
  const { session } = await visit(port);
  expect(await visit(port, session)).toMatchObject({ isReused: true });
  expect(await status()).toBe(401);
  await reload(made.line, `panel GET led key:${panel.keyHash}`);
  await eventually("the key counts", async () => (await status()) === 200);
  expect(await visit(port, session)).toMatchObject({ isReused: false });
  await reload(made.line, later.line);
  await eventually("no key counts", async () => (await status()) === 401);
  await eventually("sessions are resumed again", async () => (await visit(port, session)).isReused);
});

test("a server that ends refuses encrypted connections at once, while it still answers others", async () => {
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const nound = forThisTest(await startNound({ nouns, listen: [plain, `https://${sealed}`], https }));
  const slow = connectPlain({ port: portOf(plain), host: "127.0.0.1" });
  let answer = "";
  slow.on("data", (bytes) => (answer += String(bytes))).write("GET /led HTTP/1.1\r\nHost: a\r\n");
  expect(await ask({ port: portOf(sealed), path: "/led" })).toMatchObject({ status: 200 });
  process.kill(nound.keeper, "SIGTERM");
  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connectPlain({ port: portOf(sealed), host: "127.0.0.1" }, () => resolve(false));
      socket.on("error", () => resolve(true)).on("connect", () => socket.destroy());
    });
  await eventually("a connection is refused", isRefused);
  slow.write("\r\n");
  await eventually("the other one is answered", () => answer.includes('{"led":0}'));
  await nound.ending();
});

test("a client without the key of the certificate that it shows is not known", async () => {
  const { port } = await start({ access: { tokens: tokenFile(`panel * * key:${panel.keyHash}`) } });
  const forged = { port, path: "/led", agent: agent({ cert: panel.pem, key: panel.key }) };
  expect(await ask(forged)).toMatchObject({ status: 200 });
  const copied = { port, path: "/led", agent: agent({ cert: stranger.pem, key: stranger.key }) };
  expect(await ask(copied)).toMatchObject({ status: 401 });
});

/** Certificates of clients that a server which asks an authority would refuse: here the key counts. */
describe.each<readonly [title: string, options: Partial<CertificateOptions>]>([
  ["has ended", { to: "2024-02-29" }],
  ["begins and ends in 1970", { from: "1970-01-01", to: "1970-01-02" }],
  ["is not yet valid", { from: "2048-03-01" }],
  ["begins in 2038", { from: "2038-01-20" }],
  ["begins in 2106", { from: "2106-02-08", to: "2107-01-01" }],
  ["ends before it begins", { from: "2048-03-01", to: "2021-01-01" }],
  ["is of an authority that nobody knows", { issuer: certificate({ name: "Stranger", isAuthority: true }) }],
  ["is of a leaf", { issuer: certificate({ name: "printer" }) }],
  ["misses an authority between", { issuer: certificate({ name: "Between", isAuthority: true, issuer: authority }) }],
  ["is for servers", { usages: ["server"] }],
  ["is for programs", { usages: ["code"] }],
  ["has a key that may not sign", { keyUsage: 0x08 }],
  ["is an authority's", { isAuthority: true }],
  ["has an address of another", { hosts: ["192.0.2.1"] }],
  ["has an empty list of names", { hosts: [] }],
  ["is signed with SHA-384 and of P-384", { keys: ecKeys("P-384"), hash: "sha384" }],
  ["is of RSA", { keys: rsaKeys() }],
])("a client's certificate that %s", (_, options) => {
  test("is known by its key, and unknown without a line of its key", async () => {
    const client = certificate({ name: "panel", usages: ["client"], ...options });
    const { port } = await start({ access: { tokens: tokenFile(`panel * * key:${client.keyHash}`) } });
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const secure = { minVersion: version, maxVersion: version } as const;
      expect(await ask({ port, path: "/led", agent: agent({ ...secure, ...shown(client) }) })).toMatchObject({
        status: 200,
      });
      const other = certificate({ name: "panel", usages: ["client"], ...options, keys: ecKeys() });
      expect(await ask({ port, path: "/led", agent: agent({ ...secure, ...shown(other) }) })).toMatchObject({
        status: 401,
      });
    }
  });
});

/** Those whose proof is worth too little, or that nound cannot read. The token file does not help them. */
describe.each<readonly [title: string, client: () => Certificate]>([
  ["has an RSA key of 1024 bits", () => certificate({ name: "panel", keys: rsaKeys(1_024) })],
  ["has a key of 224 bits", () => certificate({ name: "panel", keys: ecKeys("P-224") })],
  ["has a key of P-521", () => certificate({ name: "panel", keys: ecKeys("P-521") })],
  ["has a key of the curve of Bitcoin", () => certificate({ name: "panel", keys: ecKeys("secp256k1") })],
  ["is signed with SHA-1", () => certificate({ name: "panel", keys: rsaKeys(), hash: "sha1" })],
  ["is signed with MD5", () => certificate({ name: "panel", keys: rsaKeys(), hash: "md5" })],
  ["has a critical extension that nobody knows", () => certificate({ name: "panel", isSpecial: true })],
])("a client's certificate that %s", (_, make) => {
  test("opens nothing, and harms no other client", async () => {
    const client = make();
    const tokens = tokenFile(`weak * * key:${client.keyHash}`, `panel * * key:${panel.keyHash}`);
    const { port } = await start({ access: { tokens } });
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const secure = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" } as const;
      const asked = ask({ port, path: "/led", agent: agent({ ...secure, ...shown(client) }) });
      // The handshake ends, or the client does not use such a key.
      expect(await asked.catch(() => ({ status: 401 }))).toMatchObject({ status: 401 });
    }
    expect(await ask({ port, path: "/led", agent: agent(shown(panel)) })).toMatchObject({ status: 200 });
  });
});

test("the hash of a key is no token, and that of a token no key", async () => {
  const made = await makeToken("other");
  const [, , , hash] = made.line.split(" ");
  const { port } = await start({ access: { tokens: tokenFile(`panel * * key:${hash?.trim()}`) } });
  const headers = { authorization: `Bearer ${made.token}` };
  expect(await ask({ port, path: "/led", headers })).toMatchObject({ status: 401 });
});

test("a key that is withdrawn ends its connections at the reload", async () => {
  const keeping = await makeToken("other");
  const tokens = tokenFile(`panel * * key:${panel.keyHash}`, keeping.line);
  const { nound, port } = await start({ access: { tokens } });
  const known = { port, path: "/led", agent: agent(shown(panel)) };
  expect(await ask(known)).toMatchObject({ status: 200 });
  writeFileSync(tokens, keeping.line);
  expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
  await eventually("the connection has ended", () => Object.keys(known.agent.freeSockets).length === 0);
  expect(await ask(known)).toMatchObject({ status: 401, isReused: false });
  writeFileSync(tokens, `panel * * key:${panel.keyHash}\n${keeping.line}`);
  expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
  expect(await ask({ ...known, agent: agent(shown(panel)) })).toMatchObject({ status: 200 });
});

test("a connection is accepted under the tokens of the last reload, though the acceptor was told late", async () => {
  const keeping = await makeToken("other");
  const lines = [`panel * * key:${panel.keyHash}`, keeping.line] as const;
  const tokens = tokenFile(...lines);
  const { nound, port } = await start({ access: { tokens } });
  const { acceptor } = nound;
  process.kill(acceptor, "SIGSTOP");
  for (const text of [keeping.line, lines.join("\n")]) {
    writeFileSync(tokens, text);
    expect(await reloadProcess(nound.keeper)).toMatchObject({ status: 0 });
  }
  const asked = ask({ port, path: "/led", agent: agent(shown(panel)) });
  await eventually("a client waits", () => waitingAt(port) === 1);
  process.kill(acceptor, "SIGCONT");
  expect(await asked).toMatchObject({ status: 200 });
});

test("wrong tokens are counted by the address of the client", async () => {
  const { line } = await makeToken("other");
  const { port } = await start({ access: { tokens: tokenFile(line) } });
  const wrong = { port, path: "/led", headers: { authorization: `Bearer ${"x".repeat(40)}` } };
  let status: number | undefined;
  for (let tries = 0; tries < 40 && status !== 429; tries++) ({ status } = await ask(wrong));
  expect(status).toBe(429);
  expect(await ask({ ...wrong, localAddress: "127.0.0.2" })).toMatchObject({ status: 401 });
});

test("--certificate prints the fingerprints of a certificate that is there", async () => {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const listen = [`https://${await freeAddress()}`];
  const config = configurationFile({ nouns, listen, stateDirectory });
  const early = await runNound("--certificate", "--config", config);
  expect(early).toMatchObject({ status: 78 });
  expect(early.stderr).toContain("has no certificate yet: nound makes one when it first serves https");
  const nound = await startNound({ nouns, listen, stateDirectory });
  await nound.stop();
  const { stdout, status } = await runNound("--certificate", "--config", config);
  expect(status).toBe(0);
  const made = new X509Certificate(readFileSync(join(stateDirectory, "https-certificate.pem")));
  expect(stdout).toContain(`SHA-256 of the certificate: ${made.fingerprint256.replaceAll(":", "").toLowerCase()}\n`);
  const given = await runNound("--certificate", "--config", configurationFile({ nouns, listen, https }));
  expect(given.stdout).toContain(`SHA-256 of its key: ${own.keyHash}\n`);
  const plain = await runNound("--certificate", "--config", configurationFile({ nouns, listen: ["127.0.0.1:1"] }));
  expect(plain.stderr).toContain('no address in "listen" begins with https://');
});

test.runIf(process.getuid?.() === 0)("root sees the certificate of a service that is another user", async () => {
  const stateDirectory = temporaryPath("states");
  const listen = [`https://${await freeAddress()}`];
  const config = configurationFile({ nouns, listen, stateDirectory });
  expect(await runNound("--certificate", "--config", config)).toMatchObject({ status: 78 });
  expect(existsSync(stateDirectory)).toBe(false);
  await (await startNound({ nouns, listen, stateDirectory })).stop();
  for (const name of ["", "https-key.pem", "https-certificate.pem"])
    chownSync(join(stateDirectory, name), 65_534, 65_534);
  expect(await runNound("--certificate", "--config", config)).toMatchObject({ status: 0 });
});

test("--check names a certificate that cannot be used, and warns of tokens on a plain address", async () => {
  const check = (configuration: object) =>
    runNound("--check", "--config", configurationFile(JSON.stringify({ nouns, ...configuration })));
  const listen = "https://127.0.0.1:8443";
  const wrong = await check({ listen, https: { ...https, key: privateFile("key.pem", authority.key) } });
  expect(wrong).toMatchObject({ status: 78 });
  expect(wrong.stderr).toContain('https: "key" does not belong to "certificate"');
  expect(await check({ listen, https })).toMatchObject({ status: 0, stderr: "" });
  expect((await check({ listen })).stderr).toContain("nound keeps there the certificate that it makes");
  const tokens = tokenFile((await makeToken("panel")).line);
  const warning = "tokens are sent unencrypted to 0.0.0.0:8080";
  const open = ["0.0.0.0:8080", "https://0.0.0.0:8443"];
  expect((await check({ listen: open, https, access: { tokens } })).stdout).toContain(warning);
  expect((await check({ listen: ["127.0.0.1:8080", open[1]], https, access: { tokens } })).stdout).not.toContain(
    "unencrypted",
  );
});

const noOpenssl = missing("openssl", "version");
test.skipIf(noOpenssl !== undefined)(
  `a client may change its key, and ask for another one, as often as it likes${noOpenssl ?? ""}`,
  async () => {
    const { port } = await start({});
    const words = ["s_client", "-connect", `127.0.0.1:${port}`, "-tls1_3"];
    const client = spawn("openssl", words, { stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void client.kill("SIGKILL"));
    let [said, told] = ["", ""];
    client.stdout.on("data", (bytes) => (said += String(bytes)));
    client.stderr.on("data", (bytes) => (told += String(bytes)));
    client.stdin.on("error", () => undefined);
    const isOver = () => client.exitCode !== null;
    const count = (text: string, word: string) => text.split(word).length - 1;
    await eventually("it is connected", () => said.includes("---"));
    for (let turn = 1; turn <= 6; turn++) {
      // k: a new key of the client. K: one that asks for a new key of the server.
      client.stdin.write(turn % 2 === 0 ? "k\n" : "K\n");
      await eventually("it has a new key", () => isOver() || count(told, "KEYUPDATE") === turn);
      client.stdin.write("GET /led HTTP/1.1\r\nHost: a\r\n\r\n");
      await eventually("it has an answer", () => isOver() || count(said, '{"led":0}') === turn);
      expect(client.exitCode).toBe(null);
    }
  },
);
