/**
 * The length of a body: one that is read as it is written, lengths that conflict, and lengths that can be read as
 * another number or as none (RFC 9112, 6.2; RFC 9110, 8.6).
 */

import { stillState } from "./nouns.ts";
import { accepted, bare, closed, hidden, host, json, kept, led, note, putLed, putNote } from "./vector.ts";

const whole = `Content-Length: ${note.length + hidden.length}\r\n`;
const short = `Content-Length: ${note.length}\r\n`;
const ofHidden = `Content-Length: ${hidden.length}\r\n`;

/** A PUT whose Content-Length has this value; the body is as long as the digit 7 says. */
function value(text: string): string {
  return putNote(`Content-Length: ${text}\r\n`);
}

/** Vectors of the length. */
export const contentLengths = [
  ...accepted([
    [
      "a body of Content-Length bytes",
      `PUT /note HTTP/1.1\r\n${host}${json}Content-Length: 7\r\n\r\n{"a":1}`,
      { a: 1 },
    ],
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
    ["a DELETE with an empty body", `DELETE /still HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, stillState],
  ]),
  ...closed(400, [
    ["two Content-Lengths", putLed("Content-Length: 9\r\nContent-Length: 3\r\n")],
    ["the same Content-Length twice", putLed("Content-Length: 9\r\nContent-Length: 9\r\n")],
    ["a Content-Length that is a list", putLed("Content-Length: 9, 9\r\n")],
    ["a Content-Length that is a list without spaces", putLed("Content-Length: 9,9\r\n")],
    ["a Content-Length with a plus sign", putLed("Content-Length: +9\r\n")],
    ["a Content-Length with a minus sign", putLed("Content-Length: -9\r\n")],
    ["a Content-Length of minus zero", putLed("Content-Length: -0\r\n", "")],
    ["a Content-Length of letters", putLed("Content-Length: zqx\r\n")],
    ["a Content-Length with letters behind it", putLed("Content-Length: 9zqx\r\n")],
    ["a hexadecimal Content-Length", putLed("Content-Length: 0x9\r\n")],
    ["a Content-Length with a decimal point", putLed("Content-Length: 9.0\r\n")],
    ["a Content-Length with an exponent", putLed("Content-Length: 9e0\r\n")],
    ["a Content-Length with a space inside", putLed("Content-Length: 9 9\r\n")],
    ["an empty Content-Length", putLed("Content-Length:\r\n")],
    ["a Content-Length of opaque bytes", putLed("Content-Length: \xb2\r\n")],
    ["a bad Content-Length on GET", `GET /led HTTP/1.1\r\n${host}Content-Length: zqx\r\n\r\n`],
    ["HEAD with a body", `HEAD /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${led}`],
    ["OPTIONS with a body", `OPTIONS /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${led}`],
    ["GET with a body", `GET /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${led}`],
    ["DELETE with a body", `DELETE /led HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n${led}`],
    ["GET with a body of one byte", `GET /led HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\n{`],
    ["a bad Content-Length on an unknown noun", `PUT /zqx HTTP/1.1\r\n${host}${json}Content-Length: -9\r\n\r\n${led}`],
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
    ["PUT with no Content-Length", putLed("", "")],
    ["PUT with a body but no Content-Length", putLed("")],
    ["POST with no Content-Length", `POST /led HTTP/1.1\r\n${host}${json}\r\n`],
    ["POST with neither a length nor a media type", `POST /led HTTP/1.1\r\n${host}\r\n`],
    ["PUT with no Content-Length on an unknown noun", `PUT /zqx HTTP/1.1\r\n${host}${json}\r\n`],
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
