/** Bodies that hold requests, and bodies that end early or late (RFC 9112, 6.3 and 9.3). */
import { closed, hidden, host, kept, note, putNote } from "./vector.ts";

const short = `Content-Length: ${note.length}\r\n`;

/** A PUT to this noun whose body is a request. */
function holding(noun: string, media = "application/json"): string {
  return `PUT ${noun} HTTP/1.1\r\n${host}Content-Type: ${media}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
}

/** Vectors of the body's end. */
export const bodyEnds = [
  ...closed(
    [200, 400],
    [
      ["letters behind a body", `${putNote(short)}zqx `],
      ["two empty lines behind a body", `${putNote(short)}\r\n\r\n`],
      ["a bare LF behind a body", `${putNote(short)}\n`],
      ["a second body behind a body", putNote(short, note + note)],
      ["a NUL behind a body", putNote(short, `${note}\0`)],
      ["chunks behind a body", putNote(short, `${note}\r\n0\r\n\r\n`)],
      ["a field line behind a body", `${putNote(short)}Content-Length : 0\r\n\r\n`],
    ],
  ),
  ...closed([400, 400], [["a body longer than its length", putNote("Content-Length: 3\r\n", note)]]),
  ...kept(200, [["an empty line behind a body", `${putNote(short)}\r\n`]]),
  ...kept(400, [
    ["a whole request as a body", holding("/note")],
    ["two states and a line end as a body", putNote("Content-Length: 16\r\n", `${note}\r\n${note}`)],
  ]),
  ...kept(404, [["a whole request as a body for an unknown noun", holding("/zqx")]]),
  ...kept(415, [["a whole request as a body of another media type", holding("/note", "text/plain")]]),
  ...closed(404, [
    [
      "requests in a body over the limit for an unknown noun",
      `PUT /zqx HTTP/1.1\r\n${host}Content-Length: 5000\r\n\r\n${hidden.repeat(40).slice(0, 5000)}`,
    ],
  ]),
];
