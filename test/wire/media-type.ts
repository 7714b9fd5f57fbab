/** The Content-Type of PUT and POST: `application/json`, with `charset=utf-8` or without (RFC 9110, 8.3). */
import { accepted, kept } from "./vector.ts";

const start = "PUT /note HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n";
const body = '\r\n{"m":1}';
const state = { m: 1 };

/** Vectors of the media type and the content coding. */
export const mediaTypes = [
  ...accepted([
    ["application/json", `${start}Content-Type: application/json\r\n${body}`, state],
    ["application/json in mixed case", `${start}Content-Type: Application/JSON\r\n${body}`, state],
    ["a charset", `${start}Content-Type: application/json; charset=utf-8\r\n${body}`, state],
    ["a charset in upper case", `${start}Content-Type: application/json; CHARSET=UTF-8\r\n${body}`, state],
    ["a charset without a space", `${start}Content-Type: application/json;charset=utf-8\r\n${body}`, state],
    [
      "a charset with spaces before the semicolon",
      `${start}Content-Type: application/json ; charset=utf-8\r\n${body}`,
      state,
    ],
    [
      "a body that says that it is not encoded",
      `${start}Content-Type: application/json\r\nContent-Encoding: identity\r\n${body}`,
      state,
    ],
    [
      "the same in upper case",
      `${start}Content-Type: application/json\r\nContent-Encoding: IDENTITY\r\n${body}`,
      state,
    ],
    ["an empty content coding", `${start}Content-Type: application/json\r\nContent-Encoding:\r\n${body}`, state],
    [
      "a content coding in a list with empty elements",
      `${start}Content-Type: application/json\r\nContent-Encoding: identity,\r\nContent-Encoding: ,identity\r\n${body}`,
      state,
    ],
    ["a charset in quotes", `${start}Content-Type: application/json; charset="utf-8"\r\n${body}`, state],
  ]),
  ...kept(415, [
    ["no media type", `${start}${body}`],
    ["an empty media type", `${start}Content-Type:\r\n${body}`],
    ["text/plain", `${start}Content-Type: text/plain\r\n${body}`],
    ["text/json", `${start}Content-Type: text/json\r\n${body}`],
    ["a form's media type", `${start}Content-Type: application/x-www-form-urlencoded\r\n${body}`],
    ["a problem's media type", `${start}Content-Type: application/problem+json\r\n${body}`],
    ["a media type that begins like JSON's", `${start}Content-Type: application/jsonzqx\r\n${body}`],
    ["a media type that ends like JSON's", `${start}Content-Type: zqxapplication/json\r\n${body}`],
    ["a wildcard", `${start}Content-Type: */*\r\n${body}`],
    ["a type without a subtype", `${start}Content-Type: application\r\n${body}`],
    ["a list of media types", `${start}Content-Type: application/json, text/plain\r\n${body}`],
    ["another charset", `${start}Content-Type: application/json; charset=iso-8859-1\r\n${body}`],
    ["the charset UTF-16", `${start}Content-Type: application/json; charset=utf-16\r\n${body}`],
    ["another parameter", `${start}Content-Type: application/json; zqx=1\r\n${body}`],
    ["an empty charset", `${start}Content-Type: application/json; charset=\r\n${body}`],
    ["no media type on POST", "POST /led HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"],
    [
      "text/plain on POST, which a foreign web page could send",
      "POST /led HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
    ],
    [
      "another media type before looking at the body",
      "PUT /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n{\xff\0",
    ],
  ]),
  ...kept(
    415,
    ["gzip", "br", "zqx", "gzip, identity", "identity, gzip", "aes128gcm", "identity;q=1"].map((coding) => [
      `the content coding ${coding}`,
      `${start}Content-Type: application/json\r\nContent-Encoding: ${coding}\r\n${body}`,
    ]),
  ),
  ...kept(415, [
    [
      "a content coding on POST",
      "POST /led HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n" +
        "Content-Length: 2\r\n\r\n{}",
    ],
    [
      "a content coding on a second line",
      `${start}Content-Type: application/json\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\n${body}`,
    ],
    [
      "a content coding of a chunked body",
      "PUT /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n3\r\n\x1f\x8b\x08\r\n0\r\n\r\n",
    ],
  ]),
  ...kept(415, [
    [
      "the same Content-Type twice",
      `${start}Content-Type: application/json\r\nContent-Type: application/json\r\n${body}`,
    ],
    ["two Content-Types", `${start}Content-Type: application/json\r\nContent-Type: text/plain\r\n${body}`],
  ]),
];
