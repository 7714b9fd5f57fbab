/** Which server is asked for what: Host against the absolute form, and line ends and other requests within a target (RFC 9112, 3.2). */
import { bare, closed, hidden, host, kept } from "./vector.ts";

/** A GET of this target. */
function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\n${host}\r\n`;
}

/** A GET with these fields and no other Host. */
function withHost(fields: string, target = "/still"): string {
  return `GET ${target} HTTP/1.1\r\n${fields}\r\n`;
}

/** Vectors of the authority and the target. */
export const hostsAndTargets = [
  ...closed(400, [
    ["the absolute form without Host", withHost("", "http://localhost/still")],
    ["the absolute form beside a bad Host", withHost("Host: a/b\r\n", "http://localhost/still")],
    ["the absolute form beside two Hosts", withHost("Host: localhost\r\nHost: zqx\r\n", "http://localhost/still")],
    ["a Host behind a bare LF", withHost("X-Name: a\nHost: zqx\r\nHost: localhost\r\n")],
    ["a Host behind a space", withHost("Host: localhost\r\n Host: zqx\r\n")],
    ["a tab within Host", withHost("Host: localhost\tzqx\r\n")],
    ["a NUL within Host", withHost("Host: localhost\0zqx\r\n")],
    ["a percent sign alone in Host", withHost("Host: local%host\r\n")],
    ["a zone in Host", withHost("Host: [fe80::1%25eth0]\r\n")],
    ["a semicolon and a port within Host", withHost("Host: localhost;@zqx:80\r\n")],
    ["a Host with white space before its port", withHost("Host: localhost :80\r\n")],
    ["a Host in angle brackets", withHost("Host: <localhost>\r\n")],
    ["a space and a hidden request line in a target", get("/still HTTP/1.1\r\n\r\nPUT /canary")],
    ["a tab in a target", get("/still\tHTTP/1.1")],
    ["a bare LF in a target", get("/still\nHost: zqx")],
    ["a bare CR in a target", get("/still\rHost: zqx")],
    ["a NUL in a target", get("/still\0HTTP/1.1")],
    ["raw UTF-8 in a target", get("/st\xc3\xafll")],
  ]),
  ...kept(400, [
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
  ...kept(200, [
    ["the absolute form of one host beside another one's Host", withHost("Host: zqx\r\n", "http://localhost/still")],
    ["a Host with an empty port", withHost("Host: localhost:\r\n")],
    ["a host that a proxy passes on", bare("GET", "X-Forwarded-Host: zqx\r\nForwarded: host=zqx\r\n")],
    ["another target in a field", bare("GET", "X-Original-URL: /canary\r\nX-Rewrite-URL: /canary\r\n")],
    ["another method in a field", bare("GET", "X-HTTP-Method-Override: DELETE\r\nX-Method: PUT\r\n")],
  ]),
  ...closed(501, [
    ["a tunnel to this server with a hidden request in it", `CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n${hidden}`],
    [
      "a tunnel with a length",
      `CONNECT localhost:80 HTTP/1.1\r\n${host}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    ],
    ["a tunnel in chunks", `CONNECT localhost:80 HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a tunnel whose Host is missing", "CONNECT localhost:80 HTTP/1.1\r\n\r\n"],
    ["a tunnel of which only the request line is sound", "CONNECT localhost:80 HTTP/1.1\r\nX : y\r\n\r\n"],
  ]),
  ...closed(400, [
    ["a tunnel to a noun", `CONNECT /still HTTP/1.1\r\n${host}\r\n`],
    ["a tunnel with user information", `CONNECT zqx@localhost:80 HTTP/1.1\r\n${host}\r\n`],
    ["a tunnel to a port and a path", `CONNECT localhost:80/still HTTP/1.1\r\n${host}\r\n`],
  ]),
  ...closed([404, 400], [["an unknown noun, and garbage behind it", `${get("/zqx")}${hidden.slice(4)}`]]),
];
