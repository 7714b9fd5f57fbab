import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSyntaxError, parseJson } from "../../../ts/settings/json.ts";

test.each([
  ['"a \\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e4 \\ud83d\\ude00"', 'a " \\ / \b\f\n\r\t ä 😀'],
  [" [1, -0.5, 2e3, 0]\r\n", [1, -0.5, 2000, 0]],
  ['{"a":{"b":[]},"":{}}', { a: { b: [] }, "": {} }],
  ["[true,false,null]", [true, false, null]],
])("reads %s", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("reads whatever JSON.stringify writes, indented or not", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("takes a text exactly when the engine's parser does, its stricter rules apart", () => {
  const piece = fc.constantFrom(...'{}[],:-+.eE01 \n"\\'.split(""), '"a"', "true", "null", "nul", "\\u00", "12");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(() => parseJson(text)).toThrow(JsonSyntaxError);
        return;
      }
      try {
        expect(parseJson(text)).toEqual(expected);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
        expect((error as Error).message).toMatch(/is given twice|too large/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('"__proto__" is a key like any other', () => {
  expect(Object.keys(parseJson('{"__proto__":1}') as object)).toEqual(["__proto__"]);
});

test("ignores a byte-order mark at the beginning, and does not count it", () => {
  expect(parseJson("\ufeff{}")).toEqual({});
  expect(() => parseJson("\ufeff{,")).toThrow('line 1, column 2: expected a key in double quotes, found ","');
});

test.each([
  ["{\n  ", "line 2, column 3: expected a key in double quotes, found the end of the text"],
  ['{"a" 1}', 'line 1, column 6: expected ":" after the key "a", found "1"'],
  ["{led: 1}", 'line 1, column 2: expected a key in double quotes, found "led"'],
  ["{'led': 1}", 'line 1, column 2: expected a key in double quotes, found "\'"'],
  ['{"a": yes}', 'line 1, column 7: expected a value, found "yes"'],
  ['{"a": True}', 'line 1, column 7: expected a value, found "True"'],
  [
    '{\n  "a": 1 // no\n}',
    'line 2, column 10: expected "," or "}", found "/" (JSON has no comments: use a "$comment" key)',
  ],
  ["{} {}", 'line 1, column 4: expected the end of the text, found "{"'],
  ["01", 'line 1, column 2: expected the end of the text, found "1"'],
  ["[+1]", 'line 1, column 2: expected a value, found "+"'],
  ["[.5]", 'line 1, column 2: expected a value, found "."'],
  ["1e999", "line 1, column 1: this number is too large"],
  ['["a\nb"]', "line 1, column 2: this string has no closing quote on its line"],
  ['["a', "line 1, column 2: this string has no closing quote on its line"],
  ['"\\', "line 1, column 1: this string has no closing quote on its line"],
  [
    '["C:\\data"]',
    "line 1, column 2: this string has an escape that JSON does not know; a backslash itself is written \\\\",
  ],
  ['"\\ud800"', "line 1, column 1: this string has half of a surrogate pair"],
  ['{"a":1,\n "a":2}', 'line 2, column 2: the key "a" is given twice; the first is at line 1, column 2'],
  ['{"a":1,"\\u0061":2}', 'line 1, column 8: the key "a" is given twice; the first is at line 1, column 2'],
  [
    '{"x":{"a":1},"y":{"a":1,"a":1}}',
    'line 1, column 25: the key "a" is given twice; the first is at line 1, column 19',
  ],
  ['{"a" :1,"b":": x","a":2}', 'line 1, column 19: the key "a" is given twice; the first is at line 1, column 2'],
  ['{"a":[{"b":1,"b":{"c":": "}}]}', 'line 1, column 14: the key "b" is given twice; the first is at line 1, column 8'],
  ['["ä😀", x]', 'line 1, column 8: expected a value, found "x"'],
  ["[\u0007]", 'line 1, column 2: expected a value, found "\\u0007"'],
  ["[\u0085]", 'line 1, column 2: expected a value, found "\\u0085"'],
])("refuses %j by line and column", (text, message) => {
  expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message));
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 'line 2, column 9: expected "," here, because a string follows on the next line'],
  ['{"a": {"b": 1}\n\n "c": 2}', 'line 1, column 15: expected "," here, because a string follows on the next line'],
  ['{"a": 1\n b: 2}', 'line 1, column 8: expected "," here, because "b" follows on the next line'],
  ["[1 2]", 'line 1, column 3: expected "," here, because "2" follows'],
])("a missing comma is told at the end of the value before it: %j", (text, message) => {
  expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message));
});

test.each([
  ['{"a": 1,}', 'line 1, column 8: expected no "," here, because "}" follows'],
  ['{\n  "a": 1 ,\n}', 'line 2, column 10: expected no "," here, because "}" follows'],
  ["[1,]", 'line 1, column 3: expected no "," here, because "]" follows'],
])("a comma behind the last value is told where it is: %j", (text, message) => {
  expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message));
});

test.each(["", "\ufeff", " \n\n"])("an empty file is not JSON: %j", (text) => {
  expect(() => parseJson(text)).toThrow("this is not JSON: the file is empty");
});

test.each([
  ["nouns:\n  led:\n    kind: switch\n", 'line 1, column 1: this is not JSON, which begins with "{", found "nouns"'],
  ["---\nnouns: {}\n", 'line 1, column 1: this is not JSON, which begins with "{", found "-"'],
  ['"nouns": {}', 'line 1, column 8: this is not JSON, which begins with "{", found ":"'],
])("YAML is not JSON: %j", (text, message) => {
  expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message));
});

test("a backslash at the end of a line does not carry a string on", () => {
  expect(() => parseJson('"a\\\nb"')).toThrow(JsonSyntaxError);
});

test("refuses nesting that no configuration needs instead of running out of stack", () => {
  expect(() => parseJson("[".repeat(100_000))).toThrow("nested more than 32 deep");
  expect(parseJson(`${"[".repeat(33)}${"]".repeat(33)}`)).toBeDefined();
});
