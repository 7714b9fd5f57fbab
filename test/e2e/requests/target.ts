/** The request target: its forms (RFC 9112, 3.2) and the noun's name in it. */
import { accepted, refused, stillState } from "./sample.ts";

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

/** Targets that lead to a noun. */
export const acceptedTargets = accepted([
  ["a name in lower case", get("/still"), stillState],
  ["a name in upper case", get("/STILL"), stillState],
  ["a name in mixed case", get("/StiLL"), stillState],
  ["a percent-encoded letter", get("/%73till"), stillState],
  ["a percent-encoded letter in upper case", get("/%53till"), stillState],
  ["a percent-encoded letter in the middle", get("/st%69ll"), stillState],
  ["a wholly percent-encoded name", get("/%73%74%69%6c%6C"), stillState],
  ["a name of every allowed punctuation", get("/a.b_c~d-1"), { odd: "name" }],
  ["percent-encoded punctuation", get("/a%2Eb%5fc%7Ed%2d%31"), { odd: "name" }],
  ["the absolute form", get("http://localhost/still"), stillState],
  ["the absolute form with a port", get("http://localhost:8080/STILL"), stillState],
  ["the absolute form with an IPv6 address", get("http://[::1]:8080/still"), stillState],
  ["the absolute form with a scheme in upper case", get("HTTP://localhost/still"), stillState],
  ["the absolute form of another host than Host's", get("http://example.com/still"), stillState],
]);

/** Targets that lead nowhere. */
export const refusedTargets = [
  ...refused(404, "keep", [
    ["an unknown noun", get("/zqx")],
    ["two segments", get("/led/zqx")],
    ["a trailing slash", get("/led/")],
    ["two leading slashes", get("//led")],
    ["a percent-encoded slash", get("/led%2fzqx")],
    ["a dot segment", get("/./led")],
    ["a double dot segment", get("/../led")],
    ["a percent-encoded NUL", get("/led%00")],
    ["a percent-encoded line end", get("/led%0d%0azqx")],
    ["a percent-encoded escape byte", get("/%1bzqx")],
    ["a percent-encoded percent sign", get("/%256ced")],
    ["a percent-encoded name that is not UTF-8", get("/l%ffd")],
    ["a percent-encoded overlong slash", get("/led%c0%af")],
    ["a name of 65 characters", get(`/${"a".repeat(65)}`)],
    ["a name of an inherited property", get("/constructor")],
    ["a name of the prototype", get("/__proto__")],
    ["the absolute form of an unknown noun", get("http://localhost/zqx")],
    ["DELETE of an unknown noun", "DELETE /zqx HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "PUT to an unknown noun",
      'PUT /zqx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"led":1}',
    ],
    [
      "PUT of another media type to an unknown noun as an unknown noun",
      "PUT /zqx HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
    ],
  ]),
  ...refused(400, "keep", [
    ["a percent sign at the end", get("/led%")],
    ["an unfinished percent-encoding", get("/led%6")],
    ["a percent-encoding of letters", get("/%zqx")],
    ["a percent-encoding of one digit and a letter", get("/%6zqx")],
    ["an unfinished percent-encoding of an unknown noun", get("/zqx%4")],
    ["a percent-encoding of a space", get("/%+0led")],
    ["an unfinished percent-encoding in the absolute form", get("http://localhost/led%6")],
    ["an unfinished percent-encoding on HEAD", "HEAD /led%6 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["the asterisk form on DELETE", "DELETE * HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a query", get("/led?zqx=1")],
    ["an empty query", get("/led?")],
    ["a query in the absolute form", get("http://localhost/led?zqx")],
    ["a target without a slash", get("led")],
    ["a query on HEAD", "HEAD /led?zqx HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "a query on PUT",
      'PUT /led?zqx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"led":1}',
    ],
  ]),
  // Two rows apply and the contract does not order them, or no row says whether the connection is kept.
  ...refused([400, 404], "keep", [["a query on an unknown noun", get("/zqx?zqx")]]),
  ...refused([400, 404], "open", [
    ["a fragment", get("/led#zqx")],
    ["quotes in a path", get('/"led"')],
    ["a backslash in a path", get("/l\\ed")],
    ["brackets in a path", get("/[led]")],
    ["GET with a body on an unknown noun", "GET /zqx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nzqx"],
  ]),
];
