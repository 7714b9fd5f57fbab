import { expect, test } from "vitest";
import { answerLength } from "../../bench/client.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";

test("an answer is whole with the last byte of its body", () => {
  expect(answerLength(head)).toBeUndefined();
  expect(answerLength(`${head}{"led":0`)).toBeUndefined();
  expect(answerLength(`${head}{"led":0}`)).toBe(head.length + 9);
});

test("what follows an answer is not part of it", () => {
  expect(answerLength(`${head}{"led":0}${head}`)).toBe(head.length + 9);
});

test("a head without its end is no answer", () => {
  expect(answerLength("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")).toBeUndefined();
});
