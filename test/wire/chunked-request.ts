/**
 * Requests with chunked bodies, and what follows them: the chunks of `chunked-body.ts` as the bodies of PUT, and
 * requests in a row.
 */
import { acceptedChunks, end, refusedChunks } from "./chunked-body.ts";
import { bare, closed, hidden, host, kept, note, putNote, type Row } from "./vector.ts";

const chunked = "Transfer-Encoding: chunked\r\n";
const whole = `${note.length}\r\n${note}\r\n${end}`;
const first = putNote(chunked, whole);
const short = `Content-Length: ${note.length}\r\n`;

function rows(status: 400 | 413): readonly Row[] {
  return refusedChunks
    .filter((chunks) => chunks.status === status)
    .map(({ name, content }) => [name, putNote(chunked, content)]);
}

function isState(body: string): boolean {
  try {
    return typeof JSON.parse(body) === "object";
  } catch {
    return false;
  }
}

/** @returns those of the accepted bodies that hold a state, or the others. */
function accepted(isWanted: boolean): readonly Row[] {
  return acceptedChunks
    .filter(({ body }) => isState(body) === isWanted)
    .map(({ name, content }) => [name, putNote(chunked, content)]);
}

const inARow = [
  ...closed(
    [200, 400],
    [
      ["a second last chunk behind the first", first + end],
      ["a chunk behind the last", `${first}7\r\n${note}\r\n${end}`],
      ["a bare LF behind the last chunk", `${first}\n`],
      ["a bare CR behind the last chunk", `${first}\rX`],
      ["two empty lines behind the last chunk", `${first}\r\n\r\n`],
      ["a NUL behind the last chunk", `${first}\0`],
      ["a body without chunks behind the last", first + note],
      ["a field line behind the last chunk", `${first}Content-Length: 7\r\n\r\n`],
      ["a space before the request behind the last chunk", `${first} ${bare("GET")}`],
    ],
  ),
  ...closed(
    [200, 200, 400],
    [["a bad chunk in the second of two requests", `${first}${first}${putNote(chunked, `7;\r\n${note}\r\n${end}`)}`]],
  ),
  ...kept(
    [200, 200],
    [
      ["two requests in chunks", first + first],
      ["a request in chunks before one with a length", first + putNote(short)],
      ["a request in chunks behind one with a length", putNote(short) + first],
      ["an empty line between two requests in chunks", `${first}\r\n${first}`],
      ["a request in chunks before one without a body", first + bare("GET")],
    ],
  ),
  ...kept(404, [
    ["chunks for an unknown noun", `PUT /zqx HTTP/1.1\r\n${host}${chunked}\r\n${whole}`],
    [
      "a hidden request in the chunks for an unknown noun",
      `PUT /zqx HTTP/1.1\r\n${host}${chunked}\r\n${hidingChunk()}`,
    ],
  ]),
  ...kept(415, [
    [
      "a hidden request in chunks of another media type",
      `PUT /note HTTP/1.1\r\n${host}Content-Type: text/plain\r\n${chunked}\r\n${hidingChunk()}`,
    ],
  ]),
  ...closed(404, [
    [
      "a hidden request in chunks for an unknown noun, behind an expectation",
      `PUT /zqx HTTP/1.1\r\n${host}Expect: 100-continue\r\n${chunked}\r\n${hidingChunk()}`,
    ],
  ]),
  ...closed(415, [
    [
      "a hidden request in chunks of another media type, behind an expectation",
      `PUT /note HTTP/1.1\r\n${host}Expect: 100-continue\r\n${chunked}\r\n${hidingChunk()}`,
    ],
  ]),
];

function hidingChunk(): string {
  return `${hidden.length.toString(16)}\r\n${hidden}\r\n${end}`;
}

/** Vectors of chunked bodies. */
export const chunkedRequests = [
  ...closed(400, rows(400)),
  ...closed(413, rows(413)),
  ...kept(200, accepted(true)),
  ...kept(400, accepted(false)),
  ...inARow,
];
