/** Where a request's body ends: Content-Length and Transfer-Encoding (RFC 9112, 6). */
import { accepted, refused, stillState } from "./sample.ts";

const host = "Host: localhost\r\n";
const json = "Content-Type: application/json\r\n";
const body = '{"led":1}';

/** A PUT whose framing fields are the sample's. */
function put(fields: string, content = body): string {
  return `PUT /led HTTP/1.1\r\n${host}${json}${fields}\r\n${content}`;
}

/** Framing that is accepted. */
export const acceptedFraming = accepted([
  ["a body of Content-Length bytes", `PUT /note HTTP/1.1\r\n${host}${json}Content-Length: 7\r\n\r\n{"a":1}`, { a: 1 }],
  [
    "a Content-Length before the media type, in odd case",
    `PUT /note HTTP/1.1\r\ncontent-LENGTH:7\r\n${host}${json}\r\n{"a":2}`,
    { a: 2 },
  ],
  [
    "a body counted in bytes, not in characters",
    `PUT /note HTTP/1.1\r\n${host}${json}Content-Length: 14\r\n\r\n{"a":"\xc3\xa9\xe2\x82\xac!"}`,
    { a: "é€!" },
  ],
  ["a GET with an empty body", `GET /still HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, stillState],
  ["a chunked body", put("Transfer-Encoding: chunked\r\n", `9\r\n${body}\r\n0\r\n\r\n`), { led: 1 }],
  [
    "a chunked body, its coding in odd case",
    put("transfer-encoding: CHUNKed\r\n", '9\r\n{"led":0}\r\n0\r\n\r\n'),
    { led: 0 },
  ],
  [
    "a body in many chunks",
    put("Transfer-Encoding: chunked\r\n", `${[...body].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`),
    { led: 1 },
  ],
  ["a DELETE with an empty body", `DELETE /still HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, stillState],
]);

/** Framing that is refused. */
export const refusedFraming = [
  ...refused(400, "close", [
    ["two Content-Lengths", put("Content-Length: 9\r\nContent-Length: 3\r\n")],
    ["the same Content-Length twice", put("Content-Length: 9\r\nContent-Length: 9\r\n")],
    ["a Content-Length that is a list", put("Content-Length: 9, 9\r\n")],
    ["a Content-Length that is a list without spaces", put("Content-Length: 9,9\r\n")],
    ["a Content-Length with a plus sign", put("Content-Length: +9\r\n")],
    ["a Content-Length with a minus sign", put("Content-Length: -9\r\n")],
    ["a Content-Length of minus zero", put("Content-Length: -0\r\n", "")],
    ["a Content-Length of letters", put("Content-Length: zqx\r\n")],
    ["a Content-Length with letters behind it", put("Content-Length: 9zqx\r\n")],
    ["a hexadecimal Content-Length", put("Content-Length: 0x9\r\n")],
    ["a Content-Length with a decimal point", put("Content-Length: 9.0\r\n")],
    ["a Content-Length with an exponent", put("Content-Length: 9e0\r\n")],
    ["a Content-Length with a space inside", put("Content-Length: 9 9\r\n")],
    ["an empty Content-Length", put("Content-Length:\r\n")],
    ["a Content-Length of opaque bytes", put("Content-Length: \xb2\r\n")],
    ["a Content-Length beside Transfer-Encoding", put("Content-Length: 9\r\nTransfer-Encoding: chunked\r\n")],
    ["a Transfer-Encoding beside Content-Length", put("Transfer-Encoding: chunked\r\nContent-Length: 9\r\n")],
    ["a Content-Length beside an unknown Transfer-Encoding", put("Transfer-Encoding: zqx\r\nContent-Length: 9\r\n")],
    ["a bad Content-Length on GET", `GET /led HTTP/1.1\r\n${host}Content-Length: zqx\r\n\r\n`],
    ["a chunked GET", `GET /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunked DELETE", `DELETE /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunked HEAD", `HEAD /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunked OPTIONS", `OPTIONS /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["HEAD with a body", `HEAD /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${body}`],
    ["OPTIONS with a body", `OPTIONS /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${body}`],
    ["GET with a body", `GET /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${body}`],
    ["DELETE with a body", `DELETE /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${body}`],
    ["GET with a body of one byte", `GET /led HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\n{`],
    ["a bad Content-Length on an unknown noun", `PUT /zqx HTTP/1.1\r\n${host}${json}Content-Length: -9\r\n\r\n${body}`],
  ]),
  ...refused(411, "close", [
    ["PUT with no Content-Length", put("", "")],
    ["PUT with a body but no Content-Length", put("")],
    ["POST with no Content-Length", `POST /led HTTP/1.1\r\n${host}${json}\r\n`],
    ["POST with neither a length nor a media type", `POST /led HTTP/1.1\r\n${host}\r\n`],
    ["PUT with no Content-Length on an unknown noun", `PUT /zqx HTTP/1.1\r\n${host}${json}\r\n`],
  ]),
  ...refused(501, "close", [
    ["Transfer-Encoding: gzip", put("Transfer-Encoding: gzip\r\n")],
    ["Transfer-Encoding: gzip, chunked", put("Transfer-Encoding: gzip, chunked\r\n")],
    ["Transfer-Encoding: chunked, gzip", put("Transfer-Encoding: chunked, gzip\r\n")],
    ["Transfer-Encoding: identity", put("Transfer-Encoding: identity\r\n")],
    ["a Transfer-Encoding that resembles chunked", put("Transfer-Encoding: xchunked\r\n")],
    ["an unknown Transfer-Encoding", put("Transfer-Encoding: zqx\r\n")],
    ["chunked twice in one field", put("Transfer-Encoding: chunked, chunked\r\n")],
  ]),
  // Not chunked alone, but not a coding anybody defined either: the contract does not say whether it is malformed.
  ...refused([400, 501], "close", [
    ["chunked in two fields", put("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")],
    ["an empty Transfer-Encoding", put("Transfer-Encoding:\r\n")],
    ["chunked with a parameter", put("Transfer-Encoding: chunked;zqx=1\r\n")],
    ["chunked behind a vertical bar", put("Transfer-Encoding: |chunked\r\n")],
  ]),
];
