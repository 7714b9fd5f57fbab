/** White space: the four characters that JSON knows, and all that it does not (RFC 8259, 2). */
import { type Entry, noJson, states } from "./entry.ts";

const known: readonly (readonly [string, string])[] = [
  ["a space", " "],
  ["a tab", "\t"],
  ["a line feed", "\n"],
  ["a carriage return", "\r"],
  ["a carriage return and a line feed", "\r\n"],
  ["a mixture", " \t\r\n \n\r\t "],
];

/** By their UTF-8 bytes. */
const unknown: readonly (readonly [string, string])[] = [
  ["a NUL", "\0"],
  ["a backspace", "\b"],
  ["a vertical tab", "\v"],
  ["a form feed", "\f"],
  ["a file separator", "\x1c"],
  ["a unit separator", "\x1f"],
  ["a DEL", "\x7f"],
  ["a next-line character", "\xc2\x85"],
  ["a no-break space", "\xc2\xa0"],
  ["a soft hyphen", "\xc2\xad"],
  ["an Ogham space", "\xe1\x9a\x80"],
  ["an em space", "\xe2\x80\x83"],
  ["a zero-width space", "\xe2\x80\x8b"],
  ["a line separator", "\xe2\x80\xa8"],
  ["a paragraph separator", "\xe2\x80\xa9"],
  ["a word joiner", "\xe2\x81\xa0"],
  ["an ideographic space", "\xe3\x80\x80"],
];

/** Texts about white space. */
export const whiteSpace: readonly Entry[] = [
  ...states([
    ...known.flatMap(([name, space]) => [
      [
        `${name} everywhere`,
        `${space}{${space}"a"${space}:${space}1${space},${space}"b"${space}:${space}""${space}}${space}`,
      ] as const,
      [`${name} in an empty object`, `${space}{${space}}${space}`] as const,
    ]),
    ["two thousand spaces", `{"a":${" ".repeat(2_000)}1}`],
    ["two thousand line feeds before the object", `${"\n".repeat(2_000)}{}`],
  ]),
  ...noJson([
    ...unknown.flatMap(([name, space]) => [
      [`${name} before the object`, `${space}{"a":1}`] as const,
      [`${name} behind the object`, `{"a":1}${space}`] as const,
      [`${name} before a value`, `{"a":${space}1}`] as const,
    ]),
    ["spaces alone", "   "],
    ["line ends alone", "\r\n\r\n"],
    ["a space within a literal", '{"a":nu ll}'],
    ["a line end within a number", '{"a":1\n2}'],
    ["an escaped space outside of strings", '{"a":\\u00201}'],
    ["an escaped line end outside of strings", '{"a":\\n1}'],
    ["a backslash and a line end", '{"a":\\\n1}'],
    ["a space before a minus's digits", '{"a":- 1}'],
  ]),
];
