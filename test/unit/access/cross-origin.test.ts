import { expect, test } from "vitest";
import { isOrigin, isPreflight, originFields, preflightFields } from "../../../ts/core/access/cross-origin.ts";
import { fieldsOf } from "../http/field-lines.ts";

test.each([
  "https://panel.example",
  "http://panel.example:8080",
  "http://192.0.2.7",
  "https://[2001:db8::7]:8443",
  "http://a:443",
  "moz-extension://0d6f5a3b-1f0e-4b5c-9a39-0c1e7ae7a4a5",
])("%s is an origin", (text) => {
  expect(isOrigin(text)).toBe(true);
});

test.each([
  "*",
  "null",
  "",
  "panel.example",
  "https://",
  "https://panel.example/",
  "https://panel.example/a",
  "https://Panel.example",
  "HTTPS://panel.example",
  "https://panel.example:443",
  "http://panel.example:80",
  "http://panel.example:",
  "https://a@panel.example",
  "https://panel.example\r\nA: b",
  "https://a https://b",
])("%j is none as a browser writes it", (text) => {
  expect(isOrigin(text)).toBe(false);
});

const origin = "Origin: https://a";
const method = "Access-Control-Request-Method: PUT";

test("a preflight is an OPTIONS with an origin and the method asked for", () => {
  expect(isPreflight("OPTIONS", fieldsOf([origin, method]))).toBe(true);
  expect(isPreflight("OPTIONS", fieldsOf([origin]))).toBe(false);
  expect(isPreflight("OPTIONS", fieldsOf([method]))).toBe(false);
  expect(isPreflight("GET", fieldsOf([origin, method]))).toBe(false);
});

test("the fields of an answer to an origin and to its preflight are these", () => {
  expect(originFields("https://a")).toBe(
    "Access-Control-Allow-Origin: https://a\r\nVary: Origin\r\n" +
      "Access-Control-Expose-Headers: Allow, ETag, Link, Retry-After\r\n",
  );
  const usual =
    "Access-Control-Allow-Methods: GET, PUT, POST, DELETE\r\n" +
    "Access-Control-Allow-Headers: Content-Type, Authorization, Last-Event-ID, If-None-Match\r\n" +
    "Access-Control-Max-Age: 600\r\n";
  expect(preflightFields(fieldsOf([origin, method]))).toBe(usual);
  expect(preflightFields(fieldsOf([origin, method, "Access-Control-Request-Private-Network: true"]))).toBe(
    `${usual}Access-Control-Allow-Private-Network: true\r\n`,
  );
});
