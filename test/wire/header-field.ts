/** Header fields: the grammar of their lines (RFC 9112, 5). */

import { stillState } from "./nouns.ts";
import { accepted, closed, host } from "./vector.ts";

const start = "GET /still HTTP/1.1\r\n";

/** Vectors of the field line. */
export const headerFields = [
  ...accepted([
    ["opaque bytes in a field value", `${start}${host}X-Name: \x80caf\xe9\xff\r\n\r\n`, stillState],
    // Bytes are taken several at a time on their way in.
    ...Array.from({ length: 9 }, (_, before): [string, string, typeof stillState] => [
      `an opaque byte behind ${before} others in a field value`,
      `${start}${host}X-Name: ${"a".repeat(before)}\xe9\r\n\r\n`,
      stillState,
    ]),
    ["tabs in a field value", `${start}${host}X-Name: a\tb\tc\r\n\r\n`, stillState],
    ["spaces and tabs around a field value", `${start}${host}X-Name: \t  a b \t \r\n\r\n`, stillState],
    ["an empty field value", `${start}${host}X-Name:\r\n\r\n`, stillState],
    ["a field value right behind the colon", `${start}Host:localhost\r\n\r\n`, stillState],
    ["field names in upper case", `${start}HOST: localhost\r\nACCEPT: */*\r\n\r\n`, stillState],
    ["field names in lower case", `${start}host: localhost\r\naccept: */*\r\n\r\n`, stillState],
    ["every token character in a field name", `${start}${host}!#$%&'*+-.^_\`|~09azAZ: a\r\n\r\n`, stillState],
    ["colons in a field value", `${start}${host}X-Name: a:b:c\r\n\r\n`, stillState],
    ["a field that comes twice", `${start}${host}X-Name: a\r\nX-Name: b\r\n\r\n`, stillState],
    [
      "wishes for another representation",
      `${start}${host}Accept: text/html\r\nAccept-Encoding: gzip, identity;q=0\r\nAccept-Language: tlh\r\n\r\n`,
      stillState,
    ],
    [
      "the fields of a browser",
      `${start}${host}Accept: */*\r\nUser-Agent: a/1 (b; c)\r\nCookie: a=b; c=d\r\n\r\n`,
      stillState,
    ],
  ]),
  ...closed(400, [
    ["a bare LF as the end of a field line", `${start}Host: localhost\nX-Name: a\r\n\r\n`],
    ["a bare LF as the end of the header section", `${start}Host: localhost\r\n\n\r\n\r\n`],
    ["a bare CR inside a field value", `${start}${host}X-Name: a\rb\r\n\r\n`],
    ["a bare CR as the end of a field line", `${start}${host}X-Name: a\rX-Other: b\r\n\r\n`],
    ["a bare CR where a field begins", `${start}${host}\rX: a\r\n\r\n`],
    ["two CRs before the LF of a field line", `${start}${host}X-Name: a\r\r\n\r\n`],
    ["a NUL in a field value", `${start}${host}X-Name: a\0b\r\n\r\n`],
    ["a control byte in a field value", `${start}${host}X-Name: a\x01b\r\n\r\n`],
    ["an escape byte in a field value", `${start}${host}X-Name: \x1b[31mzqx\r\n\r\n`],
    ["a DEL in a field value", `${start}${host}X-Name: a\x7fb\r\n\r\n`],
    ["a vertical tab in a field value", `${start}${host}X-Name: a\x0bb\r\n\r\n`],
    ["a NUL in a field name", `${start}${host}X\0Name: a\r\n\r\n`],
    ["a folded field line, with a space", `${start}${host}X-Name: a\r\n b\r\n\r\n`],
    ["a folded field line, with a tab", `${start}${host}X-Name: a\r\n\tb\r\n\r\n`],
    ["a space before the first field line", `${start} Host: localhost\r\n\r\n`],
    ["a space before the colon", `${start}${host}X-Name : a\r\n\r\n`],
    ["a tab before the colon", `${start}${host}X-Name\t: a\r\n\r\n`],
    ["a space before the colon of Host", `${start}Host : localhost\r\n\r\n`],
    ["a space before the colon of Content-Length", `${start}${host}Content-Length : 0\r\n\r\n`],
    ["an empty field name", `${start}${host}: zqx\r\n\r\n`],
    ["a field line without a colon", `${start}${host}zqx\r\n\r\n`],
    ["a space inside a field name", `${start}${host}X Name: zqx\r\n\r\n`],
    ["a field name with parentheses", `${start}${host}X(zqx): a\r\n\r\n`],
    ["a field name in quotes", `${start}${host}"zqx": a\r\n\r\n`],
    ["a byte above 0x7f in a field name", `${start}${host}X-N\xe4me: a\r\n\r\n`],
    ["a slash in a field name", `${start}${host}a/zqx: a\r\n\r\n`],
    ["a line of spaces", `${start}${host}  \r\n\r\n`],
  ]),
];
