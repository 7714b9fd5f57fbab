/** The page on the wire of a simulated network: its bytes, and the field lines that it shares with other answers. */
import { expect, test } from "vitest";
import type { AccessOptions } from "../../../ts/core/access/access.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import * as page from "../../../ts/native/simulated/modules/page.ts";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { DocumentSet } from "../../../ts/parts/documents/documents.ts";
import { Bench, request } from "../server/bench.ts";
import { documentsPlan } from "./plan.ts";

const bytes = String.fromCharCode(...new Uint8Array(page.bytes()));
const html = "Accept: text/html\r\n";

class PageBench extends Bench {
  constructor(access: AccessOptions = {}) {
    super();
    const { net, clock, interruption, memory } = this;
    const paged = new HttpServer({ net, clock, interruption, memory, hash: simulatedHash }, { access }, [
      documentsPlan((context) => new DocumentSet([], () => page, context)),
    ]);
    paged.register("led", this.led);
    paged.listen("127.0.0.1:8081");
  }

  begin(): SimulatedPeer {
    return this.net.connect("127.0.0.1:8081");
  }
}

test("the bytes follow the head as they are, and the connection ends", () => {
  const peer = new PageBench().begin();
  peer.send(request("GET", "/", html));
  expect(peer.received).toBe(
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n" +
      `Content-Length: ${bytes.length}\r\nX-Content-Type-Options: nosniff\r\n` +
      `Cache-Control: private, no-cache\r\nETag: "simulated"\r\n` +
      "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: " +
      "no-referrer\r\n" +
      `Vary: Accept, Accept-Encoding\r\nConnection: close\r\n\r\n${bytes}`,
  );
  expect(peer.closed).toBe(true);
});

test("the words of a language that the page has come as they are, and no others", () => {
  const peer = new PageBench().begin();
  peer.send(request("GET", "/page/de") + request("GET", "/page/de"));
  const words = String.fromCharCode(...new Uint8Array(page.words(0)));
  expect(peer.received).toBe(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n" +
      `Content-Length: ${words.length}\r\nX-Content-Type-Options: nosniff\r\n` +
      `Cache-Control: private, no-cache\r\nETag: "simulated"\r\nConnection: close\r\n\r\n${words}`,
  );
  const other = new PageBench().begin();
  const known = request("GET", "/page/de", 'If-None-Match: "simulated"\r\n');
  other.send(known + request("GET", "/page/xx") + request("HEAD", "/page/") + request("DELETE", "/page/de"));
  expect(other.received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["304", "404", "404", "404"]);
});

test("it comes behind the answers to the requests before it, and what follows is not read", () => {
  const bench = new PageBench();
  const peer = bench.begin();
  peer.send(request("GET", "/led") + request("GET", "/", html) + request("GET", "/led"));
  const [led, whole] = peer.received.split("HTTP/1.1 ").slice(1);
  expect(led).toMatch(/\{"led":0\}$/);
  expect(whole?.endsWith(bytes)).toBe(true);
  expect(bench.led.calls).toHaveLength(1);
});

test("a peer that takes it slowly gets all of it", () => {
  const peer = new PageBench().begin();
  peer.setRoom(3);
  peer.send(request("GET", "/", html));
  expect([peer.received, peer.closed]).toEqual(["HTT", false]);
  while (!peer.closed) peer.setRoom(7);
  expect(peer.received.endsWith(`\r\n\r\n${bytes}`)).toBe(true);
});

test("a peer that takes nothing of it is closed after sendTimeout", () => {
  const bench = new PageBench();
  const peer = bench.begin();
  peer.setRoom(3);
  peer.send(request("GET", "/", html));
  bench.clock.advance(10_000);
  expect(peer.released).toBe(true);
});

test("by an absolute target it is the same page", () => {
  const peer = new PageBench().begin();
  peer.send(request("GET", "http://a/", html));
  expect(peer.received.endsWith(bytes)).toBe(true);
});

test.each(["PUT", "POST", "DELETE", "OPTIONS"])("%s is as without the page", (method) => {
  const peer = new PageBench().begin();
  peer.send(request(method, "/", `${html}Content-Length: 0\r\n`));
  expect(peer.received).toMatch(method === "OPTIONS" ? /^HTTP\/1.1 204 / : /^HTTP\/1.1 405 /);
});

test("a refusal of a token's scope comes before anything that only the page lets pass", () => {
  const peer = new PageBench({ tokens: [] }).begin();
  peer.send(request("GET", "/", "Accept: text/html;q=0\r\n"));
  expect(peer.received).toMatch(/^HTTP\/1.1 401 /);
});

test("each answer to a listed origin has one Vary field with all that it depends on", () => {
  const bench = new PageBench({ origins: ["https://b"] });
  const varyOf = (fields: string) => {
    const peer = bench.begin();
    peer.send(request("GET", "/", `${fields}Origin: https://b\r\nConnection: close\r\n`));
    return [...peer.received.matchAll(/\r\nVary: (.*)\r\n/g)].map(([, names]) => names);
  };
  expect(varyOf("")).toEqual(["Accept, Origin"]);
  expect(varyOf(html)).toEqual(["Accept, Accept-Encoding, Origin"]);
  expect(varyOf(`${html}Accept-Encoding: identity\r\n`)).toEqual(["Accept, Accept-Encoding, Origin"]);
  expect(varyOf(`${html}If-None-Match: *\r\n`)).toEqual(["Accept, Accept-Encoding, Origin"]);
});
