import { describe, expect, test } from "vitest";
import { finalAnswer, readAnswer } from "../../../ts/program/testing/http-answer.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
const whole = `${head}{"led":0}`;

describe("an answer", () => {
  test("is complete with the last byte of its content, and not before", () => {
    for (let length = 0; length < whole.length; length++) expect(readAnswer(whole.slice(0, length))).toBeUndefined();
    const read = { status: 200, reason: "OK", content: '{"led":0}', length: whole.length };
    expect(readAnswer(whole)).toMatchObject(read);
    expect(readAnswer(whole + head)).toMatchObject(read);
  });

  test("to a HEAD ends with its head, whatever length it announces", () => {
    expect(readAnswer(head, true)).toMatchObject({ content: "", length: head.length });
  });

  test("that is a stream of events ends with its head, as the connection ends the stream", () => {
    const stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    expect(readAnswer(`${stream}retry: 2000\n\n`)).toMatchObject({ content: "", length: stream.length });
  });

  test("that is final comes behind the interim ones", () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\n";
    expect(finalAnswer(interim)).toBeUndefined();
    expect(finalAnswer(interim + interim + whole)).toMatchObject({ status: 200 });
  });

  test.each([
    ["a status line without a reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"],
    ["an older version", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["a line that ends without CR", "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n"],
    ["a space before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n"],
    ["a folded line", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n X: a\r\n\r\n"],
    ["a byte that is not ASCII", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: \xe9\r\n\r\n"],
    ["a field twice", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\ncontent-length: 0\r\n\r\n"],
    ["no length", "HTTP/1.1 200 OK\r\n\r\n"],
    ["a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n"],
    ["a length with a zero before it", "HTTP/1.1 200 OK\r\nContent-Length: 01\r\n\r\n"],
    ["a length where there is no content", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"],
    ["a coding and a length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ])("cannot have %s", (_, bytes) => {
    expect(() => readAnswer(bytes)).toThrow();
  });
});
