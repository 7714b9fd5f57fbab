/** Request lines with more or fewer parts than three, other versions, and other protocols (RFC 9112, 2.3 and 3). */
import { bare, closed, hidden, host, kept } from "./vector.ts";

/** A request with this request line. */
function line(text: string): string {
  return `${text}\r\n${host}\r\n`;
}

/** Vectors of the request line. */
export const requestLines = [
  ...closed(400, [
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
  ]),
  ...closed(505, [
    ["a version of HTTP/1.9", line("GET /still HTTP/1.9")],
    ["a version of HTTP/3.0", line("GET /still HTTP/3.0")],
    ["a version of HTTP/0.0", line("GET /still HTTP/0.0")],
    ["the preface of HTTP/2 with its frames", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0"],
  ]),
  ...closed(501, [
    ["a method of 33 letters", line(`${"M".repeat(33)} /still HTTP/1.1`)],
    ["a method of 4,000 letters", line(`${"GET".repeat(1_333)} /still HTTP/1.1`)],
  ]),
  ...kept(501, [
    ["a method of 32 letters", line(`${"M".repeat(32)} /still HTTP/1.1`)],
    ["a method with a known one at its end", line("XGET /still HTTP/1.1")],
    ["a method with a known one at its beginning", line("GETX /still HTTP/1.1")],
    ["two methods joined by a hyphen", line("GET-PUT /still HTTP/1.1")],
  ]),
];
