/** The request target: its forms (RFC 9112, 3.2), the noun's name in it, and lines and requests that hide in it. */

import { stillState } from "./nouns.ts";
import { accepted, bare, closed, hidden, host, kept } from "./vector.ts";

/** A GET of this target. */
function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\n${host}\r\n`;
}

/** A GET of this target with these fields and no other Host. */
function withHost(fields: string, target: string): string {
  return `GET ${target} HTTP/1.1\r\n${fields}\r\n`;
}

/** Vectors of the request target. */
export const targets = [
  ...accepted([
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
    ["the absolute form of a host other than Host's", get("http://example.com/still"), stillState],
  ]),
  ...kept(200, [
    ["the absolute form of one host beside another one's Host", withHost("Host: zqx\r\n", "http://localhost/still")],
    ["another target in a field", bare("GET", "X-Original-URL: /canary\r\nX-Rewrite-URL: /canary\r\n")],
    ["another method in a field", bare("GET", "X-HTTP-Method-Override: DELETE\r\nX-Method: PUT\r\n")],
  ]),
  ...closed(400, [
    ["the absolute form without Host", withHost("", "http://localhost/still")],
    ["the absolute form beside a bad Host", withHost("Host: a/b\r\n", "http://localhost/still")],
    ["the absolute form beside two Hosts", withHost("Host: localhost\r\nHost: zqx\r\n", "http://localhost/still")],
    ["a space and a hidden request line in a target", get("/still HTTP/1.1\r\n\r\nPUT /canary")],
    ["a tab in a target", get("/still\tHTTP/1.1")],
    ["a bare LF in a target", get("/still\nHost: zqx")],
    ["a bare CR in a target", get("/still\rHost: zqx")],
    ["a NUL in a target", get("/still\0HTTP/1.1")],
    ["raw UTF-8 in a target", get("/st\xc3\xafll")],
    ["GET with a body on an unknown noun", "GET /zqx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nzqx"],
  ]),
  ...kept(400, [
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
    ["a query right behind the authority", get("http://localhost?zqx")],
    ["a query in the absolute form", get("http://localhost/led?zqx")],
    ["a target without a slash", get("led")],
    ["a query on HEAD", "HEAD /led?zqx HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "a query on PUT",
      "PUT /led?zqx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n" +
        '\r\n{"led":1}',
    ],
    ["a query on an unknown noun", get("/zqx?zqx")],
    ["a fragment", get("/led#zqx")],
    ["quotes in a path", get('/"led"')],
    ["a backslash in a path", get("/l\\ed")],
    ["brackets in a path", get("/[led]")],
    ["a line end encoded as for JavaScript", get("/still%u000d%u000a")],
    ["a percent-encoding cut off by the target's end", get("/still%0")],
    ["the absolute form of https", get("https://localhost/still")],
    ["the absolute form of another scheme", get("ftp://localhost/still")],
    ["the absolute form with user information", get("http://zqx@localhost/still")],
    ["the absolute form with a password", get("http://zqx:zqx@localhost/still")],
    ["the absolute form without a host", get("http:///still")],
    ["the absolute form with a port alone", get("http://:80/still")],
    ["the absolute form with a port above 65535", get("http://localhost:65536/still")],
    ["the absolute form with one slash", get("http:/still")],
    ["the absolute form with a backslash", get("http:\\\\localhost/still")],
    ["the absolute form with two hosts", get("http://localhost,zqx/still")],
    ["a host and a port on GET", get("localhost:80")],
    ["an asterisk on GET", get("*")],
  ]),
  ...kept(404, [
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
    ["the Kelvin sign for a k", get("/%e2%84%aa")],
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
    ["a percent-encoded line end and a hidden request", get("/still%20HTTP/1.1%0d%0a%0d%0aPUT%20/canary")],
    ["a percent-encoded LF", get("/still%0aHost:%20zqx")],
    ["a twice percent-encoded line end", get("/still%250d%250a")],
    ["a parameter of a path segment", get("/still;x=y")],
    ["a percent-encoded question mark", get("/still%3fzqx")],
    ["a percent-encoded fragment", get("/still%23zqx")],
    ["a percent-encoded dot segment", get("/still/%2e%2e/canary")],
    ["a percent-encoded backslash", get("/still%5c..%5ccanary")],
    ["a network path", get("//zqx/still")],
    ["the absolute form with an empty first segment", get("http://localhost//still")],
  ]),
  ...closed([404, 400], [["an unknown noun, and garbage behind it", `${get("/zqx")}${hidden.slice(4)}`]]),
];
