/**
 * A DELETE in chunks: without data in them it is one without a body, and nothing of it is done before that is known.
 */
import { describe, expect, test } from "vitest";
import { Bench, request } from "../bench.ts";
import { expectState, readResponse, readResponses, statuses } from "../responses.ts";

const end = "0\r\n\r\n";

function head(target: string, fields = ""): string {
  return request("DELETE", target, `${fields}Transfer-Encoding: chunked\r\n`);
}

describe("a DELETE in chunks", () => {
  test("is performed with the last byte of the last chunk", () => {
    const bench = new Bench();
    const peer = bench.connect();
    for (const byte of head("/led") + end.slice(0, -1)) peer.send(byte);
    expect(bench.led.calls).toEqual([]);
    peer.send("\n");
    expectState(readResponse(peer.received), { led: 0 });
    expect(bench.led.calls).toHaveLength(1);
    peer.send(request("GET", "/led"));
    expect(statuses(peer.received)).toEqual([200, 200]);
  });

  test("is told to go on where the client waits for it", () => {
    const bench = new Bench();
    const peer = bench.send(head("/led", "Expect: 100-continue\r\n"));
    expect(peer.take()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    peer.send(end);
    expectState(readResponse(peer.received), { led: 0 });
  });

  test("that comes again and again, byte for byte, is answered again and again", () => {
    const bench = new Bench();
    const peer = bench.connect();
    for (let count = 0; count < 5; count++) peer.send(head("/led") + end);
    for (const byte of head("/led") + end) peer.send(byte);
    peer.send(`${head("/led")}1\r\nx\r\n${end}`);
    expect(readResponses(peer.received).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 400]);
    expect(bench.led.calls).toHaveLength(6);
  });
});
