/** Where several refusals apply: framing before routing, routing before method, then media type, size, body and noun. */
import { expect, test } from "vitest";
import type { Shape } from "../../../../ts/noun/shape.ts";
import { Bench, json, request } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectProblem, readResponses } from "../responses.ts";

class Levelled extends RecordingNoun {
  readonly shape: Shape = { level: { type: "integer", minimum: 0, maximum: 9 } };
}

const text = "Content-Type: text/plain\r\n";
const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;

test.each<[string, number, string]>([
  ["version before a malformed field", 505, "GET /led HTTP/1.0\r\n : \r\n\r\n"],
  ["a malformed request line before the version", 400, "GET  /led HTTP/1.0\r\nHost: a\r\n\r\n"],
  ["target limit before the version", 414, `GET /${"a".repeat(256)} HTTP/1.0\r\nHost: a\r\n\r\n`],
  ["framing before an unknown noun", 400, request("GET", "/zqx", length(1))],
  ["a missing length before an unknown noun", 411, request("PUT", "/zqx", json)],
  ["a coding before an unknown noun", 501, request("PUT", "/zqx", "Transfer-Encoding: gzip\r\n")],
  ["Host before an unknown noun", 400, "GET /zqx HTTP/1.1\r\n\r\n"],
  ["header limit before an unknown noun", 431, request("GET", "/zqx", "A: b\r\n".repeat(32))],
  ["framing before the method", 400, "ZQX /led HTTP/1.1\r\n\r\n"],
  ["an unknown noun before an unknown method", 404, request("ZQX", "/zqx")],
  ["an unknown noun before a known method", 404, request("PATCH", "/zqx")],
  ["a query before the method", 400, request("PATCH", "/led?a")],
  ["an unknown noun before the media type", 404, `${request("PUT", "/zqx", text + length(1))}x`],
  ["an unknown noun before the size", 404, request("PUT", "/zqx", json + length(4097))],
  ["the method before the media type", 405, request("PATCH", "/level", text + length(9))],
  ["the method before the size", 405, request("PATCH", "/level", json + length(4097))],
  ["the media type before the size", 415, request("PUT", "/level", text + length(4097))],
  ["the media type before the body", 415, `${request("PUT", "/level", text + length(1))}x`],
  ["the size before the body", 413, `${request("PUT", "/level", json + length(4097))}x`],
  ["the body before the noun", 400, `${request("PUT", "/level", json + length(19))}{"level":10,"b":[1]`],
  ["the noun at last", 422, `${request("PUT", "/level", json + length(12))}{"level":10}`],
])("%s: %i", (_name, status, bytes) => {
  const bench = new Bench();
  const noun = new Levelled();
  bench.server.register("level", noun);
  const [response] = readResponses(bench.answer(bytes));
  if (response === undefined) throw new Error("no answer");
  expectProblem(response, status);
  expect(noun.calls).toEqual([]);
});

test("a body that nobody is going to read ends the connection, whatever the refusal was", () => {
  const bench = new Bench();
  const peer = bench.send(request("PUT", "/zqx", json + length(4097)));
  expect(readResponses(peer.received)[0]?.fields.get("connection")).toBe("close");
  expect(peer.closed).toBe(true);
});
