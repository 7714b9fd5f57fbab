/**
 * The request line: its three parts and its version, and what other protocols send in its place (RFC 9112, 2.3 and 3).
 */

import { stillState } from "./nouns.ts";
import { accepted, bare, closed, hidden, host, json, note, type Row } from "./vector.ts";

/** A request with this request line. */
function line(text: string): string {
  return `${text}\r\n${host}\r\n`;
}

/** A PUT of HTTP/1.0 to `note` with these framing fields. */
function oldPut(fields: string): string {
  return `PUT /note HTTP/1.0\r\n${host}${json}${fields}\r\n${note}`;
}

const malformed: readonly Row[] = [
  ["a bare LF as the end of the request line", `GET /led HTTP/1.1\n${host}\r\n`],
  ["a bare LF as every line's end", "GET /led HTTP/1.1\nHost: localhost\n\n"],
  ["a bare LF before the request line", `\nGET /led HTTP/1.1\r\n${host}\r\n`],
  ["a bare CR as the end of the request line", `GET /led HTTP/1.1\r${host}\r\n`],
  ["a bare CR inside the target", `GET /l\red HTTP/1.1\r\n${host}\r\n`],
  ["a bare CR before the request line", `\rGET /led HTTP/1.1\r\n${host}\r\n`],
  ["two CRs before the LF of the request line", `GET /led HTTP/1.1\r\r\n${host}\r\n`],
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
  ["a request line that begins with its target", line("/led HTTP/1.1")],
  ["a version of one digit", `GET /led HTTP/1\r\n${host}\r\n`],
  ["a version of three digits", `GET /led HTTP/1.10\r\n${host}\r\n`],
  ["a version in lower case", `GET /led http/1.1\r\n${host}\r\n`],
  ["a version of another protocol", `GET /led zqx/1.1\r\n${host}\r\n`],
  ["no version", `GET /led\r\n${host}\r\n`],
  ["an empty version", `GET /led \r\n${host}\r\n`],
  ["two versions", line("GET /still HTTP/1.1 HTTP/1.1")],
  ["a version and a word", line("GET /still HTTP/1.1 zqx")],
  ["a version and a tab", line("GET /still HTTP/1.1\t")],
  ["a version and a vertical tab", line("GET /still HTTP/1.1\x0b")],
  ["a version and a NUL", line("GET /still HTTP/1.1\0")],
  ["a version with a space before its slash", line("GET /still HTTP /1.1")],
  ["a version with a space behind its slash", line("GET /still HTTP/ 1.1")],
  ["a version with a leading zero", line("GET /still HTTP/01.1")],
  ["a version with a zero behind its point", line("GET /still HTTP/1.01")],
  ["a version with a sign", line("GET /still HTTP/+1.1")],
  ["a version with a comma", line("GET /still HTTP/1,1")],
  ["a version with two points", line("GET /still HTTP/1.1.1")],
  ["a version with one letter changed", line("GET /still HTPP/1.1")],
  ["a version in mixed case", line("GET /still Http/1.1")],
  ["a version of full-width digits", line("GET /still HTTP/\xef\xbc\x91.1")],
  ["a vertical tab in a space's place", line("GET\x0b/still HTTP/1.1")],
  ["a form feed in a space's place", line("GET /still\x0cHTTP/1.1")],
  ["a no-break space in a space's place", line("GET\xa0/still HTTP/1.1")],
  ["a space and a tab behind the method", line("GET \t/still HTTP/1.1")],
  ["no space behind the method", line("GET/still HTTP/1.1")],
  ["a method in quotes", line('"GET" /still HTTP/1.1')],
  ["a method behind a comma", line("GET, /still HTTP/1.1")],
  ["a request of HTTP/0.9", "GET /still\r\n"],
  ["a request of HTTP/0.9 with a hidden one behind it", `GET /still\r\n${hidden}`],
  ["the first version of the PROXY protocol", `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${bare("GET")}`],
  ["the second version of the PROXY protocol", `\r\n\r\n\0\r\nQUIT\n!\x11\0\x0c${bare("GET")}`],
  ["a greeting of SSH", "SSH-2.0-zqx\r\n"],
  ["a greeting of SMTP", "EHLO zqx\r\n"],
  ["a command of Redis", "*1\r\n$4\r\nPING\r\n"],
  ["a command of memcached", "stats items\r\n"],
  ["a handshake of SSL 2", "\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10\r\n"],
  ["a ClientHello of TLS 1.3 without a line end", "\x16\x03\x01\x00\xc1\x01\x00\x00\xbd\x03\x03"],
  ["a CONNECT packet of MQTT", "\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c"],
  ["a response in a request's place", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
];

/** Vectors of the request line. */
export const requestLines = [
  ...accepted([
    ["a plain GET", `GET /still HTTP/1.1\r\n${host}\r\n`, stillState],
    ["a GET behind one empty line", `\r\nGET /still HTTP/1.1\r\n${host}\r\n`, stillState],
  ]),
  ...closed(400, malformed),
  ...closed(200, [
    ["a GET of HTTP/1.0", `GET /still HTTP/1.0\r\n${host}\r\n`],
    ["a GET of HTTP/1.0 that asks to be kept", `GET /still HTTP/1.0\r\n${host}Connection: keep-alive\r\n\r\n`],
    ["a GET of HTTP/1.0 without a Host", "GET /still HTTP/1.0\r\n\r\n"],
    ["a HEAD of HTTP/1.0", `HEAD /still HTTP/1.0\r\n${host}\r\n`],
    ["a DELETE of HTTP/1.0", `DELETE /led HTTP/1.0\r\n${host}\r\n`],
    ["a PUT of HTTP/1.0", oldPut(`Content-Length: ${note.length}\r\n`)],
    [
      "a PUT of HTTP/1.0 that expects 100 Continue",
      oldPut(`Content-Length: ${note.length}\r\nExpect: 100-continue\r\n`),
    ],
  ]),
  ...closed(400, [
    ["HTTP/1.0 with two Hosts", `GET /still HTTP/1.0\r\n${host}${host}\r\n`],
    ["HTTP/1.0 with a bad Host", "GET /still HTTP/1.0\r\nHost: zqx@localhost\r\n\r\n"],
    ["HTTP/1.0 with a bare LF", `GET /still HTTP/1.0\n${host}\r\n`],
    ["HTTP/1.0 with two lengths", oldPut(`Content-Length: ${note.length}\r\nContent-Length: 1\r\n`)],
    ["HTTP/1.0 with a body on GET", `GET /still HTTP/1.0\r\n${host}Content-Length: 7\r\n\r\n${note}`],
  ]),
  ...closed(411, [["a PUT of HTTP/1.0 whose body ends with the connection", oldPut("")]]),
  ...closed(505, [
    ["HTTP/1.2", `GET /led HTTP/1.2\r\n${host}\r\n`],
    ["HTTP/2.0", `GET /led HTTP/2.0\r\n${host}\r\n`],
    ["HTTP/0.9 spelled out", `GET /led HTTP/0.9\r\n${host}\r\n`],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a version of HTTP/1.9", line("GET /still HTTP/1.9")],
    ["a version of HTTP/3.0", line("GET /still HTTP/3.0")],
    ["a version of HTTP/0.0", line("GET /still HTTP/0.0")],
    ["the preface of HTTP/2 with its frames", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0"],
  ]),
];
