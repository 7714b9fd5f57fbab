/**
 * DELETE in chunks: as OpenWrt's uclient-fetch sends it, with nothing but the last one, it is a DELETE without a body.
 * With data in them it is refused, as every DELETE with a body.
 */
import { end } from "./chunked-body.ts";
import { nouns } from "./nouns.ts";
import { accepted, bare, closed, hidden, host, kept, note, putNote, type Row } from "./vector.ts";

const chunked = "Transfer-Encoding: chunked\r\n";
const state = nouns.note.default;

/** A DELETE of `note` in chunks. @param fields further whole field lines. */
function deleteNote(content: string, fields = ""): string {
  return `DELETE /note HTTP/1.1\r\n${host}${fields}${chunked}\r\n${content}`;
}

/** The bytes of `uclient-fetch --method=DELETE http://127.0.0.1:8080/note`, of 2025. */
const ofUclient =
  "DELETE /note HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: uclient-fetch\r\nTransfer-Encoding: " +
  "chunked\r\n\r\n0\r\n\r\n";

const refused: readonly Row[] = [
  ["a chunk", `7\r\n${note}\r\n${end}`],
  ["a chunk of one byte", `1\r\n \r\n${end}`],
  ["a chunk of one byte, its size of eight digits", `00000001\r\n \r\n${end}`],
  ["a hidden request in a chunk", `${hidden.length.toString(16)}\r\n${hidden}\r\n${end}`],
  ["a size and nothing behind it", "7"],
  ["a size that no number of 32 bits holds", "ffffffffff"],
  ["an extension of the last chunk", "0;a=b\r\n\r\n"],
  ["a trailer field", "0\r\nX-Name: a\r\n\r\n"],
  ["a request as the trailer section", `0\r\n${hidden}`],
  ["a last chunk of nine zeros", "000000000\r\n\r\n"],
  ["a last chunk before bare LFs", "0\n\n"],
  ["a last chunk behind a space", " 0\r\n\r\n"],
  ["a body without chunks", note],
  ["a request in place of chunks", hidden],
];

/** Vectors of DELETE in chunks. */
export const chunkedDeletes = [
  ...accepted([
    ["the DELETE of uclient-fetch", ofUclient, state],
    ["a DELETE with a last chunk of two zeros", deleteNote("00\r\n\r\n"), state],
    ["a DELETE with a last chunk of eight zeros", deleteNote("00000000\r\n\r\n"), state],
    ["a DELETE with the last chunk behind an expectation", deleteNote(end, "Expect: 100-continue\r\n"), state],
  ]),
  ...kept(
    [200, 200],
    [
      ["two DELETEs with the last chunk", deleteNote(end) + deleteNote(end)],
      [
        "a DELETE with the last chunk behind a PUT in chunks",
        putNote(chunked, `7\r\n${note}\r\n${end}`) + deleteNote(end),
      ],
      ["a DELETE with the last chunk before a GET", deleteNote(end) + bare("GET")],
      ["an empty line between a DELETE with the last chunk and a GET", `${deleteNote(end)}\r\n${bare("GET")}`],
    ],
  ),
  ...kept(404, [
    ["a DELETE with the last chunk of an unknown noun", `DELETE /zqx HTTP/1.1\r\n${host}${chunked}\r\n${end}`],
  ]),
  ...kept(405, [["a DELETE with the last chunk of all nouns", `DELETE / HTTP/1.1\r\n${host}${chunked}\r\n${end}`]]),
  ...kept(412, [["a DELETE with the last chunk if the state has an entity tag", deleteNote(end, 'If-Match: "a"\r\n')]]),
  ...closed(
    400,
    refused.map(([name, content]): Row => [`a DELETE with ${name}`, deleteNote(content)]),
  ),
  ...closed(
    [200, 400],
    [
      ["a second last chunk behind a DELETE with one", deleteNote(end + end)],
      ["a chunk behind a DELETE with the last one", deleteNote(`${end}7\r\n${note}\r\n${end}`)],
    ],
  ),
];
