/**
 * Where several refusals apply: framing before routing, routing before the method, then the media type, the size, the
 * body and the noun.
 */
import { closed, host, json, kept, withBody } from "./vector.ts";

const text = "Content-Type: text/plain\r\n";
const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;

/** A request with these field lines. */
function request(method: string, target: string, fields = ""): string {
  return `${method} ${target} HTTP/1.1\r\n${host}${fields}\r\n`;
}

const badOptions = "Connection: clo se\r\nExpect: 200-ok\r\n";

/** Vectors of precedence. */
export const precedences = [
  ...closed(400, [
    ["a malformed request line before the version", `GET  /led HTTP/1.0\r\n${host}\r\n`],
    ["framing before an unknown noun", request("GET", "/zqx", length(1))],
    ["a missing Host before an unknown noun", "GET /zqx HTTP/1.1\r\n\r\n"],
    ["a missing Host before an unknown method", "ZQX /led HTTP/1.1\r\n\r\n"],
    ["a bad Connection before a bad Expect", request("GET", "/led", badOptions)],
  ]),
  ...closed(505, [["the version before a malformed field", "GET /led HTTP/2.0\r\n : \r\n\r\n"]]),
  ...closed(414, [["the target's limit before the version", `GET /${"a".repeat(256)} HTTP/1.0\r\n${host}\r\n`]]),
  ...closed(431, [["the header's limit before an unknown noun", request("GET", "/zqx", "A: b\r\n".repeat(32))]]),
  ...closed(501, [["a transfer coding before an unknown noun", request("PUT", "/zqx", "Transfer-Encoding: gzip\r\n")]]),
  ...kept(400, [
    ["a query before a method that no noun takes", request("PATCH", "/led?a")],
    ["a broken body before the noun's own refusal", withBody("PUT", "/led", '{"led":10,"b":[1]')],
  ]),
  ...kept(404, [
    ["an unknown noun before a method that no noun takes", request("PATCH", "/zqx")],
    ["an unknown noun before the media type", `${request("PUT", "/zqx", text + length(1))}x`],
  ]),
  ...closed(404, [
    ["an unknown noun before the size, whose body nobody reads", request("PUT", "/zqx", json + length(4097))],
  ]),
  ...closed(405, [
    ["the method before the media type", request("PATCH", "/led", text + length(9))],
    ["the method before the size", request("PATCH", "/led", json + length(4097))],
  ]),
  ...closed(415, [["the media type before the size", request("PUT", "/led", text + length(4097))]]),
  ...kept(415, [["the media type before the body", `${request("PUT", "/led", text + length(1))}x`]]),
  ...closed(413, [["the size before the body", `${request("PUT", "/led", json + length(4097))}x`]]),
  ...kept(422, [["the noun's refusal at last", withBody("PUT", "/led", '{"led":10}')]]),
];
