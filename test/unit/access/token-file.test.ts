import fc from "fast-check";
import { expect, test } from "vitest";
import { readTokenText, TokenFileError, tokensOf } from "../../../ts/core/access/token-file.ts";

const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const other = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

test("a line for each token is read, whatever parts its columns, and notes are skipped", () => {
  const text = `# the hall\r\n\r\n  panel GET,PUT led,relay.*\t${hash}  \r\n\tbackup  GET * ${other}\n#panel2\n   \n`;
  expect(tokensOf("tokens", text)).toEqual([
    { name: "panel", verbs: ["GET", "PUT"], nouns: ["led", "relay.*"], sha256: hash },
    { name: "backup", verbs: ["GET"], nouns: ["*"], sha256: other },
  ]);
});

test("a byte order mark in front of the first line is no part of its name", () => {
  const text = readTokenText({ readTextFile: () => `\uFEFFpanel GET * ${hash}\n` }, "tokens");
  expect(tokensOf("tokens", text)).toMatchObject([{ name: "panel" }]);
});

test("a star stands for every verb, and a name may have several lines", () => {
  expect(tokensOf("tokens", `panel GET * ${hash}\npanel * led ${hash.toUpperCase()}`)).toEqual([
    { name: "panel", verbs: ["GET"], nouns: ["*"], sha256: hash },
    { name: "panel", verbs: ["GET", "PUT", "POST", "DELETE"], nouns: ["led"], sha256: hash.toUpperCase() },
  ]);
});

test.each([
  ["", "it has no token; nound --new-token NAME makes one, and its line"],
  ["# nothing\n", "it has no token; nound --new-token NAME makes one, and its line"],
  ["\npanel", "line 2: expected a name, verbs, nouns and a hash, separated by spaces, found 1 column"],
  [`panel * ${hash}`, "line 1: expected a name, verbs, nouns and a hash, separated by spaces, found 3 columns"],
  [
    `panel GET, PUT * ${hash}`,
    "line 1: expected a name, verbs, nouns and a hash, separated by spaces, found 5 columns",
  ],
  [
    `pänel * * ${hash}`,
    'line 1: A token\'s name has 1 to 64 characters of a-z A-Z 0-9 . _ ~ -; "pänel" is not such a name.',
  ],
  [`panel get * ${hash}`, "line 1: The token panel has a verb other than GET, PUT, POST and DELETE."],
  [`panel GET,*,PUT * ${hash}`, "line 1: The token panel has a verb other than GET, PUT, POST and DELETE."],
  [`panel * led, ${hash}`, "line 1: The token panel has a noun that is neither a name nor one with * at its end."],
  [`panel * * ${hash.slice(1)}`, "line 1: The sha256 of the token panel must be 64 hexadecimal digits."],
  [
    `panel * * ${hash}\npanel * * ${other}`,
    "line 2: The token panel occurs twice with different hashes; give each token its own name.",
  ],
  [
    `panel * * ${hash}\nbackup * * ${hash}`,
    "line 2: The tokens panel and backup have the same hash; each token has one name.",
  ],
])("%j is refused", (text, message) => {
  expect(() => tokensOf("tokens", text)).toThrow(new TokenFileError(`tokens: ${message}`));
});

test("any text is read or refused with the one error", () => {
  const words = fc.constantFrom(
    "panel",
    "*",
    "GET",
    "GET,PUT",
    "led",
    hash,
    "#",
    "\n",
    " ",
    "\t",
    "\r",
    "x".repeat(70),
  );
  fc.assert(
    fc.property(
      fc.array(words).map((parts) => parts.join(" ")),
      (text) => {
        try {
          tokensOf("tokens", text);
        } catch (error) {
          expect(error).toBeInstanceOf(TokenFileError);
        }
      },
    ),
  );
});
