/**
 * Responses that a client refuses (RFC 9112, 4 to 7). The unit tests give them to the reader alone; test:hostile has a
 * server answer a webhook with each. Most are the server's own vectors with a status line instead of the request line.
 */
import { bodyBytes, refusedChunks } from "./chunked-body.ts";
import { contentLengths } from "./content-length.ts";
import { headerFields } from "./header-field.ts";
import { transferEncodings } from "./transfer-encoding.ts";
import { hidden, type Row } from "./vector.ts";

/** A response that is refused. */
export interface RefusedResponse {
  readonly name: string;
  /** One byte a character. */
  readonly bytes: string;
}

/** What the responses of size are made for: the limits of a webhook, but for a smaller body. */
export const limits = { headBytes: 8_192, bodyBytes };

/** The begin of a response. */
export const responseHead = "HTTP/1.1 200 OK\r\n";

const own: readonly Row[] = [
  ["another version", "HTTP/0.9 200 OK\r\n\r\n"],
  ["the minor version of two digits", "HTTP/1.10 200 OK\r\n\r\n"],
  ["the minor version of tomorrow", "HTTP/1.2 200 OK\r\n\r\n"],
  ["the next version", "HTTP/2.0 200 OK\r\n\r\n"],
  ["chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"],
  ["a length and chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na"],
  ["more than its length of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nab"],
  ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n\r\n"],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
  ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
  ["a status of 600", "HTTP/1.1 600 OK\r\n\r\n"],
  ["no space behind the status", "HTTP/1.1 200\r\n\r\n"],
  ["a bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n"],
  ["an empty line before it", "\r\nHTTP/1.1 200 OK\r\n\r\n"],
  ["another protocol that it switches to", "HTTP/1.1 101 Switching\r\nUpgrade: a\r\n\r\n"],
  ["chunks behind 204", "HTTP/1.1 204 N\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["a body behind 204", "HTTP/1.1 204 N\r\n\r\na"],
  ["more than its length", `${responseHead}Content-Length: 1\r\n\r\nab`],
  ["another behind it", `${responseHead}Content-Length: 0\r\n\r\n`.repeat(2)],
  ["another behind its chunks", `${responseHead}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${responseHead}`],
  ["a length that no number holds", `${responseHead}Content-Length: ${"9".repeat(400)}\r\n\r\n`],
  ["a head over the limit", `${responseHead}X: ${"a".repeat(limits.headBytes)}`],
  ["interim ones over the limit", "HTTP/1.1 103 E\r\n\r\n".repeat(600)],
  ["too many fields", `${responseHead}${"X: a\r\n".repeat(65)}\r\n`],
];

/** What depends on the limit of the body. */
const long: readonly Row[] = [
  ["a length over the limit", `${responseHead}Content-Length: ${bodyBytes + 1}\r\n\r\n`],
  ["a body over the limit", `${responseHead}\r\n${"a".repeat(bodyBytes + 1)}`],
];

function named(rows: readonly Row[]): readonly RefusedResponse[] {
  return rows.map(([name, bytes]) => ({ name, bytes }));
}

const inChunks = (status: 400 | 413) =>
  refusedChunks
    .filter((chunks) => chunks.status === status)
    .map(({ name, content }) => ({
      name: `in chunks: ${name}`,
      bytes: `${responseHead}Transfer-Encoding: chunked\r\n\r\n${content}${hidden}`,
    }));

/** What the server refuses for the sake of a method, a response does not have. */
const ofLengths = [...contentLengths, ...transferEncodings].filter(({ bytes }) => bytes.startsWith("PUT "));

const turned = [...headerFields, ...ofLengths]
  .filter(({ answers: [first], end }) => (first === 400 || first === 501) && end === "close")
  .map(({ name, bytes }) => ({ name, bytes: bytes.replace(/^.*? HTTP\/1\.1\r\n/, responseHead) }));

/** Refused by their bytes, whatever the limit of the body. */
export const malformedResponses: readonly RefusedResponse[] = [...named(own), ...inChunks(400), ...turned];

/** All of them. */
export const refusedResponses: readonly RefusedResponse[] = [...malformedResponses, ...named(long), ...inChunks(413)];
