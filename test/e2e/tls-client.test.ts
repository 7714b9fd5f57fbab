/** Encrypted connections to other servers: which certificates are taken, and which sentence refuses each other one. */
import { spawn, spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../harness/address.ts";
import {
  type Certificate,
  type CertificateOptions,
  certificate,
  ecKeys,
  type KeyPair,
  rsaKeys,
} from "../harness/certificates.ts";
import { missing as missingProgram } from "../harness/client-program.ts";
import { commandOf, hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, privateFile } from "../harness/nound-process.ts";
import { childrenOf, ownMemory } from "../harness/process-status.ts";

const isNative = commandOf("nound").length === 1;

/** Asks for each target in turn, and prints what has come of it. */
const asking = `
  import { connect, start } from "nound:connector";
  import { exit, onSignal, setTimer } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { environment, printOutput } from "nound:system";
  const { targets, tls, earliest } = JSON.parse(environment("ASKED"));
  const sockets = [];
  onSignal(() => {
    sockets.forEach((socket) => socket.write("bye"));
    exit(0);
  });
  setTimer(() => undefined, 600_000);
  start(targets, () => printOutput("the connector has ended\\n"), tls, earliest);
  restrict();
  let begun = 0;
  const next = () => {
    const target = begun++;
    if (target >= targets.length) return;
    connect(target, 600000, (socket, reason) => {
      if (socket === undefined) printOutput(target + ": " + reason + "\\n");
      else {
        sockets.push(socket);
        socket.handler = {
          onBytes: (bytes) => printOutput(target + ": " + bytes + "\\n"),
          onEnd: () => undefined, onDrain: () => undefined, onGone: () => undefined,
        };
        socket.writeBytes("hello");
      }
      next();
    });
  };
  for (let i = 0; i < 4; i++) next();
`;

/** The connector's settings, each part left out. */
const nothing = { authorities: "", certificate: "", key: "", name: "", alpn: "", keys: "" };

const authority = certificate({ name: "House", isAuthority: true });
const stranger = certificate({ name: "Stranger", isAuthority: true });
const between = certificate({ name: "Between", isAuthority: true, issuer: authority, pathLength: 0 });
const ended = certificate({ name: "Ended", isAuthority: true, to: "2025-06-30" });
const rsaAuthority = certificate({ name: "Old house", isAuthority: true, keys: rsaKeys() });
const deeper = certificate({ name: "Deeper", isAuthority: true, issuer: authority });
const deepest = certificate({ name: "Deepest", isAuthority: true, issuer: deeper });
const later = certificate({ name: "Later", isAuthority: true, issuer: authority, from: "2048-01-01" });
const over = certificate({ name: "Over", isAuthority: true, issuer: authority, to: "2023-01-01" });
const weak = certificate({ name: "Weak", isAuthority: true, issuer: authority, keys: rsaKeys(1_024) });
const old = certificate({ name: "Old", isAuthority: true, issuer: rsaAuthority, hash: "sha1" });
const onlySigning = certificate({ name: "No signer", isAuthority: true, issuer: authority, keyUsage: 0x80 });
const authorities = privateFile(
  "authorities.pem",
  `A comment.\n${[stranger, authority, ended, rsaAuthority].map(({ pem }) => pem).join("")}`.replace(stranger.pem, ""),
);

/** A right one, but for what is given. */
const server = (options: Partial<CertificateOptions> = {}): Certificate =>
  certificate({ name: "broker", hosts: ["127.0.0.1", "broker.example"], issuer: authority, ...options });

/** The same with another bit in its signature. */
function damaged({ der, ...others }: Certificate): Certificate {
  const bytes = Buffer.from(der);
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
  return { ...others, der: bytes, pem };
}

/** As many authorities, each signed by the one before it, and a server's certificate at their end. */
function long(count: number): readonly Certificate[] {
  const chain: Certificate[] = [];
  for (let depth = 0; depth < count; depth++) {
    const issuer = chain[0] ?? authority;
    chain.unshift(certificate({ name: `Level ${depth}`, isAuthority: true, issuer }));
  }
  return chain;
}

const own = certificate({ name: "device", issuer: authority, usages: ["client"] });
const strange = certificate({ name: "device", issuer: stranger, usages: ["client"] });
const identity = ({ pem, key }: Certificate) => ({
  certificate: privateFile("own.pem", pem),
  key: privateFile("own-key.pem", key),
});

/** What is tried. */
interface Case {
  readonly title: string;
  readonly shown: Certificate;
  /** Those that the server sends besides. */
  readonly chain?: readonly Certificate[];
  readonly settings?: Partial<typeof nothing>;
  readonly options?: TlsOptions;
  /** A server without TLS. */
  readonly plain?: (server: Server) => void;
  /** Undefined if it is taken. */
  readonly refusal?: string;
}

const plainKey = server();
const pinned = certificate({ name: "pinned", hosts: ["127.0.0.1"] });
const self = certificate({ name: "itself", hosts: ["127.0.0.1"] });
const leaf = server({ name: "printer" });
const tooLong = long(9);
const longest = long(7);
const middle = certificate({ name: "Middle", isAuthority: true, issuer: stranger });
const common = certificate({ name: "broker" });
const edwardsKeys = (): KeyPair => generateKeyPairSync("ed25519");
/** Of a file, because making such a key takes seconds. */
const hugeKeys = (): KeyPair => {
  const privateKey = createPrivateKey(readFileSync(new URL("./tls-client/rsa-8192.pem", import.meta.url), "utf8"));
  return { privateKey, publicKey: createPublicKey(privateKey) };
};
const unknown = (name: string) => `the authority ${name} is not in ${authorities}`;
const otherName = (names: string, name = "127.0.0.1") =>
  `the certificate is for ${names}, not ${name}: write its name as "name"`;

const ofAuthority = (name?: string) =>
  name === undefined ? "the server's certificate" : `the certificate of the authority ${name}`;
const endedOn = (date: string, name?: string) => `${ofAuthority(name)} ended on ${date}: renew it`;
const beginsOn = (date: string, name?: string) =>
  `${ofAuthority(name)} begins on ${date}: set the clock of this device`;
const missing = (name: string) =>
  `${unknown(name)}: name its file as "authorities", or have the server send all certificates between`;
const notForServers = "the server's certificate is not for servers: have it issued with serverAuth";
const oldHash = "the server's certificate is signed with a hash older than SHA-256: have it issued again";
const shortKey =
  "the server's certificate has a key that nound does not take, or is signed by one: it takes RSA from 2048";
const signedByLeaf = "the server's certificate is signed by printer, which is no authority";
const [weakest, onlyTls12] = [{ ciphers: "DEFAULT@SECLEVEL=0" }, { maxVersion: "TLSv1.2" }] as const;
/** The end of Node's server may overtake its alert. */
const noHandshake = "handshake";
const unsigned = { authorities: "" };

const cases: readonly Case[] = [
  { title: "P-256", shown: server() },
  { title: "P-384 with SHA-384", shown: server({ keys: ecKeys("P-384"), hash: "sha384" }) },
  { title: "RSA with 2048 bits", shown: server({ keys: rsaKeys(), issuer: rsaAuthority }) },
  { title: "RSA with 4096 bits over TLS 1.2", shown: server({ keys: rsaKeys(4096) }), options: onlyTls12 },
  { title: "TLS 1.2 alone", shown: server(), options: onlyTls12 },
  { title: "TLS 1.3 alone", shown: server(), options: { minVersion: "TLSv1.3" } },
  { title: "ChaCha20-Poly1305", shown: server(), options: { ciphers: "TLS_CHACHA20_POLY1305_SHA256" } },
  { title: "an authority between that is sent", shown: server({ issuer: between }), chain: [between] },
  { title: "another name that the settings give", shown: server(), settings: { name: "broker.example" } },
  { title: "a wildcard", shown: server({ hosts: ["*.example"] }), settings: { name: "broker.example" } },
  { title: "its end in 2038", shown: server({ to: "2038-01-20" }) },
  { title: "its end in 2106", shown: server({ to: "2106-02-08" }) },
  { title: "its end in 9999", shown: server({ to: "9999-12-31" }) },
  { title: "no usage at all", shown: server({ usages: [] }) },
  { title: "itself among the authorities", shown: self, settings: { authorities: privateFile("self.pem", self.pem) } },
  {
    title: "a key that is named, without an authority",
    shown: pinned,
    settings: { ...unsigned, keys: server().keyHash + pinned.keyHash },
  },
  {
    title: "a client certificate, which the server wants",
    shown: server(),
    settings: identity(own),
    options: { requestCert: true, ca: [authority.pem] },
  },
  {
    title: "a client certificate over TLS 1.2",
    shown: server(),
    settings: identity(own),
    options: { requestCert: true, ca: [authority.pem], maxVersion: "TLSv1.2" },
  },
  {
    title: "a protocol of ALPN",
    shown: server(),
    settings: { alpn: "mqtt,other" },
    options: { ALPNProtocols: ["other"] },
  },
  {
    title: "another name",
    shown: server({ hosts: ["broker.example", "192.0.2.1"] }),
    refusal: otherName("broker.example, 192.0.2.1"),
  },
  {
    title: "another name than the settings give",
    shown: server(),
    settings: { name: "cellar.example" },
    refusal: otherName("127.0.0.1, broker.example", "cellar.example"),
  },
  {
    title: "a wildcard of two levels",
    shown: server({ hosts: ["*.example"] }),
    settings: { name: "a.broker.example" },
    refusal: otherName("*.example", "a.broker.example"),
  },
  {
    title: "an address as a name",
    shown: certificate({ name: "127.0.0.1", hosts: ["localhost"], issuer: authority }),
    refusal: otherName("localhost"),
  },
  {
    title: "no names but the common one",
    shown: certificate({ name: "broker.example", issuer: authority }),
    settings: { name: "broker.example" },
    refusal:
      'the server\'s certificate has no names in "subjectAltName", so it is for no host; have it issued with ' +
      "broker.example",
  },
  { title: "its end in the past", shown: server({ to: "2024-02-29" }), refusal: endedOn("2024-02-29") },
  { title: "its end in 1970", shown: server({ from: "1970-01-01", to: "1970-01-02" }), refusal: endedOn("1970-01-02") },
  {
    title: "an authority's end in the past",
    shown: server({ issuer: ended }),
    refusal: endedOn("2025-06-30", "Ended"),
  },
  { title: "its beginning in the future", shown: server({ from: "2048-03-01" }), refusal: beginsOn("2048-03-01") },
  {
    title: "its beginning in 2106",
    shown: server({ from: "2106-03-01", to: "2107-01-01" }),
    refusal: beginsOn("2106-03-01"),
  },
  { title: "an unknown authority", shown: server({ issuer: stranger }), refusal: missing("Stranger") },
  {
    title: "an unknown authority that is sent",
    shown: server({ issuer: stranger }),
    chain: [stranger],
    refusal: `the authority Stranger is not in ${authorities}: name its file as "authorities"`,
  },
  {
    title: "another key under the authority's name",
    shown: server({ issuer: certificate({ name: "House", isAuthority: true }) }),
    refusal: missing("House"),
  },
  { title: "a missing authority between", shown: server({ issuer: between }), refusal: missing("Between") },
  {
    title: "its own signature",
    shown: self,
    refusal: 'the server\'s certificate is signed by itself: name its file as "authorities"',
  },
  { title: "a leaf as authority", shown: server({ issuer: leaf }), chain: [leaf], refusal: signedByLeaf },
  {
    title: "an authority that may not sign",
    shown: server({ issuer: onlySigning }),
    chain: [onlySigning],
    refusal: unknown("No signer"),
  },
  {
    title: "one authority more than the one above allows",
    shown: server({ issuer: certificate({ name: "Deep", isAuthority: true, issuer: between }) }),
    refusal: unknown("Deep"),
  },
  { title: "RSA with 1024 bits", shown: server({ keys: rsaKeys(1_024) }), options: weakest, refusal: shortKey },
  {
    title: "SHA-1",
    shown: server({ hash: "sha1", keys: rsaKeys(), issuer: rsaAuthority }),
    options: weakest,
    refusal: oldHash,
  },
  { title: "P-521", shown: server({ keys: ecKeys("P-521") }), refusal: "takes RSA of 2048 to 4096 bits" },
  { title: "the usage of clients", shown: server({ usages: ["client"] }), refusal: notForServers },
  { title: "a key that may not sign", shown: server({ keyUsage: 0x08 }), refusal: notForServers },
  {
    title: "another key than the one that is named",
    shown: server(),
    settings: { ...unsigned, keys: plainKey.keyHash },
    refusal: "the server's key has changed: it is ",
  },
  {
    title: "a named key for another name",
    shown: pinned,
    settings: { ...unsigned, keys: pinned.keyHash, name: "broker.example" },
    refusal: otherName("127.0.0.1", "broker.example"),
  },
  { title: "two authorities between", shown: server({ issuer: deepest }), chain: [deepest, deeper] },
  { title: "a certificate besides that is nobody's", shown: server(), chain: [stranger] },
  {
    title: "an address without a name for it",
    shown: certificate({ name: "127.0.0.1", issuer: authority }),
    refusal: "so it is for no host; have it issued with 127.0.0.1",
  },
  { title: "an empty list of names", shown: server({ hosts: [] }), refusal: otherName("no host") },
  { title: "the address of another", shown: server({ hosts: ["192.0.2.1"] }), refusal: otherName("192.0.2.1") },
  { title: "an address of IPv6", shown: server({ hosts: ["::1"] }), refusal: otherName("::1") },
  { title: "a wildcard for an address", shown: server({ hosts: ["*.0.0.1"] }), refusal: otherName("*.0.0.1") },
  {
    title: "a NUL in the name",
    shown: server({ hosts: ["broker.example\0.evil.example"] }),
    settings: { name: "broker.example" },
    refusal: otherName("broker.example?.evil.example", "broker.example"),
  },
  {
    title: "a wildcard alone",
    shown: server({ hosts: ["*"] }),
    settings: { name: "broker" },
    refusal: otherName("*", "broker"),
  },
  {
    title: "a wildcard within a label",
    shown: server({ hosts: ["b*.example"] }),
    settings: { name: "broker.example" },
    refusal: otherName("b*.example", "broker.example"),
  },
  {
    title: "a wildcard for the name above",
    shown: server({ hosts: ["*.broker.example"] }),
    settings: { name: "broker.example" },
    refusal: otherName("*.broker.example", "broker.example"),
  },
  {
    title: "the right common name beside other names",
    shown: certificate({ name: "broker.example", hosts: ["cellar.example"], issuer: authority }),
    settings: { name: "broker.example" },
    refusal: otherName("cellar.example", "broker.example"),
  },
  {
    title: "a name that begins with the right one",
    shown: server({ hosts: ["broker.example.org"] }),
    settings: { name: "broker.example" },
    refusal: otherName("broker.example.org", "broker.example"),
  },
  {
    title: "another name over TLS 1.2",
    shown: server({ hosts: ["cellar.example"] }),
    options: onlyTls12,
    refusal: otherName("cellar.example"),
  },
  {
    title: "its end in the last century",
    shown: server({ from: "1990-01-01", to: "1999-12-31" }),
    refusal: endedOn("1999-12-31"),
  },
  {
    title: "its end before its beginning",
    shown: server({ from: "2048-03-01", to: "2021-01-01" }),
    refusal: endedOn("2021-01-01"),
  },
  {
    title: "its end in the past over TLS 1.2",
    shown: server({ to: "2024-03-01" }),
    options: onlyTls12,
    refusal: endedOn("2024-03-01"),
  },
  { title: "its beginning in 2038", shown: server({ from: "2038-01-20" }), refusal: beginsOn("2038-01-20") },
  {
    title: "its beginning in 9999",
    shown: server({ from: "9999-12-30", to: "9999-12-31" }),
    refusal: beginsOn("9999-12-30"),
  },
  {
    title: "an authority's beginning in the future",
    shown: server({ issuer: later }),
    chain: [later],
    refusal: beginsOn("2048-01-01", "Later"),
  },
  {
    title: "the end in the past of an authority between",
    shown: server({ issuer: over }),
    chain: [over],
    refusal: endedOn("2023-01-01", "Over"),
  },
  {
    title: "the upper of two authorities between missing",
    shown: server({ issuer: deepest }),
    chain: [deepest],
    refusal: unknown("Deeper"),
  },
  { title: "two authorities between in another order", shown: server({ issuer: deepest }), chain: [deeper, deepest] },
  {
    title: "eight authorities between in the opposite order, and one that is nobody's, over TLS 1.2",
    shown: server({ issuer: longest[0] ?? authority }),
    chain: [stranger, ...longest.toReversed()],
    options: onlyTls12,
  },
  {
    title: "a named key whose certificate has the common name alone",
    shown: common,
    settings: { ...unsigned, keys: common.keyHash },
  },
  {
    title: "a named key whose certificate has the common name alone, for another name",
    shown: common,
    settings: { ...unsigned, keys: common.keyHash, name: "broker.example" },
  },
  {
    title: "its address as a DNS name",
    shown: server({ hosts: ["127.0.0.1"], areNames: true }),
    refusal:
      "the server's certificate has the address 127.0.0.1 as a DNS name, where it does not count; have it issued " +
      'with IP:127.0.0.1 in "subjectAltName"',
  },
  { title: "Ed25519", shown: server({ keys: edwardsKeys() }), refusal: "takes RSA of 2048 to 4096 bits" },
  {
    title: "RSA with 8192 bits",
    shown: server({ keys: hugeKeys() }),
    refusal: "takes RSA of 2048 to 4096 bits",
  },
  {
    title: "another order that leads to an unknown authority",
    shown: server({ issuer: certificate({ name: "Low", isAuthority: true, issuer: middle }) }),
    chain: [stranger, middle, certificate({ name: "Low", isAuthority: true, issuer: middle })],
    refusal: "is not in",
  },
  {
    title: "the lower of two authorities between missing",
    shown: server({ issuer: deepest }),
    chain: [deeper],
    refusal: unknown("Deepest"),
  },
  {
    title: "an unknown authority over TLS 1.2",
    shown: server({ issuer: stranger }),
    options: onlyTls12,
    refusal: unknown("Stranger"),
  },
  { title: "a damaged signature", shown: damaged(server()), refusal: unknown("House") },
  {
    title: "a damaged signature of an authority between",
    shown: server({ issuer: between }),
    chain: [damaged(between)],
    refusal: unknown("House"),
  },
  {
    title: "a leaf as authority that is listed",
    shown: server({ issuer: leaf }),
    settings: { authorities: privateFile("leaf.pem", leaf.pem) },
    refusal: signedByLeaf,
  },
  {
    title: "an authority that is listed and has ended",
    shown: server({ issuer: over }),
    settings: { authorities: privateFile("over.pem", over.pem) },
    refusal: endedOn("2023-01-01", "Over"),
  },
  {
    title: "RSA with 1024 bits as authority",
    shown: server({ issuer: weak }),
    chain: [weak],
    options: weakest,
    refusal: "has a key that nound does not take, or is signed by one",
  },
  { title: "RSA with 2040 bits", shown: server({ keys: rsaKeys(2_040) }), options: weakest, refusal: shortKey },
  {
    title: "SHA-1 of an authority between",
    shown: server({ issuer: old }),
    chain: [old],
    options: weakest,
    refusal: "is signed with a hash older than SHA-256: have it issued again",
  },
  {
    title: "MD5",
    shown: server({ hash: "md5", keys: rsaKeys(), issuer: rsaAuthority }),
    options: weakest,
    refusal: oldHash,
  },
  { title: "a curve of 224 bits", shown: server({ keys: ecKeys("P-224") }), options: weakest, refusal: "the server" },
  { title: "the curve of Bitcoin", shown: server({ keys: ecKeys("secp256k1") }), refusal: "the server" },
  { title: "the usage of programs", shown: server({ usages: ["code"] }), refusal: notForServers },
  { title: "a key that may only sign certificates", shown: server({ keyUsage: 0x04 }), refusal: notForServers },
  {
    title: "a critical extension that nobody knows",
    shown: server({ isSpecial: true }),
    refusal: "the server's certificate cannot be read",
  },
  {
    title: "nine authorities between",
    shown: server({ issuer: tooLong[0] ?? authority }),
    chain: tooLong,
    refusal: "has too many authorities above it: at most 8",
  },
  {
    title: "more names than fit",
    shown: server({ hosts: Array.from({ length: 1_500 }, (_, n) => `host${n}.broker.example`) }),
    refusal: "the server's certificates are too long: 16 KB or less together",
  },
  {
    title: "a named key that has ended",
    shown: server({ keys: pinned.keys, to: "2024-04-30" }),
    settings: { ...unsigned, keys: pinned.keyHash },
    refusal: endedOn("2024-04-30"),
  },
  {
    title: "another key than the two that are named",
    shown: server(),
    settings: { keys: pinned.keyHash + plainKey.keyHash },
    refusal: 'none of "keys"',
  },
  {
    title: "no client certificate",
    shown: server(),
    options: { requestCert: true, ca: [authority.pem], maxVersion: "TLSv1.2" },
    refusal: noHandshake,
  },
  {
    title: "a client certificate of an unknown authority",
    shown: server(),
    settings: identity(strange),
    options: { requestCert: true, ca: [authority.pem], maxVersion: "TLSv1.2" },
    refusal: noHandshake,
  },
  {
    title: "no common protocol of ALPN",
    shown: server(),
    settings: { alpn: "mqtt" },
    options: { ALPNProtocols: ["other"] },
    refusal: 'the server ended the handshake: it takes none of "alpn"',
  },
  {
    title: "TLS 1.1",
    shown: server(),
    options: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    refusal: "speaks no TLS 1.2 and no TLS 1.3",
  },
  {
    title: "an old cipher",
    shown: server(),
    options: { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" },
    refusal: "the server ended the handshake: it shares no cipher with this device",
  },
  {
    title: "no TLS",
    shown: plainKey,
    plain: (plain) => plain.on("connection", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    refusal: "the server does not speak TLS at this port",
  },
  {
    title: "nothing but an end",
    shown: plainKey,
    plain: (plain) => plain.on("connection", (socket) => socket.end()),
    refusal: "the server broke off the TLS handshake; does this port speak TLS?",
  },
];

const servers: Server[] = [];
const outcomes = new Map<Case, string>();
/** What servers have got after the first bytes. */
const farewells: string[] = [];

async function listening(one: Server): Promise<number> {
  servers.push(one);
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return (one.address() as { port: number }).port;
}

/** Sends back what it gets first, with the version. */
async function serving({ shown, chain = [], options, plain }: Case): Promise<number> {
  if (plain !== undefined) {
    const one = createServer();
    plain(one.on("connection", (socket) => socket.on("error", () => undefined)));
    return await listening(one);
  }
  const cert = [shown, ...chain].map(({ pem }) => pem).join("");
  const one = createTlsServer({ key: shown.key, cert, ...options }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      socket.write(`got ${bytes}`);
      socket.on("data", (more) => farewells.push(`${more}`));
    });
  });
  one.on("tlsClientError", () => undefined);
  return await listening(one);
}

interface Asked {
  readonly targets: readonly string[];
  readonly tls: readonly object[];
  readonly earliest: number;
}

const ask = (asked: Asked) =>
  new NoundProcess([], "", { application: configurationFile(asking), environment: { ASKED: JSON.stringify(asked) } });

/** A connector has at most 32 targets. */
const mostTargets = 32;
const groups = Array.from({ length: Math.ceil(cases.length / mostTargets) }, (_, at) =>
  cases.slice(at * mostTargets, (at + 1) * mostTargets),
);
const programs: NoundProcess[] = [];

beforeAll(async () => {
  for (const group of groups) {
    const ports = await Promise.all(group.map(serving));
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    const tls = group.map(({ settings }) => ({ ...nothing, authorities, ...settings }));
    const program = ask({ targets, tls, earliest: 0 });
    programs.push(program);
    await eventually("all are answered", () => {
      const lines = program.printed.split("\n");
      const answers = group.map((_, target) => lines.find((line) => line.startsWith(`${target}: `)));
      if (answers.includes(undefined)) return undefined;
      for (const [target, one] of group.entries()) {
        outcomes.set(one, (answers[target] ?? "").slice(`${target}: `.length));
      }
      return true;
    });
  }
});

afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  for (const one of servers) one.close();
});

describe("takes a server's certificate:", () => {
  test.each(cases.filter(({ refusal }) => refusal === undefined))("$title", (one) => {
    expect(outcomes.get(one)).toBe("got hello");
  });
});

describe("refuses a server:", () => {
  test.each(cases.filter(({ refusal }) => refusal !== undefined))("$title", (one) => {
    expect(outcomes.get(one)).toContain(one.refusal);
    expect(outcomes.get(one)).not.toContain("got hello");
  });

  test("by fifty different sentences, because some cases have the same cause", () => {
    const sentences = cases.filter(({ refusal }) => refusal !== undefined).map((one) => outcomes.get(one));
    expect(new Set(sentences).size).toBeGreaterThan(50);
  });
});

test.skipIf(!isNative || hasSanitizers)(
  "a connection has at most 120 KB of its own, their parent 60 KB (skipped under a runner, with sanitizers)",
  () => {
    const [program] = programs;
    const connector = program?.connector ?? 0;
    const processes = childrenOf(connector);
    expect(processes.length).toBeGreaterThan(5);
    for (const pid of processes) expect(ownMemory(pid)).toBeLessThanOrEqual(120);
    expect(ownMemory(connector)).toBeLessThanOrEqual(60);
  },
);

test("what a program has written when it ends still arrives", async () => {
  const [program] = programs;
  expect(await program?.stop()).toMatchObject({ status: 0, stderr: "" });
  const open = groups[0]?.filter(({ refusal }) => refusal === undefined).length;
  await eventually("all say bye", () => farewells.length === open);
  expect(new Set(farewells)).toEqual(new Set(["bye"]));
});

/** Why the kernel's clock is believed more than a kept date; undefined where it is not, or where Python cannot tell. */
const synchronized = (): string | undefined => {
  const script = "import ctypes; print(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)))";
  const { stdout } = spawnSync("/usr/bin/python3", ["-c", script], { encoding: "utf8" });
  const isSet = existsSync("/run/systemd/timesync/synchronized") || /^[0-4]$/.test((stdout ?? "").trim());
  return isSet ? " (this machine's clock is synchronized)" : undefined;
};
const isSynchronized = synchronized();

test.skipIf(isSynchronized !== undefined)(
  `a clock that is late makes no certificate valid again, and refuses none that may be valid${isSynchronized ?? ""}`,
  async () => {
    const shown = [server({ to: "2033-01-01" }), server({ from: "2035-01-01" })];
    const ports = await Promise.all(shown.map((one) => serving({ title: "", shown: one })));
    const program = ask({
      targets: ports.map((port) => `127.0.0.1:${port}`),
      tls: ports.map(() => ({ ...nothing, authorities })),
      earliest: Date.parse("2034-01-01") / 1_000,
    });
    onTestFinished(() => program.signal("SIGKILL"));
    await eventually("both are answered", () => /^0: .*\n/m.test(program.printed) && /^1: .*\n/m.test(program.printed));
    expect(program.printed).toContain("0: the server's certificate ended on 2033-01-01: renew it\n");
    expect(program.printed).toContain("1: got hello\n");
  },
);

describe("files that cannot be used end a connection, with the reason:", () => {
  const encrypted = () =>
    ecKeys()
      .privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
      .toString();
  test.each([
    [
      "a key of another pair",
      () => ({ ...identity(own), key: privateFile("k.pem", strange.key) }),
      '"key" does not belong to "certificate"',
    ],
    [
      "an encrypted key",
      () => ({ ...identity(own), key: privateFile("k.pem", encrypted()) }),
      'the file of "key" is encrypted by a password',
    ],
    ["no key", () => ({ ...identity(own), key: privateFile("k.pem", "secret") }), 'the file of "key" is no key in PEM'],
    [
      "no certificate",
      () => ({ ...identity(own), certificate: privateFile("c.pem", "") }),
      'the file of "certificate" is no certificate in PEM',
    ],
    [
      "no authorities",
      () => ({ authorities: privateFile("a.pem", "none") }),
      'the file of "authorities" has no certificate in PEM',
    ],
    [
      "a missing file",
      () => ({ authorities: "/none.pem" }),
      'cannot use /none.pem, the file of "authorities": No such file',
    ],
    [
      "a key that others may write",
      () => {
        const settings = identity(own);
        chmodSync(settings.key, 0o622);
        return settings;
      },
      "others may write to it",
    ],
  ] as const)("%s", async (_, settings, reason) => {
    const port = await serving({ title: "", shown: server({}) });
    const tls = [{ ...nothing, authorities, ...settings() }];
    const program = ask({ targets: [`127.0.0.1:${port}`], tls, earliest: 0 });
    onTestFinished(() => program.signal("SIGKILL"));
    await eventually("it is answered", () => /^0: .*\n/m.test(program.printed));
    expect(program.printed).toContain(reason);
  });
});

const noOpenssl = missingProgram("openssl", "version");
test.skipIf(noOpenssl !== undefined)(
  `a server may change its key, and ask for another one, as often as it likes${noOpenssl ?? ""}`,
  async () => {
    const shown = server();
    const port = await freePort();
    const files = ["-cert", privateFile("server.pem", shown.pem), "-key", privateFile("server-key.pem", shown.key)];
    const words = ["s_server", "-accept", `127.0.0.1:${port}`, "-tls1_3", "-msg", ...files];
    const openssl = spawn("openssl", words, { stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void openssl.kill("SIGKILL"));
    let told = "";
    openssl.stdout.on("data", (bytes) => (told += String(bytes)));
    openssl.stderr.on("data", (bytes) => (told += String(bytes)));
    openssl.stdin.on("error", () => undefined);
    const count = (sign: string) => told.split(`${sign} TLS 1.3, Handshake [length 0005], KeyUpdate`).length - 1;
    await eventually("it listens", () => told.includes("ACCEPT"));
    const program = ask({ targets: [`127.0.0.1:${port}`], tls: [{ ...nothing, authorities }], earliest: 0 });
    await eventually("it is connected", () => told.includes("hello"));
    for (let turn = 1; turn <= 6; turn++) {
      // k: a new key of the server. K: one that asks for a new key of the client.
      openssl.stdin.write(turn % 2 === 0 ? "k\n" : "K\n");
      await eventually("the server has a new key", () => count(">>>") === turn);
      openssl.stdin.write(`text ${turn}\n`);
      await eventually("it is read", () => program.printed.includes(`0: text ${turn}\n`));
    }
    await eventually("the client has as many new keys as it was asked for", () => count("<<<") === 3);
    expect(await program.stop()).toMatchObject({ status: 0, stderr: "" });
    await eventually("what the client sends is read", () => told.includes("bye"));
  },
);
