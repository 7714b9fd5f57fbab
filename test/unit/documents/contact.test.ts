/** Where vulnerabilities are reported: security.txt, for everyone (RFC 9116). */
import { expect, test } from "vitest";
import { tokensOf } from "../../../ts/core/access/token-file.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { documents } from "../../../ts/parts/documents/part.ts";
import { deviceFacts } from "../../../ts/program/application/device-facts.ts";
import { Bench, request } from "../server/bench.ts";

const day = 86_400_000;

/** @returns the answers of a device that needs a token, to requests without one. */
function answersOf(contact: string, sourceDate: number, ...requests: readonly string[]): readonly string[] {
  const bench = new Bench();
  const { net, clock, interruption, memory } = bench;
  const facts = deviceFacts({}, {}, { certificate: () => undefined });
  const system = { ...facts.platform.system, contact, sourceDate: () => sourceDate };
  const plan = documents({}, { ...facts, platform: { ...facts.platform, system } });
  const options = { access: { tokens: tokensOf("tokens", `owner GET * ${"ab".repeat(32)}\n`) } };
  const server = new HttpServer({ net, clock, interruption, memory, hash: simulatedHash }, options, [plan]);
  server.listen("127.0.0.1:8081");
  return requests.map((bytes) => {
    const peer = net.connect("127.0.0.1:8081");
    peer.send(bytes);
    clock.advance(0);
    return peer.received;
  });
}

const read = request("GET", "/.well-known/security.txt");

test("a device whose build names a contact tells it without a token, and for less than a year", () => {
  const [answer = "", changed, other] = answersOf(
    "mailto:psirt@maker.example",
    0,
    read,
    request("DELETE", "/.well-known/security.txt"),
    request("GET", "/metrics"),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/plain; charset=utf-8\r\n/);
  const text = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  const [, expires = ""] =
    /^Contact: mailto:psirt@maker\.example\r\nExpires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\r\n$/.exec(text) ?? [];
  const days = (Date.parse(expires) - Date.now()) / day;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
  expect(changed).toMatch(/^HTTP\/1\.1 405 /);
  expect(other).toMatch(/^HTTP\/1\.1 401 /);
});

test("a clock that is before the program's date does not make it stale", () => {
  const built = Date.now() + 1_000 * day;
  const [answer = ""] = answersOf("https://maker.example/security", built / 1_000, read);
  expect(Date.parse(/Expires: (\S+)/.exec(answer)?.[1] ?? "")).toBeGreaterThan(built);
});

test("a device whose build names none has no such document", () => {
  expect(answersOf("", 0, read)).toEqual([expect.stringMatching(/^HTTP\/1\.1 401 /)]);
});
