/** The first inputs of the fuzzer of TLS: certificates, and whole connections, which the fuzzer itself records. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { type Certificate, type CertificateOptions, certificate } from "../harness/certificates.ts";

/** As enum choice of fuzz-tls.c. */
const certificateChoice = 2;

/** The fuzzer's clock stands at a moment of 2030. */
const dates = { from: "2026-01-01", to: "2040-01-01" };

const made = (options: CertificateOptions): Certificate => certificate({ ...dates, ...options });

/**
 * Writes seeds, and the files that the fuzzer reads.
 * @param program the fuzzer. @param folder of the files. @param seeds the folder of the seeds.
 * @throws Error when the fuzzer cannot record its connections.
 */
export function writeTlsSeeds(program: string, folder: string, seeds: string): void {
  mkdirSync(seeds, { recursive: true });
  const authority = made({ name: "Authority", isAuthority: true });
  const hosts = ["broker.example", "192.0.2.10"];
  const server = made({ name: "broker", hosts, issuer: authority });
  const client = made({ name: "device", usages: ["client"], issuer: authority });
  for (const [name, { pem, key }] of Object.entries({ authority, server, client })) {
    writeFileSync(`${folder}/${name}.pem`, pem);
    writeFileSync(`${folder}/${name}-key.pem`, key, { mode: 0o600 });
  }
  const others = {
    server,
    client,
    authority,
    expired: made({ name: "broker", hosts, issuer: authority, to: "2027-01-01" }),
    nameless: made({ name: "broker", issuer: authority }),
    empty: made({ name: "broker", hosts: [], issuer: authority }),
    sha1: made({ name: "broker", hosts, issuer: authority, hash: "sha1" }),
    limited: made({ name: "limited", isAuthority: true, pathLength: 0, keyUsage: 4, issuer: authority }),
  };
  for (const [name, { der }] of Object.entries(others))
    writeFileSync(`${seeds}/certificate-${name}`, Buffer.concat([Buffer.from([certificateChoice]), der]));
  const { status, stderr } = spawnSync(program, [], {
    env: { ...process.env, NOUND_FUZZ_SEEDS: seeds },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The connections of the seeds could not be recorded: ${stderr}`);
}
