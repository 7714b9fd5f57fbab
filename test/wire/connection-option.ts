/** Connection options, upgrades and fields that ask a party on the way to drop others (RFC 9110, 7.6.1 and 7.8). */

import { stillState } from "./nouns.ts";
import { accepted, bare, closed, host, kept, note, putNote } from "./vector.ts";

/** A GET with this Connection field. */
function connection(options: string): string {
  return bare("GET", `Connection: ${options}\r\n`);
}

const short = `Content-Length: ${note.length}\r\n`;

/** Vectors of the connection. */
export const connectionOptions = [
  ...accepted([
    ["an empty Connection", connection(""), stillState],
    ["empty elements in Connection", connection(", ,\tzqx-option,,"), stillState],
    ["a Connection of any token", connection("!#$%&'*+-.^_`|~09azAZ"), stillState],
  ]),
  ...kept(200, [
    ["a connection option that names the length", putNote(`${short}Connection: Content-Length\r\n`)],
    ["a connection option that names Host", bare("GET", "Connection: Host\r\n")],
    ["a connection option that names the media type", putNote(`${short}Connection: Content-Type\r\n`)],
    ["a connection option that resembles close", bare("GET", "Connection: closed, xclose, clo-se\r\n")],
    ["an empty connection option", bare("GET", "Connection:\r\nConnection: ,\r\n")],
    ["a connection to be kept by a proxy", bare("GET", "Proxy-Connection: close\r\nKeep-Alive: timeout=1\r\n")],
    [
      "an upgrade to HTTP/2 in clear text",
      bare("GET", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"),
    ],
    ["an upgrade with a body", putNote(`${short}Connection: Upgrade\r\nUpgrade: h2c\r\n`)],
    ["an upgrade to TLS", bare("GET", "Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n")],
    [
      "an upgrade to WebSocket",
      bare(
        "GET",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
          "AAAAAAAAAAAAAAAAAAAAAA==\r\n",
      ),
    ],
    ["a Range", bare("GET", 'Range: bytes=0-0\r\nIf-Range: "zqx"\r\n')],
    ["forwards that have run out", bare("GET", "Max-Forwards: 0\r\n")],
  ]),
  ...closed(400, [
    ["two words in Connection", connection("keep-alive zqx")],
    ["a parameter in Connection", connection("close;zqx=1")],
    ["a slash in Connection", connection("keep-alive, a/zqx")],
    [
      "a Connection that is no list, on its second line",
      `GET /still HTTP/1.1\r\n${host}Connection: close\r\nConnection: (zqx)\r\n\r\n`,
    ],
    ["a connection option of two words", bare("GET", "Connection: keep-alive close\r\n")],
    ["a connection option in quotes", bare("GET", 'Connection: "close"\r\n')],
    ["a connection option with a semicolon", bare("GET", "Connection: keep-alive; close\r\n")],
    ["a connection option before a no-break space", bare("GET", "Connection: close\xa0\r\n")],
    ["a connection option that is a whole field", bare("GET", "Connection: Content-Length: 7\r\n")],
    ["bytes above 0x7f in a connection option", putNote(`${short}Connection: \xe9\r\n`)],
  ]),
  ...closed(200, [
    ["the option close beside others", bare("GET", "Connection: Content-Length, close\r\n")],
    ["the option close behind keep-alive", bare("GET", "Connection: keep-alive, close\r\n")],
    [
      "the option close before keep-alive on another line",
      bare("GET", "Connection: close\r\nConnection: keep-alive\r\n"),
    ],
    ["the option close behind empty elements", bare("GET", "Connection: , ,close,\r\n")],
    ["the option close in mixed case with tabs around it", bare("GET", "Connection:\t ClOsE \t\r\n")],
    ["the option close on a request with a body", putNote(`${short}Connection: close\r\n`)],
  ]),
];
