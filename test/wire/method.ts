/** Methods that a noun does not take, methods that HTTP does not know, and CONNECT (RFC 9110, 9). */
import { closed, hidden, host, json, kept } from "./vector.ts";

const chunked = `${json}Transfer-Encoding: chunked\r\n`;

/** A request with this request line. */
function line(text: string): string {
  return `${text}\r\n${host}\r\n`;
}

/** Vectors of the method. */
export const methods = [
  ...closed(400, [
    ["CONNECT on a noun", `CONNECT /led HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT without a port", `CONNECT localhost HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with an empty port", `CONNECT localhost: HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with a port above 65535", `CONNECT localhost:65536 HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT with an absolute target", `CONNECT http://localhost:80/ HTTP/1.1\r\n${host}\r\n`],
    ["CONNECT of everything", `CONNECT * HTTP/1.1\r\n${host}\r\n`],
    ["a tunnel to a noun", `CONNECT /still HTTP/1.1\r\n${host}\r\n`],
    ["a tunnel with user information", `CONNECT zqx@localhost:80 HTTP/1.1\r\n${host}\r\n`],
    ["a tunnel to a port and a path", `CONNECT localhost:80/still HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...closed(501, [
    ["an unknown method with a chunked body", `ZQX /led HTTP/1.1\r\n${host}${chunked}\r\n9\r\n{"led":1}\r\n0\r\n\r\n`],
    ["CONNECT of a host and a port", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n"],
    ["CONNECT of an IPv6 address", "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n"],
    ["CONNECT with a body", `CONNECT localhost:80 HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nzqx`],
    ["an unknown method with a body", `ZQX /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n{"led":1}`],
    ["a tunnel to this server with a hidden request in it", `CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n${hidden}`],
    [
      "a tunnel with a length",
      `CONNECT localhost:80 HTTP/1.1\r\n${host}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    ],
    ["a tunnel in chunks", `CONNECT localhost:80 HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a tunnel whose Host is missing", "CONNECT localhost:80 HTTP/1.1\r\n\r\n"],
    ["a tunnel of which only the request line is sound", "CONNECT localhost:80 HTTP/1.1\r\nX : y\r\n\r\n"],
    ["a method of 33 letters", line(`${"M".repeat(33)} /still HTTP/1.1`)],
    ["a method of 4,000 letters", line(`${"GET".repeat(1_333)} /still HTTP/1.1`)],
  ]),
  ...kept(501, [
    ["an unknown method", `ZQX /led HTTP/1.1\r\n${host}\r\n`],
    ["an unknown method with an empty body", `ZQX /led HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
    ["a known method in lower case", `get /led HTTP/1.1\r\n${host}\r\n`],
    ["a method of WebDAV", `PROPFIND /led HTTP/1.1\r\n${host}\r\n`],
    ["a method of odd token characters", `!#$%&'*+-.^_\`|~ /led HTTP/1.1\r\n${host}\r\n`],
    ["a method of 32 letters", line(`${"M".repeat(32)} /still HTTP/1.1`)],
    ["a method with a known one at its end", line("XGET /still HTTP/1.1")],
    ["a method with a known one at its beginning", line("GETX /still HTTP/1.1")],
    ["two methods joined by a hyphen", line("GET-PUT /still HTTP/1.1")],
  ]),
  ...kept(405, [
    ["PATCH without a body", `PATCH /led HTTP/1.1\r\n${host}\r\n`],
    ["TRACE", `TRACE /led HTTP/1.1\r\n${host}\r\n`],
    ["PUT of all nouns", `PUT / HTTP/1.1\r\n${host}${json}Content-Length: 2\r\n\r\n{}`],
    ["POST to all nouns", `POST / HTTP/1.1\r\n${host}${json}Content-Length: 2\r\n\r\n{}`],
    ["DELETE of all nouns", `DELETE / HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...closed(405, [
    ["PATCH with a body", `PATCH /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n{"led":1}`],
    ["PATCH with a chunked body", `PATCH /led HTTP/1.1\r\n${host}${chunked}\r\n9\r\n{"led":1}\r\n0\r\n\r\n`],
  ]),
  ...kept(404, [
    ["an unknown method on an unknown noun as an unknown noun", `ZQX /zqx HTTP/1.1\r\n${host}\r\n`],
    ["a known method on an unknown noun as an unknown noun", `HEAD /zqx HTTP/1.1\r\n${host}\r\n`],
  ]),
];
