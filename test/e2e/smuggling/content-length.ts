/** Lengths that conflict, and lengths that can be read as another number or as none (RFC 9112, 6.2; RFC 9110, 8.6). */
import { bare, closed, hidden, kept, note, putNote } from "./vector.ts";

const whole = `Content-Length: ${note.length + hidden.length}\r\n`;
const short = `Content-Length: ${note.length}\r\n`;
const ofHidden = `Content-Length: ${hidden.length}\r\n`;

/** A PUT whose Content-Length has this value; the body is as long as the digit 7 says. */
function value(text: string): string {
  return putNote(`Content-Length: ${text}\r\n`);
}

/** Vectors of the length. */
export const contentLengths = [
  ...closed(400, [
    ["a short length behind one that covers a hidden request", putNote(whole + short, note + hidden)],
    ["a short length before one that covers a hidden request", putNote(short + whole, note + hidden)],
    ["two lengths whose names differ in case", putNote(`${short}content-length: 0\r\n`)],
    ["two lengths with another field between them", putNote(`${short}X-Name: a\r\n${whole}`, note + hidden)],
    ["a length of nothing that occurs twice on GET", bare("GET", "Content-Length: 0\r\nContent-Length: 0\r\n")],
    ["a list of nothing as a length on GET", bare("GET", "Content-Length: 0, 0\r\n")],
    ["a list with spaces around its comma", value("7 , 7")],
    ["a list that ends with a comma", value("7,")],
    ["a list that begins with a comma", value(",7")],
    ["a length with a semicolon", value("7;7")],
    ["a length with a parameter", value("7;q=1")],
    ["a length in quotes", value('"7"')],
    ["a length with an underscore", value("0_7")],
    ["an octal length", value("0o7")],
    ["a binary length", value("0b111")],
    ["a hexadecimal length in upper case", value("0X7")],
    ["a hexadecimal length without its prefix", value("7h")],
    ["a length that ends with a point", value("7.")],
    ["a length with a negative exponent", value("70e-1")],
    ["a length of plus zero", value("+0")],
    ["a length with two minus signs", value("--7")],
    ["an infinite length", value("Infinity")],
    ["a length of Arabic-Indic digits", value("\xd9\xa7")],
    ["a length of full-width digits", value("\xef\xbc\x97")],
    ["a length behind a no-break space", value("\xa07")],
    ["a length before a no-break space", value("7\xa0")],
    ["a length before a next-line character", value("7\x85")],
    ["a length behind a vertical tab", value("\x0b7")],
    ["a length before a form feed", value("7\x0c")],
    ["a length before a NUL", value("7\0")],
    ["a length before a DEL", value("7\x7f")],
    ["a second length behind a bare LF", value("7\nContent-Length: 40")],
    ["a second length behind a bare CR", value("7\rContent-Length: 40")],
    ["a length on a folded line", value("\r\n 7")],
    ["a length continued on a folded line", value("1\r\n\t7")],
    ["a tab before the colon of a length", putNote("Content-Length\t: 7\r\n")],
    ["a NUL before the colon of a length", putNote("Content-Length\0: 7\r\n")],
    ["a no-break space before the colon of a length", putNote("Content-Length\xa0: 7\r\n")],
    ["two colons behind the name of a length", putNote("Content-Length:: 7\r\n")],
    ["a semicolon in place of a length's colon", putNote("Content-Length; 7\r\n")],
    ["an equals sign in place of a length's colon", putNote("Content-Length=7\r\n")],
    ["a space in place of a length's hyphen", putNote("Content Length: 7\r\n")],
    ["a tab before the name of a length", putNote(`X-Name: a\r\n\tContent-Length: 7\r\n`)],
    ["a hidden request as the body of GET", bare("GET", ofHidden, hidden)],
    ["a hidden request as the body of DELETE", bare("DELETE", ofHidden, hidden)],
    ["a hidden request as the body of HEAD", bare("HEAD", ofHidden, hidden)],
    ["a hidden request as the body of OPTIONS", bare("OPTIONS", ofHidden, hidden)],
    ["a length on HEAD that no number can hold", bare("HEAD", `Content-Length: ${"9".repeat(400)}\r\n`)],
    ["a length of 2 to the power of 32 on GET", bare("GET", "Content-Length: 4294967296\r\n")],
    ["a length of 2 to the power of 64 on GET", bare("GET", "Content-Length: 18446744073709551616\r\n")],
    ["a length of four hundred digits on DELETE", bare("DELETE", `Content-Length: ${"9".repeat(400)}\r\n`)],
  ]),
  ...closed(413, [
    ["a length of 2 to the power of 32 and 7", value("4294967303")],
    ["a length of 2 to the power of 63 and 7", value("9223372036854775815")],
    ["a length of four hundred digits", value("9".repeat(400))],
  ]),
  ...closed(411, [
    ["an underscore in place of a length's hyphen", putNote("Content_Length: 7\r\n")],
    ["a hyphen behind the name of a length", putNote("Content-Length-: 7\r\n")],
    ["a prefix before the name of a length", putNote("X-Content-Length: 7\r\n")],
  ]),
  ...closed(405, [["a hidden request as the body of TRACE", bare("TRACE", ofHidden, hidden)]]),
  ...closed(501, [["a hidden request as the body of an unknown method", bare("ZQX", ofHidden, hidden)]]),
  ...kept(200, [
    ["a length with leading zeros, which are digits", value("00007")],
    ["a length with two hundred leading zeros", value("7".padStart(200, "0"))],
    ["a length with tabs and spaces around it", value("\t 7 \t")],
    ["a name that resembles a length's on GET", bare("GET", "Content_Length: 40\r\n")],
    ["a length of zeros on GET", bare("GET", "Content-Length: 000\r\n")],
  ]),
];
