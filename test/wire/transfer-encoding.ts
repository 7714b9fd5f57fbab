/** Transfer codings beside lengths, disguised ones, and where chunks are not expected (RFC 9112, 6.1 and 7). */
import { accepted, bare, closed, hidden, host, kept, led, note, putLed, putNote } from "./vector.ts";

const chunked = "Transfer-Encoding: chunked\r\n";
const chunks = `7\r\n${note}\r\n0\r\n\r\n`;
const chunkedHidden = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const short = `Content-Length: ${note.length}\r\n`;

/** A PUT with this transfer coding alone. */
function coding(value: string): string {
  return putNote(`Transfer-Encoding: ${value}\r\n`, chunks);
}

/** A length that ends where the front of the way sees the end, and chunks that end elsewhere. */
const conflicts = closed(400, [
  ["a Content-Length beside Transfer-Encoding", putLed("Content-Length: 9\r\nTransfer-Encoding: chunked\r\n")],
  ["a Transfer-Encoding beside Content-Length", putLed("Transfer-Encoding: chunked\r\nContent-Length: 9\r\n")],
  ["a Content-Length beside an unknown Transfer-Encoding", putLed("Transfer-Encoding: zqx\r\nContent-Length: 9\r\n")],
  [
    "a length around a hidden request behind the last chunk",
    putNote(`Content-Length: ${5 + hidden.length}\r\n${chunked}`, `0\r\n\r\n${hidden}`),
  ],
  ["a length that ends within the chunks", putNote(`${chunked}Content-Length: 4\r\n`, `29\r\n${hidden}\r\n0\r\n\r\n`)],
  ["a length of nothing beside chunks", putNote(`Content-Length: 0\r\n${chunked}`, chunks)],
  ["a length beside the identity coding", putNote(`${short}Transfer-Encoding: identity\r\n`)],
  ["a length beside a coding that resembles chunked", putNote(`${short}Transfer-Encoding: xchunked\r\n`)],
  ["a length beside an empty coding", putNote(`${short}Transfer-Encoding:\r\n`)],
  ["a length beside two codings on two lines", putNote(`${chunked}${short}Transfer-Encoding: cow\r\n`)],
  ["a length of all chunks beside them", putNote(`Content-Length: ${chunks.length}\r\n${chunked}`, chunks)],
  ["a length of the data beside its chunks", putNote(`${short}${chunked}`, chunks)],
  ["a length behind chunks that hold a hidden request", putNote(`${chunked}${short}`, chunkedHidden)],
  ["a length with another field between it and chunks", putNote(`${short}X-Name: a\r\n${chunked}`, chunks)],
  ["two lengths beside chunks", putNote(`${short}${short}${chunked}`, chunks)],
  ["a bad length beside chunks", putNote(`Content-Length: x\r\n${chunked}`, chunks)],
  ["an empty length beside chunks", putNote(`Content-Length:\r\n${chunked}`, chunks)],
  [
    "a length in upper case beside chunks in lower case",
    putNote(`CONTENT-LENGTH: 7\r\ntransfer-encoding: chunked\r\n`, chunks),
  ],
  ["a length and chunks behind an expectation", putNote(`Expect: 100-continue\r\n${short}${chunked}`, chunks)],
  ["a length beside chunked twice", putNote(`${short}${chunked}${chunked}`, chunks)],
  ["a length of nothing and chunks on DELETE", bare("DELETE", `Content-Length: 0\r\n${chunked}`, `0\r\n\r\n${hidden}`)],
  ["a length and chunks of an unknown method", bare("ZQX", `Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${hidden}`)],
  ["a length and chunks on GET", bare("GET", `Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${hidden}`)],
  ["a length beside a coding on OPTIONS", bare("OPTIONS", `${short}${chunked}`, note)],
]);

/** A coding that one party sees and another does not. */
const disguises = [
  ...closed(400, [
    ["a space before the colon of a coding", putNote(`Transfer-Encoding : chunked\r\n${short}`)],
    ["a tab before the colon of a coding", putNote(`Transfer-Encoding\t: chunked\r\n${short}`)],
    ["a line end before the colon of a coding", putNote(`Transfer-Encoding\r\n : chunked\r\n${short}`)],
    ["a space before the name of a coding", putNote(`${short} Transfer-Encoding: chunked\r\n`)],
    ["a coding behind a bare LF", putNote(`X-Name: a\nTransfer-Encoding: chunked\r\n${short}`)],
    ["a coding behind a bare CR", putNote(`X-Name: a\rTransfer-Encoding: chunked\r\n${short}`)],
    ["a coding behind a NUL", putNote(`X-Name: a\0Transfer-Encoding: chunked\r\n${short}`)],
    ["a coding on a folded line", coding("\r\n chunked")],
    ["a coding behind a vertical tab", coding("\x0bchunked")],
    ["a coding behind a form feed", coding("\x0cchunked")],
    ["a coding before a NUL", coding("chunked\0")],
    ["a coding before a DEL", coding("chunked\x7f")],
    ["a coding before a bare CR", coding("chunked\r")],
    ["a byte above 0x7f in the name of a coding", putNote(`Transfer\xadEncoding: chunked\r\n${short}`)],
    ["a NUL in the name of a coding", putNote(`Transfer\0Encoding: chunked\r\n${short}`)],
  ]),
  ...closed(501, [
    ["chunked twice in one field, before a body without chunks", putLed("Transfer-Encoding: chunked, chunked\r\n")],
    ["chunked with a parameter, before a body without chunks", putLed("Transfer-Encoding: chunked;zqx=1\r\n")],
    ["Transfer-Encoding: gzip", putLed("Transfer-Encoding: gzip\r\n")],
    ["Transfer-Encoding: gzip, chunked", putLed("Transfer-Encoding: gzip, chunked\r\n")],
    ["Transfer-Encoding: chunked, gzip", putLed("Transfer-Encoding: chunked, gzip\r\n")],
    ["Transfer-Encoding: identity", putLed("Transfer-Encoding: identity\r\n")],
    ["a Transfer-Encoding that resembles chunked", putLed("Transfer-Encoding: xchunked\r\n")],
    ["an unknown Transfer-Encoding", putLed("Transfer-Encoding: zqx\r\n")],
    ["chunked in two fields", putLed("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")],
    ["an empty Transfer-Encoding", putLed("Transfer-Encoding:\r\n")],
    ["chunked behind a vertical bar", putLed("Transfer-Encoding: |chunked\r\n")],
    ["chunked before tabs and spaces, which not every recipient takes for white space", coding("chunked \t ")],
    ["a coding in quotes", coding('"chunked"')],
    ["a coding in single quotes", coding("'chunked'")],
    ["a coding with an empty parameter", coding("chunked;")],
    ["a list of codings that ends with a comma", coding("chunked,")],
    ["a list of codings that begins with a comma", coding(",chunked")],
    ["the identity coding behind chunked", coding("chunked, identity")],
    ["the identity coding before chunked", coding("identity, chunked")],
    ["a coding with a letter behind it", coding("chunkedx")],
    ["a coding with a letter left out", coding("chunke")],
    ["a coding with a space within", coding("chun ked")],
    ["a coding before a no-break space", coding("chunked\xa0")],
    ["a coding with the Kelvin sign for its k", coding("chun\xe2\x84\xaaed")],
    ["a coding with an accented letter", coding("\xe7hunked")],
    ["chunked before another coding on a second line", putNote(`${chunked}Transfer-Encoding: cow\r\n`, chunks)],
    ["another coding before chunked on a second line", putNote(`Transfer-Encoding: cow\r\n${chunked}`, chunks)],
    ["two codings whose names differ in case", putNote(`${chunked}transfer-encoding: chunked\r\n`, chunks)],
  ]),
  ...closed(501, [
    ["chunked twice in one field", coding("chunked, chunked")],
    ["chunked twice without a space", coding("chunked,chunked")],
    ["chunked twice on two lines", putNote(`${chunked}${chunked}`, chunks)],
    ["chunked twice with another field between", putNote(`${chunked}X-Name: a\r\n${chunked}`, chunks)],
    ["chunked twice, with chunks in chunks", putNote(`${chunked}${chunked}`, `11\r\n${chunks}\r\n0\r\n\r\n`)],
    ["chunked three times", coding("chunked, chunked, chunked")],
    ["chunked behind gzip", coding("gzip, chunked")],
    ["chunked before gzip", coding("chunked, gzip")],
    ["chunked with a parameter", coding("chunked;a=b")],
    ["chunked with a weight", coding("chunked;q=1.0")],
    ["chunked before an empty field of the same name", putNote(`${chunked}Transfer-Encoding:\r\n`, chunks)],
    ["two codings without a comma", coding("chunked chunked")],
    ["a coding that is no token", coding("chunked/1.1")],
  ]),
  ...kept(200, [
    ["chunked before and behind spaces", coding("  chunked  ")],
    ["chunked behind a tab", putNote(`Transfer-Encoding:\tchunked\r\n`, chunks)],
    ["chunked behind tabs and spaces", coding(" \t\t chunked")],
    ["chunked in mixed case", coding("ChUnKeD")],
    ["chunks behind an expectation", putNote(`Expect: 100-continue\r\n${chunked}`, chunks)],
    [
      "chunks before trailers that are announced and never come",
      putNote(`Trailer: Content-Length\r\n${chunked}`, chunks),
    ],
    ["a connection option that names the coding", putNote(`Connection: Transfer-Encoding\r\n${chunked}`, chunks)],
  ]),
  ...closed(400, [
    [
      "a coding in a request of HTTP/1.0",
      `PUT /note HTTP/1.0\r\n${host}Content-Type: application/json\r\n${chunked}\r\n${chunks}`,
    ],
    ["a coding and a length in a request of HTTP/1.0", `PUT /note HTTP/1.0\r\n${host}${short}${chunked}\r\n${chunks}`],
    ["a coding on GET of HTTP/1.0", `GET /still HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n${hidden}`],
    [
      "a coding in a request of HTTP/1.0 that is to be kept",
      `PUT /note HTTP/1.0\r\n${host}Connection: keep-alive\r\n${chunked}\r\n${chunks}`,
    ],
    ["a hidden request in chunks of HTTP/1.0", `PUT /note HTTP/1.0\r\n${host}${chunked}\r\n${chunkedHidden}`],
  ]),
  ...kept(200, [
    ["an underscore in place of a coding's hyphen", putNote(`Transfer_Encoding: chunked\r\n${short}`)],
    ["a name one letter short of a coding's", putNote(`Transfer-Encodin: chunked\r\n${short}`)],
    ["a prefix before the name of a coding", putNote(`X-Transfer-Encoding: chunked\r\n${short}`)],
    ["the coding of a mail", putNote(`Content-Transfer-Encoding: chunked\r\n${short}`)],
    ["a wish for chunked answers", putNote(`TE: chunked, trailers\r\n${short}`)],
    ["trailers that are announced and never come", putNote(`Trailer: Content-Length, Host\r\n${short}`)],
  ]),
];

/** Chunks where no body belongs, and behind a head that is refused for another reason. */
const misplaced = [
  ...closed(400, [
    ["a chunked GET", `GET /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunked HEAD", `HEAD /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a chunked OPTIONS", `OPTIONS /led HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["chunks on GET", bare("GET", chunked, `0\r\n\r\n${hidden}`)],
    ["chunks on HEAD", bare("HEAD", chunked, `0\r\n\r\n${hidden}`)],
    ["chunks on OPTIONS", bare("OPTIONS", chunked, `0\r\n\r\n${hidden}`)],
    ["a hidden request in a chunk on GET", bare("GET", chunked, chunkedHidden)],
    ["chunks on OPTIONS of the whole server", `OPTIONS * HTTP/1.1\r\n${host}${chunked}\r\n0\r\n\r\n`],
    ["chunks on GET of all nouns", `GET / HTTP/1.1\r\n${host}${chunked}\r\n${chunkedHidden}`],
    ["chunks behind an expectation on GET", bare("GET", `Expect: 100-continue\r\n${chunked}`, `0\r\n\r\n${hidden}`)],
  ]),
  ...closed(405, [
    ["chunks on PATCH", bare("PATCH", chunked, chunkedHidden)],
    ["chunks on TRACE", bare("TRACE", chunked, chunkedHidden)],
  ]),
  ...closed(417, [
    ["chunks behind an expectation that nobody meets", putNote(`Expect: 200-ok\r\n${chunked}`, chunkedHidden)],
  ]),
  ...closed(501, [["chunks of an unknown method", bare("ZQX", chunked, chunkedHidden)]]),
];

/** Vectors of the transfer coding. */
export const transferEncodings = [
  ...accepted([
    ["a chunked body", putLed("Transfer-Encoding: chunked\r\n", `9\r\n${led}\r\n0\r\n\r\n`), { led: 1 }],
    [
      "a chunked body, its coding in odd case",
      putLed("transfer-encoding: CHUNKed\r\n", '9\r\n{"led":0}\r\n0\r\n\r\n'),
      { led: 0 },
    ],
    [
      "a body in many chunks",
      putLed("Transfer-Encoding: chunked\r\n", `${[...led].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`),
      { led: 1 },
    ],
  ]),
  ...conflicts,
  ...disguises,
  ...misplaced,
];
