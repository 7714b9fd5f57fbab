/** The stream of another device, which is not trusted. */
import { expect, test } from "vitest";
import { EventReader } from "../../../ts/parts/mirror/event-reader.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
const stream = `${head}retry: 2000\nid: 1\ndata: {"on":1}\n\n:\n: a comment\nid: 2\ndata: {"text":"\xc3\xa9"}\n\n`;

function read(parts: readonly string[], mostBytes = 1_000): readonly string[] {
  const data: string[] = [];
  const reader = new EventReader(mostBytes, (one) => data.push(one));
  for (const part of parts) reader.take(part);
  return data;
}

test("the data of events are the same, wherever the bytes are cut", () => {
  const expected = ['{"on":1}', '{"text":"é"}'];
  expect(read([...stream])).toEqual(expected);
  for (let cut = 1; cut < stream.length; cut++) {
    expect(read([stream.slice(0, cut), stream.slice(cut)])).toEqual(expected);
  }
});

test("empty lines without an event are none, as older devices send them", () => {
  expect(read([`${head}retry: 2000\n\n:\n\ndata: {"on":1}\n\n:\n\n:\n\ndata: {"on":0}\n\n`])).toEqual([
    '{"on":1}',
    '{"on":0}',
  ]);
});

test("a silent device may send comments for as long as it wants", () => {
  const comments = Array.from({ length: 5_000 }, () => ":\n");
  expect(read([head, "data: 1\n\n", ...comments, "data: 2\n\n", comments.join(""), "data: 3\n\n"], 100)).toEqual([
    "1",
    "2",
    "3",
  ]);
});

test.each([
  ["an event that is too long", `${head}data: ${"x".repeat(2_000)}\n\n`],
  ["an event that never ends", `${head}${"data: x".repeat(2_000)}`],
  ["data of two lines", `${head}data: 1\ndata: 2\n\n`],
  ["data that are not UTF-8", `${head}data: \xff\n\n`],
  ["chunks", `${head.replace("Connection: close", "Transfer-Encoding: chunked")}1\r\nx\r\n`],
  ["another type", `${head.replace("text/event-stream", "application/json")}{"on":1}`],
  ["a head that is none", "HTTP/2.0 200 OK\r\n\r\n"],
  ["a head that is too long", `HTTP/1.1 200 OK\r\nA: ${"x".repeat(9_000)}\r\n\r\n`],
])("refuses %s", (_, bytes) => {
  expect(() => read([bytes])).toThrow(/./);
});

test("the text of a refusal is no event", () => {
  expect(read([`HTTP/1.1 401 Unauthorized\r\nContent-Length: 9\r\n\r\ndata: 1\n\n`])).toEqual([]);
});
