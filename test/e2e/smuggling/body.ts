/** Bodies that hold requests, end early or late, or wait for 100 Continue (RFC 9112, 6.3 and 9.3; RFC 9110, 10.1.1). */
import { bare, closed, hidden, host, kept, note, putNote } from "./vector.ts";

const short = `Content-Length: ${note.length}\r\n`;
const ofHidden = `Content-Length: ${hidden.length}\r\n`;
const expect = "Expect: 100-continue\r\n";

/** A PUT of JSON to this noun whose body is a request. */
function holding(noun: string, fields = "", media = "application/json"): string {
  return `PUT ${noun} HTTP/1.1\r\n${host}Content-Type: ${media}\r\n${ofHidden}${fields}\r\n${hidden}`;
}

/** Vectors of the body and its end. */
export const bodies = [
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
  ...kept(415, [["a whole request as a body of another media type", holding("/note", "", "text/plain")]]),
  ...closed(404, [
    [
      "requests in a body over the limit for an unknown noun",
      `PUT /zqx HTTP/1.1\r\n${host}Content-Length: 5000\r\n\r\n${hidden.repeat(40).slice(0, 5000)}`,
    ],
  ]),
  ...closed(400, [
    ["an expectation and a body on GET", bare("GET", `${expect}${ofHidden}`, hidden)],
    ["an expectation and a bad length", putNote(`${expect}Content-Length: 0x7\r\n`)],
    ["an expectation behind a bare LF", putNote(`${short}X-Name: a\nExpect: 100-continue\r\n`)],
  ]),
  ...closed(417, [
    ["a word before an expectation", putNote(`${short}Expect: y 100-continue\r\n`)],
    ["a parameter behind an expectation", putNote(`${short}Expect: 100-continue;q=1\r\n`)],
    ["an expectation with a value", putNote(`${short}Expect: 100-continue=yes\r\n`)],
    ["a second expectation that nobody meets", putNote(`${short}${expect}Expect: 200-ok\r\n`)],
    ["an expectation with a no-break space", putNote(`${short}Expect: \xa0100-continue\r\n`)],
  ]),
  ...kept(200, [
    ["an expectation that occurs twice", putNote(`${short}${expect}${expect}`)],
    ["an expectation in a list with itself", putNote(`${short}Expect: 100-continue, 100-continue\r\n`)],
    ["an empty expectation", putNote(`${short}Expect:\r\n`)],
    ["an expectation on a request without a body", bare("GET", `${expect}Content-Length: 0\r\n`)],
    ["a body sent without waiting for 100 Continue", putNote(`${short}${expect}`)],
  ]),
];

/**
 * A request that is refused while its body may or may not be on its way: after a final answer instead of 100 Continue one
 * client sends the body, another takes the next request in its place.
 */
export const refusedExpectations = [
  ...closed(404, [["an expectation at an unknown noun", holding("/zqx", expect)]]),
  ...closed(415, [["an expectation with another media type", holding("/note", expect, "text/plain")]]),
  ...closed(405, [["an expectation with a method that no noun takes", bare("PATCH", `${expect}${ofHidden}`, hidden)]]),
];
