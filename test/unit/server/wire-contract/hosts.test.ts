/** Allowed hosts: a page that had its own name resolve to this device still sends its own name (DNS rebinding). */
import { describe, expect, test } from "vitest";
import { Bench } from "../bench.ts";
import { expectProblem, readResponse, statuses } from "../responses.ts";

const hosts = ["hall.example", "192.0.2.7:8080", "[2001:DB8::7]", "plain.example:80"];

function get(host: string, target = "/led"): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

test.each([
  "hall.example",
  "HALL.Example",
  "hall.example:80",
  "hall.example:8443",
  "hall.example:",
  "192.0.2.7:8080",
  "192.0.2.7:08080",
  "[2001:db8::7]",
  "[2001:db8::7]:8080",
  "[2001:db8::7%25eth0]",
  "[2001:db8::7%eth0]:8080",
  "plain.example",
  "plain.example:",
  "plain.example:80",
])("Host: %s is answered, again and again", (host) => {
  const peer = new Bench({}, false, { hosts }).connect();
  for (let round = 0; round < 4; round++) peer.send(get(host));
  expect(statuses(peer.received)).toEqual([200, 200, 200, 200]);
});

test.each([
  "a",
  "hall.example.evil.example",
  "evil-hall.example",
  "hall.example.",
  "192.0.2.7",
  "192.0.2.7:80",
  "192.0.2.7:808",
  "[2001:db8::8]",
  "[2001:db8::8%25eth0]",
  "plain.example:8080",
  "localhost",
])("Host: %s gets 421, again and again, and the connection goes on", (host) => {
  const bench = new Bench({}, false, { hosts });
  const peer = bench.connect();
  for (let round = 0; round < 4; round++) {
    peer.send(get(host));
    expectProblem(readResponse(peer.take()), 421);
  }
  peer.send(get("hall.example"));
  expect(statuses(peer.received)).toEqual([200]);
  expect(bench.led.calls).toEqual(["GET"]);
});

describe("the authority of an absolute target", () => {
  test("replaces the Host field (RFC 9112, 3.2.2)", () => {
    const bench = new Bench({}, false, { hosts });
    expect(statuses(bench.answer(get("evil.example", "http://hall.example/led")))).toEqual([200]);
    expect(statuses(bench.answer(get("hall.example", "http://evil.example/led")))).toEqual([421]);
    expect(statuses(bench.answer(get("hall.example", "http://hall.example@evil.example/led")))).toEqual([421]);
  });
});

test("the host is checked before the token, and the syntax of Host before everything else", () => {
  const bench = new Bench({}, false, { hosts, tokens: [], origins: [] });
  const foreign = "Origin: https://evil.example\r\n";
  expect(statuses(bench.answer(`GET /led HTTP/1.1\r\nHost: evil.example\r\n${foreign}\r\n`))).toEqual([421]);
  expect(statuses(bench.answer("GET /led HTTP/1.1\r\nHost: a b\r\n\r\n"))).toEqual([400]);
  expect(statuses(bench.answer(get("hall.example")))).toEqual([401]);
});

test("without a list every host is answered", () => {
  expect(statuses(new Bench().answer(get("evil.example")))).toEqual([200]);
});

test.each(["", "a b", "a/b", "http://a", "a,b", "a:99999", "*", "*.local"])("%j is no host to be allowed", (host) => {
  expect(() => new Bench({}, false, { hosts: [host] })).toThrow("An allowed host is a host with an optional port");
});
