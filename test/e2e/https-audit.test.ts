/**
 * What needs minutes, or programs that few machines have: Go's and Java's clients, and testssl.sh. Only `npm run
 * test:tls` runs it.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { missing, run } from "../harness/client-program.ts";
import type { Configuration } from "../harness/configuration.ts";
import { privateFile, startNound, temporaryPath } from "../harness/nound-process.ts";
import { forThisTest } from "../harness/served.ts";

const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
const authority = certificate({ name: "House", isAuthority: true });
const own = certificate({
  name: "hall",
  hosts: ["127.0.0.1"],
  issuer: authority,
  revocations: "http://127.0.0.1/house.crl",
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date(Date.now() + 90 * 86_400_000).toISOString(),
});

const trusted = privateFile("authority.pem", authority.pem);
const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };

async function start(configuration: Partial<Configuration>): Promise<string> {
  const sealed = `https://${await freeAddress()}`;
  forThisTest(await startNound({ nouns, listen: [sealed], ...configuration }));
  return sealed;
}

const isShort = process.env["NOUND_LONG"] === undefined;
const noGo = missing("go", "version");
const noJava = missing("javac", "-version");

test.skipIf(isShort || noGo !== undefined).each(["TLSv1.2", "TLSv1.3"])(
  `Go's net/http sets and reads a state over %s, and resumes its session${noGo ?? ""}`,
  async (version) => {
    const program = join(import.meta.dirname, "go/https_client.go");
    const printed = await run("go", ["run", program, await start({ https }), trusted, version]);
    const lines = ['PUT 200 {"led":1} false', 'PUT 200 {"led":0} false', "HEAD 200  false", 'GET 200 {"led":0} true'];
    expect(printed.trimEnd().split("\n")).toEqual(lines);
  },
  120_000,
);

test.skipIf(isShort || noJava !== undefined).each(["TLSv1.2", "TLSv1.3"])(
  `Java's java.net.http sets and reads a state over %s${noJava ?? ""}`,
  async (version) => {
    const program = join(import.meta.dirname, "java/HttpsClient.java");
    const printed = await run("java", [program, await start({ https }), trusted, version]);
    const lines = ['PUT 200 {"led":1}', 'PUT 200 {"led":0}', "HEAD 200", 'GET 200 {"led":0}'];
    expect(printed.trimEnd().split(/ *\n/)).toEqual(lines);
  },
  120_000,
);

/** A line of testssl.sh. */
interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly finding: string;
}

/** Its levels from medium on, and the one of a test that could not be made. */
const bad = ["MEDIUM", "HIGH", "CRITICAL", "WARN", "FATAL"];

/** @returns the findings of level MEDIUM or worse. */
async function audit(sealed: string, authorities: readonly string[]): Promise<readonly string[]> {
  const file = temporaryPath("findings.json");
  const trust = authorities.flatMap((path) => ["--add-ca", path]);
  const words = ["--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", ...trust, "--jsonfile", file];
  // Its status counts findings.
  await new Promise((resolve) => execFile("testssl", [...words, sealed.replace("https://", "")], resolve));
  const findings = JSON.parse(readFileSync(file, "utf8")) as readonly Finding[];
  expect(findings.find(({ id }) => id === "TLS1_3")?.finding).toContain("offered");
  expect(findings.some(({ id }) => id === "scanTime")).toBe(true); // it has come to its end
  return findings.filter(({ severity }) => bad.includes(severity)).map(({ id, finding }) => `${id}: ${finding}`);
}

const noTestssl = missing("testssl", "--version");

test.skipIf(isShort || noTestssl !== undefined)(
  `testssl.sh finds nothing but that the device's own certificate is signed by itself${noTestssl ?? ""}`,
  async () => {
    const stateDirectory = temporaryPath("states");
    mkdirSync(stateDirectory, { mode: 0o700 });
    expect(await audit(await start({ stateDirectory }), [])).toEqual([
      "cert_chain_of_trust: failed (self signed).",
      // Only an authority could revoke it.
      "cert_revocation: Neither CRL nor OCSP URI provided",
    ]);
  },
  600_000,
);

test.skipIf(isShort || noTestssl !== undefined)(
  `testssl.sh finds nothing with a certificate of an authority${noTestssl ?? ""}`,
  async () => {
    expect(await audit(await start({ https }), [trusted])).toEqual([]);
  },
  600_000,
);
