/**
 * `Expect` (RFC 9110, 10.1.1): an expectation that nobody meets, and a final answer instead of 100 Continue, after
 * which one client sends the body and another sends the next request in its place.
 */
import { bare, closed, hidden, host, kept, note, putNote } from "./vector.ts";

const short = `Content-Length: ${note.length}\r\n`;
const ofHidden = `Content-Length: ${hidden.length}\r\n`;
const expect = "Expect: 100-continue\r\n";
const start = "GET /still HTTP/1.1\r\n";

/** A PUT of a request in place of a state, to this noun. */
function holding(noun: string, media = "application/json"): string {
  return `PUT ${noun} HTTP/1.1\r\n${host}Content-Type: ${media}\r\n${ofHidden}${expect}\r\n${hidden}`;
}

/** Vectors of the expectation. */
export const expectations = [
  ...kept(200, [
    ["an expectation that occurs twice", putNote(`${short}${expect}${expect}`)],
    ["an expectation in a list with itself", putNote(`${short}Expect: 100-continue, 100-continue\r\n`)],
    ["an empty expectation", putNote(`${short}Expect:\r\n`)],
    ["an expectation on a request without a body", bare("GET", `${expect}Content-Length: 0\r\n`)],
    ["a body sent without waiting for 100 Continue", putNote(`${short}${expect}`)],
  ]),
  ...closed(400, [
    ["an expectation and a body on GET", bare("GET", `${expect}${ofHidden}`, hidden)],
    ["an expectation and a bad length", putNote(`${expect}Content-Length: 0x7\r\n`)],
    ["an expectation behind a bare LF", putNote(`${short}X-Name: a\nExpect: 100-continue\r\n`)],
  ]),
  ...closed(417, [
    ["an expectation other than 100-continue", `${start}${host}Expect: zqx\r\n\r\n`],
    ["an expectation that resembles 100-continue", `${start}${host}Expect: 100-continues\r\n\r\n`],
    [
      "an expectation with a body to come",
      `PUT /led HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\nExpect: 200-ok\r\n` +
        `\r\n{"led":1}`,
    ],
    ["an expectation in a list with another", putNote(`${short}Expect: 100-continue, zqx\r\n`)],
    ["a word before an expectation", putNote(`${short}Expect: y 100-continue\r\n`)],
    ["a parameter behind an expectation", putNote(`${short}Expect: 100-continue;q=1\r\n`)],
    ["an expectation with a value", putNote(`${short}Expect: 100-continue=yes\r\n`)],
    ["a second expectation that nobody meets", putNote(`${short}${expect}Expect: 200-ok\r\n`)],
    ["an expectation with a no-break space", putNote(`${short}Expect: \xa0100-continue\r\n`)],
  ]),
  ...closed(404, [["an expectation at an unknown noun", holding("/zqx")]]),
  ...closed(415, [["an expectation with another media type", holding("/note", "text/plain")]]),
  ...closed(405, [["an expectation with a method that no noun takes", bare("PATCH", `${expect}${ofHidden}`, hidden)]]),
];
