/** `Expect: 100-continue`: 100 Continue once the head is acceptable, the final error at once when it is not. */
import { expect, test } from "vitest";
import { Bench, json, request } from "../bench.ts";
import { expectProblem, expectState, readResponse, statuses } from "../responses.ts";

const continueResponse = "HTTP/1.1 100 Continue\r\n\r\n";

function expecting(method: string, target: string, length: number, fields = json): string {
  return request(method, target, `${fields}Content-Length: ${length}\r\nExpect: 100-continue\r\n`);
}

test.each(["PUT", "POST"])("an acceptable %s is told to go on, then answered", (method) => {
  const bench = new Bench();
  const peer = bench.send(expecting(method, "/led", 9));
  expect(peer.take()).toBe(continueResponse);
  expect(bench.led.calls).toEqual([]);
  peer.send('{"led":1}');
  expectState(readResponse(peer.received), { led: 1 });
});

test.each([
  ["an unknown noun", 404, expecting("PUT", "/zqx", 9)],
  ["another media type", 415, expecting("PUT", "/led", 9, "")],
  ["a body over its limit", 413, expecting("PUT", "/led", 4097)],
  ["a method the noun does not take", 405, expecting("PATCH", "/led", 9)],
])("%s is refused at once, without 100 Continue", (_name, status, bytes) => {
  expectProblem(readResponse(new Bench().answer(bytes)), status);
});

test("an empty body gets no 100 Continue", () => {
  const bench = new Bench();
  expect(statuses(bench.answer(expecting("PUT", "/led", 0)))).toEqual([400]);
  expect(statuses(bench.answer(request("GET", "/led", "Expect: 100-continue\r\n")))).toEqual([200]);
});

test("100 Continue has its place in the order of the answers", async () => {
  const bench = new Bench();
  const peer = bench.send(request("GET", "/slow") + expecting("PUT", "/led", 9));
  expect(peer.received).toBe("");
  await bench.slow.answer(0, {});
  expect(statuses(peer.take())).toEqual([200, 100]);
  peer.send('{"led":1}');
  expectState(readResponse(peer.received), { led: 1 });
});

test("each of two requests is told to go on before its own answer", () => {
  const bench = new Bench();
  const peer = bench.connect();
  for (const byte of `${expecting("PUT", "/led", 2)}{}${expecting("PUT", "/led", 9)}{"led":1}`) peer.send(byte);
  expect(statuses(peer.received)).toEqual([100, 200, 100, 200]);
});
