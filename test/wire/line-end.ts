/**
 * Where a line or a head ends: bare CR, bare LF, folding, and characters that some take for a line end (RFC 9112, 2.2
 * and 5.2).
 */
import { bare, closed, hidden, host, kept } from "./vector.ts";

const start = "GET /still HTTP/1.1\r\n";

/** Vectors of the line end. */
export const lineEnds = [
  ...closed(400, [
    ["a head that ends with two bare LFs", `${start}Host: localhost\n\n${hidden}`],
    ["a head that ends with LF and CR LF", `${start}Host: localhost\n\r\n${hidden}`],
    ["a head that ends with CR LF and LF", `${start}${host}\n${hidden}`],
    ["a head that ends with CR LF and CR", `${start}${host}\r${hidden}`],
    ["a head that ends with CR LF CR CR LF", `${start}${host}\r\r\n${hidden}`],
    ["a head that ends with LF and CR, the wrong way round", `${start}Host: localhost\n\r\n\r${hidden}`],
    ["a hidden request behind a field and two bare LFs", `${start}${host}X-Name: a\n\n${hidden}`],
    ["a hidden request behind a field and two bare CRs", `${start}${host}X-Name: a\r\r${hidden}`],
    ["a hidden request behind a request line and a bare LF", `GET /still HTTP/1.1\n${hidden}`],
    ["a folded Host", `${start}Host:\r\n localhost\r\n\r\n`],
    ["a folded expectation", `${start}${host}Expect:\r\n 100-continue\r\n\r\n`],
    ["a folded end of the head", `${start}${host} \r\n\r\n${hidden}`],
    ["a folded line of tabs alone", `${start}${host}X-Name: a\r\n\t\t\r\n\r\n${hidden}`],
    ["a folded request line", `GET /still\r\n HTTP/1.1\r\n${host}\r\n`],
    ["a second empty line before a request", `\r\n\r\n${bare("GET")}`],
    ["an empty line with a space before a request", ` \r\n${bare("GET")}`],
    ["an empty line and a bare LF before a request", `\r\n\n${bare("GET")}`],
    ["a NUL before a request", `\0${bare("GET")}`],
    ["a byte-order mark before a request", `\xef\xbb\xbf${bare("GET")}`],
  ]),
  ...kept(200, [
    ["a next-line character in a field value", bare("GET", "X-Name: a\x85Content-Length: 40\r\n")],
    ["a line separator in a field value", bare("GET", "X-Name: a\xe2\x80\xa8Content-Length: 40\r\n")],
    ["CR and LF whose high bits are set", bare("GET", "X-Name: a\x8d\x8aContent-Length: 40\r\n")],
    ["an over-long LF in a field value", bare("GET", "X-Name: a\xc0\x8aContent-Length: 40\r\n")],
    [
      "CR and LF that end in the same bytes in UTF-16",
      bare("GET", "X-Name: a\xe5\x98\x8d\xe5\x98\x8aContent-Length: 40\r\n"),
    ],
    ["a percent-encoded line end in a field value", bare("GET", "X-Name: a%0d%0aContent-Length: 40\r\n")],
    ["a backslash and letters for a line end", bare("GET", "X-Name: a\\r\\nContent-Length: 40\r\n")],
  ]),
  ...kept([200, 200], [["an empty line between two requests", `${bare("GET")}\r\n${bare("GET")}`]]),
];
