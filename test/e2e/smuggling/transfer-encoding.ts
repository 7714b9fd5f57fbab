/** Transfer codings beside lengths, disguised ones, and tricks within chunks (RFC 9112, 6.1 and 7). */
import { bare, closed, hidden, host, kept, note, putNote } from "./vector.ts";

const chunked = "Transfer-Encoding: chunked\r\n";
const chunks = `7\r\n${note}\r\n0\r\n\r\n`;
const short = `Content-Length: ${note.length}\r\n`;

/** A PUT with this transfer coding alone. */
function coding(value: string): string {
  return putNote(`Transfer-Encoding: ${value}\r\n`, chunks);
}

/** A chunked PUT with these chunks. */
function body(content: string): string {
  return putNote(chunked, content);
}

/** A length that ends where the front of the way sees the end, and chunks that end elsewhere. */
const conflicts = closed(400, [
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
  ...closed(411, [
    ["chunked behind a tab, which is white space", coding("\tchunked")],
    ["chunked before tabs and spaces", coding("chunked \t ")],
  ]),
  ...closed(505, [
    [
      "a coding in a request of HTTP/1.0",
      `PUT /note HTTP/1.0\r\n${host}Content-Type: application/json\r\n${chunked}\r\n${chunks}`,
    ],
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

/** What could be read in two ways within chunks. None of it is read at all: the head alone is refused. */
const withinChunks = closed(411, [
  ["a chunk extension", body(`7;a=b\r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk extension that ends with a bare LF", body(`7;\n${note}\r\n0\r\n\r\n`)],
  ["a chunk extension in quotes over a line end", body(`7;a="\r\n"\r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk size with a bare LF", body(`7\n${note}\n0\n\n`)],
  ["a chunk size that overflows 64 bits", body(`10000000000000007\r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk size with leading zeros", body(`0000000000000000000007\r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk size with a hexadecimal prefix", body(`0x7\r\n${note}\r\n0\r\n\r\n`)],
  ["a negative chunk size", body(`-7\r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk size before a space", body(`7 \r\n${note}\r\n0\r\n\r\n`)],
  ["a chunk with more bytes than its size", body(`3\r\n${note}\r\n0\r\n\r\n`)],
  ["a last chunk without the line end behind it", body(`7\r\n${note}\r\n0\r\n`)],
  ["a last chunk of many zeros", body(`7\r\n${note}\r\n00000\r\n\r\n`)],
  ["a trailer section with a length and a coding", body(`7\r\n${note}\r\n0\r\nContent-Length: 40\r\n${chunked}\r\n`)],
  ["a hidden request in a chunk", body(`${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`)],
  ["chunks on DELETE", bare("DELETE", chunked, `0\r\n\r\n${hidden}`)],
  ["chunks on HEAD", bare("HEAD", chunked, `0\r\n\r\n${hidden}`)],
  ["chunks of an unknown method", bare("ZQX", chunked, `0\r\n\r\n${hidden}`)],
  ["chunks behind an expectation", putNote(`Expect: 100-continue\r\n${chunked}`, chunks)],
]);

/** Vectors of the transfer coding. */
export const transferEncodings = [...conflicts, ...disguises, ...withinChunks];
