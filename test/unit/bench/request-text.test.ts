import { expect, test } from "vitest";
import { browserFields, everyLineNew, requestText, serialMark, withSerial } from "../../bench/request-text.ts";

const browser = requestText({ fields: browserFields(serialMark) });

test("a browser's header section is 600 bytes", () => {
  const [head = ""] = requestText({ fields: browserFields() }).split("\r\n\r\n");
  expect(head.slice(head.indexOf("\r\n") + 2).length + 2).toBe(600);
});

test("a body is announced with its media type and its length", () => {
  const text = requestText({ method: "PUT", noun: "led7", body: '{"led":1}' });
  expect(text).toMatch(/^PUT \/led7 HTTP\/1\.1\r\nHost: /);
  expect(text).toMatch(/\r\nContent-Type: application\/json\r\nContent-Length: 9\r\n\r\n\{"led":1\}$/);
});

test("a body in chunks is announced by no length", () => {
  const text = requestText({ method: "PUT", body: '{"text":"abc"}', chunked: "whole" });
  expect(text).toMatch(/\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n\{"text":"abc"\}\r\n0\r\n\r\n$/);
  const bytes = requestText({ method: "PUT", body: `[${serialMark}]`, chunked: "bytes" });
  expect(bytes).toMatch(/chunked\r\n\r\n1\r\n\[\r\nc\r\n0{12}\r\n1\r\n\]\r\n0\r\n\r\n$/);
  expect(text).not.toContain("Content-Length");
});

test("a number changes one field, and no length", () => {
  const [first, second] = [withSerial(browser, 1), withSerial(browser, 20)];
  expect(first).toHaveLength(browser.length);
  const differing = first.split("\r\n").filter((line, index) => line !== second.split("\r\n")[index]);
  expect(differing).toEqual([expect.stringMatching(/^Cookie: .*visit=000000000001;/)]);
});

test("a request without a place for a number is the same each time", () => {
  const text = requestText({ fields: browserFields() });
  expect(withSerial(text, 1)).toBe(text);
});

test("a number everywhere changes each field but Host", () => {
  const text = everyLineNew(browser);
  const lines = [withSerial(text, 1), withSerial(text, 2)].map((changed) => changed.split("\r\n"));
  expect(lines[0]?.filter((line) => lines[1]?.includes(line))).toEqual([
    "GET /led HTTP/1.1",
    "Host: 127.0.0.1:18080",
    "",
    "",
  ]);
});
