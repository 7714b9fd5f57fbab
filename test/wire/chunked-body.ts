/**
 * Chunked bodies (RFC 9112, 7.1), good and bad. The unit tests give them to the decoder alone; the end-to-end tests
 * send each as the body of a PUT, with a request behind it that must not be executed where the body is refused.
 */
import { hidden, note } from "./vector.ts";

/** A chunked body that is refused. */
export interface RefusedChunks {
  readonly name: string;
  /** What follows the head, one byte a character. */
  readonly content: string;
  readonly status: 400 | 413;
}

/** A chunked body that is accepted. */
export interface AcceptedChunks {
  readonly name: string;
  readonly content: string;
  /** The data of its chunks. */
  readonly body: string;
}

/** The body limit that the vectors of size are made for: the default one. */
export const bodyBytes = 4096;

type Row = readonly [name: string, content: string];

function refused(status: RefusedChunks["status"], rows: readonly Row[]): readonly RefusedChunks[] {
  return rows.map(([name, content]) => ({ name, content, status }));
}

/** The last chunk. */
export const end = "0\r\n\r\n";

/** @param size as it is written. */
function chunk(data: string, size = data.length.toString(16)): string {
  return `${size}\r\n${data}\r\n`;
}

/** A chunk of `note` with this text instead of its size, and the last chunk. */
function size(text: string): string {
  return chunk(note, text) + end;
}

const sizes = refused(400, [
  ["an empty chunk size", size("")],
  ["a chunk size behind a space", size(" 7")],
  ["a chunk size behind a tab", size("\t7")],
  ["a chunk size before a tab", size("7\t")],
  ["a chunk size before many spaces", size(`7${" ".repeat(40)}`)],
  ["two chunk sizes with a space between them", size("7 7")],
  ["a space within a chunk size", size("0 7")],
  ["a positive sign before a chunk size", size("+7")],
  ["a negative chunk size", size("-7")],
  ["a chunk size with two minus signs", size("--7")],
  ["a chunk size with a hexadecimal prefix", size("0x7")],
  ["a chunk size with a hexadecimal prefix in upper case", size("0X7")],
  ["a chunk size behind the letter x", size("x7")],
  ["a chunk size with an escaped prefix", size("\\x7")],
  ["a chunk size before the letter h", size("7h")],
  ["a chunk size behind a number sign", size("#7")],
  ["a chunk size behind a dollar sign", size("$7")],
  ["a chunk size behind &h", size("&h7")],
  ["a percent-encoded chunk size", size("%37")],
  ["an octal chunk size", size("0o7")],
  ["a chunk size before a point", size("7.")],
  ["a chunk size behind a point", size(".7")],
  ["a chunk size with a decimal point", size("7.0")],
  ["a list of chunk sizes", size("7,7")],
  ["a chunk size before a comma", size("7,")],
  ["a chunk size with an underscore", size("0_7")],
  ["a chunk size before an underscore", size("7_")],
  ["a chunk size in quotes", size('"7"')],
  ["a chunk size in single quotes", size("'7'")],
  ["a chunk size in parentheses", size("(7)")],
  ["a chunk size in brackets", size("[7]")],
  ["a chunk size in angle brackets", size("<7>")],
  ["a sum in place of a chunk size", size("6+1")],
  ["a shift in place of a chunk size", size("7<<0")],
  ["a chunk size before an equals sign", size("7=7")],
  ["a chunk size before a colon", size("7:")],
  ["a chunk size before an exclamation mark", size("7!")],
  ["a chunk size with the letter g", size("7g")],
  ["a chunk size of the letter g", size("g")],
  ["a chunk size with the character behind 9", size("7:7")],
  ["a chunk size with the character behind F", size("7G")],
  ["a chunk size with the character before a", size("7`")],
  ["a chunk size with the character before 0", size("7/")],
  ["a chunk size with the character before A", size("7@")],
  ["a chunk size that is not a number", size("NaN")],
  ["an infinite chunk size", size("Infinity")],
  ["a chunk size in words", size("seven")],
  ["a chunk size of Arabic-Indic digits", size("\xd9\xa7")],
  ["a chunk size of full-width digits", size("\xef\xbc\x97")],
  ["a chunk size of superscript digits", size("\xb9")],
  ["a chunk size whose high bit is set", size("\xb7")],
  ["a chunk size behind a no-break space", size("\xa07")],
  ["a chunk size before a no-break space", size("7\xa0")],
  ["a chunk size before a next-line character", size("7\x85")],
  ["a chunk size behind a byte-order mark", size("\xef\xbb\xbf7")],
  ["a chunk size behind a NUL", size("\x007")],
  ["a chunk size before a NUL", size("7\0")],
  ["a NUL within a chunk size", size("0\x007")],
  ["a chunk size before a DEL", size("7\x7f")],
  ["a chunk size before a backspace", size("70\b")],
  ["a chunk size before a vertical tab", size("7\x0b")],
  ["a chunk size behind a form feed", size("\x0c7")],
  ["a chunk size of nine digits", size("000000007")],
  ["a chunk size of seventeen digits, which 64 bits hold", size("00000000000000007")],
  ["a chunk size of a thousand digits", size(`${"0".repeat(999)}7`)],
  ["an empty line before the first chunk size", `\r\n${size("7")}`],
  ["a line of spaces before the first chunk size", `  \r\n${size("7")}`],
  ["a body in place of chunks", note],
  ["a request in place of chunks", hidden],
]);

const lastSizes = refused(400, [
  ["a last chunk of nine zeros", `${chunk(note)}000000000\r\n\r\n`],
  ["a last chunk of many zeros", `${chunk(note)}${"0".repeat(300)}\r\n\r\n`],
  ["a last chunk of minus zero", `${chunk(note)}-0\r\n\r\n`],
  ["a last chunk of plus zero", `${chunk(note)}+0\r\n\r\n`],
  ["a last chunk of hexadecimal zero", `${chunk(note)}0x0\r\n\r\n`],
  ["a last chunk behind a space", `${chunk(note)} 0\r\n\r\n`],
  ["a last chunk before a tab", `${chunk(note)}0\t\r\n\r\n`],
  ["a last chunk of the letter O", `${chunk(note)}O\r\n\r\n`],
  ["a last chunk without a size", `${chunk(note)}\r\n\r\n`],
  ["a last chunk of the data's NUL", `${chunk(note)}\0\r\n\r\n`],
  ["a last chunk of two zeros with a space between them", `${chunk(note)}0 0\r\n\r\n`],
  ["a request in place of the last chunk", chunk(note) + hidden],
]);

const data = refused(400, [
  ["a chunk with more bytes than its size", chunk(note, "3") + end],
  ["a chunk with one byte more than its size", chunk(note, "6") + end],
  ["a chunk with one byte less than its size", chunk(note, "8") + end],
  ["a chunk whose line end its size includes", chunk(note, "9") + end],
  ["a chunk size that is decimal where it must be hexadecimal", chunk("x".repeat(16), "16") + end],
  ["a chunk whose size includes the last chunk", chunk(note, "d") + end],
]);

const extensions = refused(400, [
  ["an empty chunk extension", size("7;")],
  ["a chunk extension", size("7;a")],
  ["a chunk extension with a value", size("7;a=b")],
  ["a chunk extension in quotes", size('7;a="b"')],
  ["a chunk extension behind a space", size("7 ;a=b")],
  ["a chunk extension behind a tab", size("7\t;a=b")],
  ["a chunk extension with spaces", size("7; a = b")],
  ["two chunk extensions", size("7;a=b;c=d")],
  ["two semicolons behind a chunk size", size("7;;")],
  ["a chunk extension without a name", size("7;=b")],
  ["a chunk extension before a bare LF", `7;\n${note}\r\n${end}`],
  ["a chunk extension that holds a bare LF", size("7;a\nb")],
  ["a chunk extension that holds a bare CR", size("7;a\rb")],
  ["a chunk extension that holds a NUL", size("7;a\0b")],
  ["a chunk extension in quotes over a line end", size('7;a="\r\n"')],
  ["a chunk extension whose quotes never end", size('7;a="')],
  ["a chunk extension that holds a chunk behind a bare LF", size(`7;\n${chunk(note)}0\n\n`)],
  ["a request in a chunk extension", size(`7;a="${hidden}"`)],
  ["a chunk extension of 4,000 bytes", size(`7;a=${"b".repeat(4_000)}`)],
  ["an extension of the last chunk", `${chunk(note)}0;a=b\r\n\r\n`],
  ["an empty extension of the last chunk", `${chunk(note)}0;\r\n\r\n`],
  ["an extension of the last chunk before a bare LF", `${chunk(note)}0;\n\r\n`],
  ["an extension of a last chunk of two zeros", `${chunk(note)}00;a=b\r\n\r\n`],
  ["a comma in place of a chunk extension's semicolon", size("7,a=b")],
]);

const trailers = refused(400, [
  ["a trailer field", `${chunk(note)}0\r\nX-Name: a\r\n\r\n`],
  ["a trailer field without a value", `${chunk(note)}0\r\nX-Name:\r\n\r\n`],
  ["a trailer field without a name", `${chunk(note)}0\r\n: a\r\n\r\n`],
  ["a trailer field without a colon", `${chunk(note)}0\r\nX-Name\r\n\r\n`],
  ["a length as a trailer field", `${chunk(note)}0\r\nContent-Length: ${hidden.length}\r\n\r\n`],
  ["a coding as a trailer field", `${chunk(note)}0\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ["a host as a trailer field", `${chunk(note)}0\r\nHost: localhost\r\n\r\n`],
  ["a connection option as a trailer field", `${chunk(note)}0\r\nConnection: close\r\n\r\n`],
  ["a token as a trailer field", `${chunk(note)}0\r\nAuthorization: Bearer a\r\n\r\n`],
  ["a media type as a trailer field", `${chunk(note)}0\r\nContent-Type: application/json\r\n\r\n`],
  ["a trailer field behind a last chunk of eight zeros", `${chunk(note)}00000000\r\nX-Name: a\r\n\r\n`],
  ["two trailer fields", `${chunk(note)}0\r\nX-Name: a\r\nX-Other: b\r\n\r\n`],
  ["a folded trailer field", `${chunk(note)}0\r\nX-Name: a\r\n b\r\n\r\n`],
  ["a trailer field behind a space", `${chunk(note)}0\r\n X-Name: a\r\n\r\n`],
  ["a trailer field before a bare LF", `${chunk(note)}0\r\nX-Name: a\n\n`],
  ["a request as the trailer section", `${chunk(note)}0\r\n${hidden}`],
  ["a request line as a trailer field", `${chunk(note)}0\r\nPUT /canary HTTP/1.1\r\n\r\n`],
  ["a second last chunk in place of trailer fields", `${chunk(note)}0\r\n0\r\n\r\n`],
  ["a chunk in place of trailer fields", `${chunk(note)}0\r\n${chunk(note)}${end}`],
  ["a space in place of trailer fields", `${chunk(note)}0\r\n \r\n\r\n`],
  ["a NUL in place of trailer fields", `${chunk(note)}0\r\n\0\r\n\r\n`],
]);

/** What is written in place of CR LF. */
const lineEnds: readonly Row[] = [
  ["a bare LF", "\n"],
  ["a bare CR", "\r"],
  ["two LFs", "\n\n"],
  ["two CRs", "\r\r"],
  ["CR CR LF", "\r\r\n"],
  ["LF CR", "\n\r"],
  ["CR, a space and LF", "\r \n"],
  ["CR, a NUL and LF", "\r\0\n"],
  ["a space and CR LF", " \r\n"],
  ["a NUL", "\0"],
  ["a vertical tab", "\x0b"],
  ["a next-line character", "\x85"],
  ["the line separator of Unicode", "\xe2\x80\xa8"],
  ["an escaped CR LF", "\\r\\n"],
];

const places: readonly { readonly place: string; readonly body: (lineEnd: string) => string }[] = [
  { place: "a chunk size", body: (lineEnd) => `7${lineEnd}${note}\r\n${end}` },
  { place: "a chunk", body: (lineEnd) => `7\r\n${note}${lineEnd}${end}` },
  { place: "the last chunk's size", body: (lineEnd) => `${chunk(note)}0${lineEnd}\r\n` },
  { place: "the last chunk", body: (lineEnd) => `${chunk(note)}0\r\n${lineEnd}` },
];

const wrongLineEnds = refused(400, [
  ...places.flatMap(({ place, body }) =>
    lineEnds.map(([name, bytes]): Row => [`${name} in place of the line end behind ${place}`, body(bytes)]),
  ),
  ["no line end behind a chunk size", `7${note}\r\n${end}`],
  ["no line end behind a chunk", `7\r\n${note}${end}`],
  ["no line end behind the last chunk", `${chunk(note)}0\r\n`],
  ["two line ends behind a chunk size", `7\r\n\r\n${note}\r\n${end}`],
  ["two line ends behind a chunk", `7\r\n${note}\r\n\r\n${end}`],
  ["every line end a bare LF", `7\n${note}\n0\n\n`],
  ["every line end a bare CR", `7\r${note}\r0\r\r`],
]);

const overLimit = refused(413, [
  ["a chunk size one over the limit, and nothing behind it", "1001\r\n"],
  ["chunks over the limit together", `800\r\n${" ".repeat(0x800)}\r\n801\r\n`],
  ["one chunk of one byte over the limit", chunk("x".repeat(bodyBytes + 1)) + end],
  ["a chunk size over the limit and no data", (bodyBytes + 1).toString(16)],
  ["a chunk size over the limit with leading zeros", "00001001\r\n"],
  ["two chunks of one byte over the limit together", chunk("x".repeat(bodyBytes)) + chunk("x") + end],
  ["many chunks of one byte over the limit together", `${chunk("x".repeat(241)).repeat(17)}${end}`],
  ["a chunk size of 2 to the power of 31", size("80000000")],
  ["a chunk size of 2 to the power of 31 and 7", size("80000007")],
  ["a chunk size of 2 to the power of 32 less 1", size("FFFFFFFF")],
  ["a chunk size of 2 to the power of 32 less 7, a negative number to 32 bits", size("fffffff9")],
  ["a chunk size of 2 to the power of 32 and 7, which is 7 to 32 bits", size("100000007")],
  ["a chunk size of 2 to the power of 64 and 7, which is 7 to 64 bits", size("10000000000000007")],
  ["a chunk size of 2 to the power of 64 less 7, a negative number to 64 bits", size("fffffffffffffff9")],
  ["a chunk size of a hundred digits", size("f".repeat(100))],
  ["a chunk size over the limit behind a chunk", chunk(note) + size("ffff")],
  ["framing over its limit, in chunks of one byte", `${"00000001\r\nx\r\n".repeat(500)}${end}`],
  ["framing of one byte over its limit", `${chunk("x").repeat(1_022)}${chunk("x", "01")}${end}`],
  ["framing over its limit, in the shortest chunks", `${chunk("x").repeat(1_100)}${end}`],
]);

/** Chunked bodies that are refused, with the status of their refusal. */
export const refusedChunks: readonly RefusedChunks[] = [
  ...sizes,
  ...lastSizes,
  ...data,
  ...extensions,
  ...trailers,
  ...wrongLineEnds,
  ...overLimit,
];

/** Chunked bodies that are accepted. */
export const acceptedChunks: readonly AcceptedChunks[] = (
  [
    ["one chunk", chunk(note) + end, note],
    ["a chunk for each byte", [...note].map((byte) => chunk(byte)).join("") + end, note],
    ["a chunk size with seven leading zeros", size("00000007"), note],
    ["a chunk size with one leading zero", size("07"), note],
    ["a chunk size in upper case", chunk(`{"text":""}`, "B") + end, '{"text":""}'],
    ["a chunk size in lower case", chunk(`{"text":""}`, "b") + end, '{"text":""}'],
    ["a chunk whose data is a request", chunk(hidden) + end, hidden],
    ["a chunk whose data is a last chunk", chunk(end) + end, end],
    ["a chunk whose data is line ends", chunk("\r\n\r\n\r\n") + end, "\r\n\r\n\r\n"],
    ["a chunk whose data is any byte", chunk("\0\x7f\x80\xff\n\r") + end, "\0\x7f\x80\xff\n\r"],
    ["a chunk of just the limit", chunk("x".repeat(bodyBytes)) + end, "x".repeat(bodyBytes)],
    ["many chunks of just the limit together", `${chunk("x".repeat(256)).repeat(16)}${end}`, "x".repeat(bodyBytes)],
    ["framing of just its limit", `${chunk("x").repeat(1_023)}${end}`, "x".repeat(1_023)],
    ["the last chunk alone", end, ""],
    ["a last chunk of two zeros", `${chunk(note)}00\r\n\r\n`, note],
    ["a last chunk of seven zeros", `${chunk(note)}0000000\r\n\r\n`, note],
    ["a last chunk of eight zeros", `${chunk(note)}00000000\r\n\r\n`, note],
    ["a last chunk of eight zeros alone", "00000000\r\n\r\n", ""],
  ] as const
).map(([name, content, body]) => ({ name, content, body }));
