import { expect, test } from "vitest";
import {
  aroundSerial,
  browserFields,
  requestText,
  withSerial,
  withSerialEverywhere,
} from "../../bench/request-text.ts";

const browser = requestText({ fields: browserFields });

test("a browser's header section is 600 bytes", () => {
  const [head = ""] = browser.split("\r\n\r\n");
  expect(head.slice(head.indexOf("\r\n") + 2).length + 2).toBe(600);
});

test("a body is announced with its media type and its length", () => {
  const text = requestText({ method: "PUT", noun: "led7", body: '{"led":1}' });
  expect(text).toMatch(/^PUT \/led7 HTTP\/1\.1\r\nHost: /);
  expect(text).toMatch(/\r\nContent-Type: application\/json\r\nContent-Length: 9\r\n\r\n\{"led":1\}$/);
});

test("a number changes one field, and no length", () => {
  const [first, second] = [withSerial(browser, 1), withSerial(browser, 20)];
  expect(first).toHaveLength(browser.length);
  const differing = first.split("\r\n").filter((line, index) => line !== second.split("\r\n")[index]);
  expect(differing).toEqual([expect.stringMatching(/^Cookie: .*visit=000000000001;/)]);
});

test("the parts around the number make the request again", () => {
  expect(aroundSerial(browser).join("000000000042")).toBe(withSerial(browser, 42));
});

test("a number everywhere changes each field but Host", () => {
  const lines = [withSerialEverywhere(browser, 1), withSerialEverywhere(browser, 2)].map((text) => text.split("\r\n"));
  expect(lines[0]?.filter((line) => lines[1]?.includes(line))).toEqual([
    "GET /led HTTP/1.1",
    "Host: 127.0.0.1:18080",
    "",
    "",
  ]);
});
