/** Requests at their default limits and one byte, field or pair beyond. */
import { stillState } from "./nouns.ts";
import { accepted, closed, host, json, kept } from "./vector.ts";

/** A header section of exactly `bytes` bytes: all field lines with their line ends. */
function sectionOf(bytes: number): string {
  const frame = `${host}X-Long: \r\n`;
  return `${host}X-Long: ${"a".repeat(bytes - frame.length)}\r\n`;
}

/** A header section of exactly `count` fields. */
function fields(count: number): string {
  return host + Array.from({ length: count - 1 }, (_, index) => `X-${index}: a\r\n`).join("");
}

/** A PUT of a state that takes exactly `bytes` bytes. */
function bodyOf(bytes: number, noun = "/note", media = "application/json"): string {
  const body = `{"a":"${"b".repeat(bytes - '{"a":""}'.length)}"}`;
  return `PUT ${noun} HTTP/1.1\r\n${host}Content-Type: ${media}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A GET with one Cookie line of exactly `bytes` bytes, and a header section besides of exactly 4,096. */
function cookieOf(bytes: number): string {
  const cookie = `Cookie: ${"c".repeat(bytes - "Cookie: \r\n".length)}\r\n`;
  return `GET /still HTTP/1.1\r\n${cookie}${sectionOf(4096)}\r\n`;
}

/** Vectors of the limits. */
export const limits = [
  ...accepted([
    ["a header section of 4,096 bytes", `GET /still HTTP/1.1\r\n${sectionOf(4096)}\r\n`, stillState],
    ["a header section of 32 fields", `GET /still HTTP/1.1\r\n${fields(32)}\r\n`, stillState],
    ["a header section of 4,096 bytes beside cookies of 16,384", cookieOf(16_384), stillState],
    [
      "a header section of 32 fields beside a cookie",
      `GET /still HTTP/1.1\r\n${fields(32)}Cookie: a\r\n\r\n`,
      stillState,
    ],
    ["a body of 4,096 bytes", bodyOf(4096), { a: "b".repeat(4096 - 8) }],
  ]),
  ...kept(404, [["a target of 256 bytes only as unknown", `GET /${"a".repeat(255)} HTTP/1.1\r\n${host}\r\n`]]),
  ...closed(414, [
    ["a target of 257 bytes", `GET /${"a".repeat(256)} HTTP/1.1\r\n${host}\r\n`],
    ["an absolute target of 257 bytes", `GET http://localhost/${"a".repeat(240)} HTTP/1.1\r\n${host}\r\n`],
    ["a target of 10,000 bytes", `GET /${"a".repeat(9_999)} HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...closed(431, [
    ["a header section of 4,097 bytes", `GET /still HTTP/1.1\r\n${sectionOf(4097)}\r\n`],
    ["cookies of 16,385 bytes", cookieOf(16_385)],
    ["cookies without an end", `GET /still HTTP/1.1\r\n${host}Cookie: ${"c".repeat(20_000)}`],
    ["a header section of 20,000 bytes", `GET /still HTTP/1.1\r\n${sectionOf(20_000)}\r\n`],
    ["a header section of 33 fields", `GET /still HTTP/1.1\r\n${fields(33)}\r\n`],
    ["a field name without an end", `GET /still HTTP/1.1\r\n${host}${"a".repeat(8_000)}`],
    ["too many fields of a request to an unknown noun", `GET /zqx HTTP/1.1\r\n${fields(33)}\r\n`],
  ]),
  ...closed(413, [
    ["a body of 4,097 bytes", bodyOf(4097)],
    ["a body of 60,000 bytes", bodyOf(60_000)],
    [
      "a Content-Length of twenty digits",
      `PUT /note HTTP/1.1\r\n${host}${json}Content-Length: 99999999999999999999\r\n\r\n`,
    ],
    [
      "a Content-Length that overflows to a small number",
      `PUT /note HTTP/1.1\r\n${host}${json}Content-Length: 18446744073709551618\r\n\r\n{}`,
    ],
  ]),
  ...closed(415, [["a large body of another media type by its media type", bodyOf(4097, "/note", "text/plain")]]),
  ...closed(404, [["a large body to an unknown noun as an unknown noun", bodyOf(4097, "/zqx")]]),
  ...closed(501, [["a method without an end", "Z".repeat(20_000)]]),
];
