/** The body of PUT and POST: one flat JSON object (RFC 8259, RFC 7493), and what a noun refuses of it. */

import type { State } from "../../../ts/noun/state.ts";
import { requestWithBody, utf8 } from "../harness/request.ts";
import { accepted, refused } from "./sample.ts";

function put(body: string, noun = "/note"): string {
  return requestWithBody("PUT", noun, body);
}

function same(name: string, state: State): readonly [string, string, State] {
  return [name, put(utf8(JSON.stringify(state))), state];
}

function pairs(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",")}}`;
}

/** Bodies that are states. */
export const acceptedStateBodies = accepted([
  same("an empty object", {}),
  same("every kind of value", { s: "text", n: -1.25, i: 42, t: true, f: false, z: null }),
  same("numbers at the ends of their range", { a: 1.7976931348623157e308, b: 5e-324, c: 9007199254740991 }),
  ["numbers with exponents", put('{"a":1e3,"b":2.5E-1,"c":0.5e+2}'), { a: 1000, b: 0.25, c: 50 }],
  ["white space everywhere", put(' \t\r\n{ "a"\n:\t1 ,\r\n"b" : null } \n'), { a: 1, b: null }],
  same("an empty string as a key and as a value", { "": "" }),
  same("text beyond ASCII", { größe: "5 µm, 温度, 🌡" }),
  [
    "every escape of a string",
    put('{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud83c\\udf21"}'),
    { a: '"\\/\b\f\n\r\té€🌡' },
  ],
  same("control characters, escaped", { a: "\u0000\u0001\u001f\u007f\u2028\u2029" }),
  ["keys that look like numbers", put('{"2":"b","1":"a"}'), { "1": "a", "2": "b" }],
  [
    "keys of inherited properties",
    put('{"constructor":1,"toString":2}'),
    { constructor: 1, toString: 2 } as unknown as State,
  ],
  ["the key of the prototype", put('{"__proto__":1}'), JSON.parse('{"__proto__":1}') as State],
  [
    "fields that would describe a representation",
    requestWithBody("PUT", "/note", '{"a":1}', 'Content-Location: /zqx\r\nETag: "zqx"\r\nContent-Language: tlh\r\n'),
    { a: 1 },
  ],
  ["as many pairs as are allowed", put(pairs(64)), JSON.parse(pairs(64)) as State],
]);

/** Bodies that are not states, and states their noun refuses. */
export const refusedStateBodies = [
  ...refused(400, "keep", [
    ["no body", put("")],
    ["a body of spaces", put("   ")],
    ["text", put("zqx")],
    ["an array", put('["zqx"]')],
    ["an array of one object", put('[{"a":1}]')],
    ["a string", put('"zqx"')],
    ["a number", put("1")],
    ["true", put("true")],
    ["null", put("null")],
    ["two objects", put("{}{}")],
    ["two objects on two lines", put('{"a":1}\n{"a":2}')],
    ["text behind the object", put('{"a":1}zqx')],
    ["a comma behind the object", put('{"a":1},')],
    ["a NUL behind the object", put('{"a":1}\0')],
    ["an unfinished object", put('{"a":1')],
    ["an unfinished string", put('{"a":"zqx')],
    ["an unfinished key", put('{"zqx')],
    ["a lone brace", put("{")],
    ["a trailing comma", put('{"a":1,}')],
    ["a leading comma", put('{,"a":1}')],
    ["a missing comma", put('{"a":1 "b":2}')],
    ["a missing colon", put('{"a" 1}')],
    ["a missing value", put('{"a":}')],
    ["a key without quotes", put("{zqx:1}")],
    ["a key in single quotes", put("{'zqx':1}")],
    ["a number as a key", put("{1:1}")],
    ["a comment", put('{/*zqx*/"a":1}')],
    ["a literal in upper case", put('{"a":TRUE}')],
    ["a word as a value", put('{"a":zqx}')],
    ["an array as a value", put('{"led":[1]}', "/led")],
    ["an empty array as a value", put('{"a":[]}')],
    ["an object as a value", put('{"a":{"zqx":1}}')],
    ["an empty object as a value", put('{"a":{}}')],
    ["arrays nested four thousand deep", put(`{"a":${"[".repeat(4_000)}`)],
    ["a repeated key", put('{"zqx":1,"zqx":1}')],
    ["a key repeated through an escape", put('{"a":1,"\\u0061":2}')],
    ["a repeated key of the prototype", put('{"__proto__":1,"__proto__":2}')],
    ["a number that is not finite", put('{"a":1e999}')],
    ["a negative number that is not finite", put('{"a":-1e999}')],
    ["a number of four hundred digits", put(`{"a":${"9".repeat(400)}}`)],
    ["NaN", put('{"a":NaN}')],
    ["Infinity", put('{"a":Infinity}')],
    ["a leading zero", put('{"a":01}')],
    ["a leading plus", put('{"a":+1}')],
    ["a lone minus", put('{"a":-}')],
    ["a leading point", put('{"a":.5}')],
    ["a trailing point", put('{"a":1.}')],
    ["an empty exponent", put('{"a":1e}')],
    ["a hexadecimal number", put('{"a":0x10}')],
    ["a number with underscores", put('{"a":1_000}')],
    ["an unknown escape", put('{"a":"\\x41"}')],
    ["an unfinished Unicode escape", put('{"a":"\\u12"}')],
    ["a Unicode escape of other letters", put('{"a":"\\u12zq"}')],
    ["a raw line end in a string", put('{"a":"b\nc"}')],
    ["a raw tab in a string", put('{"a":"b\tc"}')],
    ["a raw NUL in a string", put('{"a":"b\0c"}')],
    ["a raw escape byte in a string", put('{"a":"\x1b[31m"}')],
    ["a lone high surrogate", put('{"a":"\\ud800"}')],
    ["a lone low surrogate", put('{"a":"\\udc00"}')],
    ["two surrogates in the wrong order", put('{"a":"\\udc00\\ud800"}')],
    ["a lone surrogate in a key", put('{"\\ud800":1}')],
    ["a byte-order mark", put('\xef\xbb\xbf{"a":1}')],
    ["a byte that is not UTF-8", put('{"a":"\xff"}')],
    ["Latin-1 text", put('{"a":"caf\xe9"}')],
    ["an overlong UTF-8 sequence", put('{"a":"\xc0\xaf"}')],
    ["a surrogate encoded in UTF-8", put('{"a":"\xed\xa0\x80"}')],
    ["a UTF-8 sequence beyond U+10FFFF", put('{"a":"\xf4\x90\x80\x80"}')],
    ["an unfinished UTF-8 sequence", put('{"a":"\xe2\x82"}')],
    ["a lone UTF-8 continuation byte", put('{"a":"\x80"}')],
    ["a body in gzip that does not say so", put("\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xae\x05\0\x43\xbf\xa6\xa3")],
    ["UTF-16", put("\xff\xfe{\0}\0")],
    ["white space JSON does not know", put('{"a":\x0c1}')],
    ["a no-break space", put('{"a":\xc2\xa01}')],
    ["one pair too many", put(pairs(65))],
    ["a broken body before asking the noun", put('{"zqx":1', "/led")],
  ]),
  ...refused(422, "keep", [
    ["an unknown key", put('{"other":1}', "/led")],
    ["an unknown key beside a known one", put('{"led":1,"other":1}', "/led")],
    ["a missing key", put("{}", "/led")],
    ["a value that is neither of two", put('{"led":2}', "/led")],
    ["a string in a number's place", put('{"led":"1"}', "/led")],
    ["a boolean in a number's place", put('{"led":true}', "/led")],
    ["null in a number's place", put('{"led":null}', "/led")],
    ["a key in another case", put('{"LED":1}', "/led")],
    ["an unknown key on POST", requestWithBody("POST", "/led", '{"other":1}')],
  ]),
];
