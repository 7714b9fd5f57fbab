/** The request line: its grammar, its version and its method (RFC 9112, 3). */
import { accepted, refused, stillState } from "./sample.ts";

const host = "Host: localhost\r\n";

/** Request lines that are accepted. */
export const acceptedRequestLines = accepted([
  ["a plain GET", `GET /still HTTP/1.1\r\n${host}\r\n`, stillState],
  ["a GET behind one empty line", `\r\nGET /still HTTP/1.1\r\n${host}\r\n`, stillState],
]);

/** Malformed request lines, other versions and other methods. */
export const refusedRequestLines = [
  ...refused(400, "close", [
    ["a bare LF as the end of the request line", `GET /led HTTP/1.1\n${host}\r\n`],
    ["a bare LF as every line's end", "GET /led HTTP/1.1\nHost: localhost\n\n"],
    ["a bare LF before the request line", `\nGET /led HTTP/1.1\r\n${host}\r\n`],
    ["a bare CR as the end of the request line", `GET /led HTTP/1.1\r${host}\r\n`],
    ["a bare CR inside the target", `GET /l\red HTTP/1.1\r\n${host}\r\n`],
    ["a bare CR before the request line", `\rGET /led HTTP/1.1\r\n${host}\r\n`],
    ["two CRs before the LF", `GET /led HTTP/1.1\r\r\n${host}\r\n`],
    ["a NUL in the method", `GE\0T /led HTTP/1.1\r\n${host}\r\n`],
    ["a NUL in the target", `GET /led\0 HTTP/1.1\r\n${host}\r\n`],
    ["a control byte in the target", `GET /led\x1b[31m HTTP/1.1\r\n${host}\r\n`],
    ["a DEL in the target", `GET /led\x7f HTTP/1.1\r\n${host}\r\n`],
    ["a byte above 0x7f in the target", `GET /l\xe9d HTTP/1.1\r\n${host}\r\n`],
    ["a byte above 0x7f in the method", `G\xcbT /led HTTP/1.1\r\n${host}\r\n`],
    ["two spaces behind the method", `GET  /led HTTP/1.1\r\n${host}\r\n`],
    ["two spaces before the version", `GET /led  HTTP/1.1\r\n${host}\r\n`],
    ["a space before the method", ` GET /led HTTP/1.1\r\n${host}\r\n`],
    ["a space behind the version", `GET /led HTTP/1.1 \r\n${host}\r\n`],
    ["a space inside the target", `GET /led zqx HTTP/1.1\r\n${host}\r\n`],
    ["a tab in a space's place", `GET\t/led HTTP/1.1\r\n${host}\r\n`],
    ["a tab before the version", `GET /led\tHTTP/1.1\r\n${host}\r\n`],
    ["a method that is not a token", `GE(T /led HTTP/1.1\r\n${host}\r\n`],
    ["a request line of one word", `zqx\r\n${host}\r\n`],
    ["a request line without a method", ` /led HTTP/1.1\r\n${host}\r\n`],
    ["the first bytes of a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x8a\r\n\r\n"],
    ["three spaces", `   \r\n${host}\r\n`],
  ]),
  ...refused(505, "close", [
    ["HTTP/1.0", `GET /led HTTP/1.0\r\n${host}\r\n`],
    ["HTTP/1.2", `GET /led HTTP/1.2\r\n${host}\r\n`],
    ["HTTP/2.0", `GET /led HTTP/2.0\r\n${host}\r\n`],
    ["HTTP/0.9 spelled out", `GET /led HTTP/0.9\r\n${host}\r\n`],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ]),
  // Neither a version of HTTP nor plainly a malformed line: the contract does not say which of the two rows it is.
  ...refused([400, 505], "close", [
    ["a version of one digit", `GET /led HTTP/1\r\n${host}\r\n`],
    ["a version of three digits", `GET /led HTTP/1.10\r\n${host}\r\n`],
    ["a version in lower case", `GET /led http/1.1\r\n${host}\r\n`],
    ["a version of another protocol", `GET /led zqx/1.1\r\n${host}\r\n`],
    ["no version", `GET /led\r\n${host}\r\n`],
    ["an empty version", `GET /led \r\n${host}\r\n`],
  ]),
];

const allowed = "Content-Type: application/json\r\n";
const chunked = `${allowed}Transfer-Encoding: chunked\r\n`;

/** Methods that a noun does not take, or nobody. */
export const refusedMethods = [
  ...refused(400, "close", [
    ["CONNECT on a noun", `CONNECT /led HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT without a port", `CONNECT localhost HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with an empty port", `CONNECT localhost: HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with a port above 65535", `CONNECT localhost:65536 HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with an absolute target", `CONNECT http://localhost:80/ HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT of everything", `CONNECT * HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...refused(501, "keep", [
    ["an unknown method", `ZQX /led HTTP/1.1\r\n${host}\r\n`],
    ["a known method in lower case", `get /led HTTP/1.1\r\n${host}\r\n`],
    ["a method of WebDAV", `PROPFIND /led HTTP/1.1\r\n${host}\r\n`],
    ["a method of odd token characters", `!#$%&'*+-.^_\`|~ /led HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...refused(501, "close", [
    ["an unknown method with a chunked body", `ZQX /led HTTP/1.1\r\n${host}${chunked}\r\n9\r\n{"led":1}\r\n0\r\n\r\n`],
    ["CONNECT of a host and a port", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n"],
    ["CONNECT of an IPv6 address", "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n"],
    ["CONNECT with a body", `CONNECT localhost:80 HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nzqx`],
    ["an unknown method with a body", `ZQX /led HTTP/1.1\r\n${host}${allowed}Content-Length: 9\r\n\r\n{"led":1}`],
  ]),
  ...refused(405, "keep", [
    ["PATCH without a body", `PATCH /led HTTP/1.1\r\n${host}\r\n`],
    ["TRACE", `TRACE /led HTTP/1.1\r\n${host}\r\n`],
    ["PUT of all nouns", `PUT / HTTP/1.1\r\n${host}${allowed}Content-Length: 2\r\n\r\n{}`],
    ["POST to all nouns", `POST / HTTP/1.1\r\n${host}${allowed}Content-Length: 2\r\n\r\n{}`],
    ["DELETE of all nouns", `DELETE / HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...refused(405, "close", [
    ["PATCH with a body", `PATCH /led HTTP/1.1\r\n${host}${allowed}Content-Length: 9\r\n\r\n{"led":1}`],
    ["PATCH with a chunked body", `PATCH /led HTTP/1.1\r\n${host}${chunked}\r\n9\r\n{"led":1}\r\n0\r\n\r\n`],
  ]),
  ...refused(404, "keep", [
    ["an unknown method on an unknown noun as an unknown noun", `ZQX /zqx HTTP/1.1\r\n${host}\r\n`],
    ["a known method on an unknown noun as an unknown noun", `HEAD /zqx HTTP/1.1\r\n${host}\r\n`],
  ]),
];
