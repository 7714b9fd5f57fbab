/** Requests at their default limits and one byte, field or pair beyond. */
import { accepted, refused, stillState } from "./sample.ts";

const host = "Host: localhost\r\n";

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

/** Requests that just keep to a limit. */
export const acceptedAtLimits = accepted([
  ["a header section of 4,096 bytes", `GET /still HTTP/1.1\r\n${sectionOf(4096)}\r\n`, stillState],
  ["a header section of 32 fields", `GET /still HTTP/1.1\r\n${fields(32)}\r\n`, stillState],
  ["a body of 4,096 bytes", bodyOf(4096), { a: "b".repeat(4096 - 8) }],
]);

/** Requests beyond a limit, or wrong in another way while at one. */
export const refusedBeyondLimits = [
  ...refused(404, "keep", [
    ["a target of 256 bytes only as unknown", `GET /${"a".repeat(255)} HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...refused(414, "close", [
    ["a target of 257 bytes", `GET /${"a".repeat(256)} HTTP/1.1\r\n${host}\r\n`],
    ["an absolute target of 257 bytes", `GET http://localhost/${"a".repeat(240)} HTTP/1.1\r\n${host}\r\n`],
    ["a target of 10,000 bytes", `GET /${"a".repeat(9_999)} HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...refused(431, "close", [
    ["a header section of 4,097 bytes", `GET /still HTTP/1.1\r\n${sectionOf(4097)}\r\n`],
    ["a header section of 20,000 bytes", `GET /still HTTP/1.1\r\n${sectionOf(20_000)}\r\n`],
    ["a header section of 33 fields", `GET /still HTTP/1.1\r\n${fields(33)}\r\n`],
    ["a field name without an end", `GET /still HTTP/1.1\r\n${host}${"a".repeat(8_000)}`],
    ["too many fields of a request to an unknown noun", `GET /zqx HTTP/1.1\r\n${fields(33)}\r\n`],
  ]),
  ...refused(413, "close", [
    ["a body of 4,097 bytes", bodyOf(4097)],
    ["a body of 60,000 bytes", bodyOf(60_000)],
    [
      "a Content-Length of twenty digits",
      `PUT /note HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n`,
    ],
    [
      "a Content-Length that overflows to a small number",
      `PUT /note HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 18446744073709551618\r\n\r\n{}`,
    ],
  ]),
  ...refused(415, "open", [
    ["a large body of another media type by its media type", bodyOf(4097, "/note", "text/plain")],
  ]),
  ...refused(404, "open", [["a large body to an unknown noun as an unknown noun", bodyOf(4097, "/zqx")]]),
  // Longer than any method there is: the line is malformed, or its method is not known.
  ...refused([400, 414, 431, 501], "close", [["a method without an end", "Z".repeat(20_000)]]),
];
