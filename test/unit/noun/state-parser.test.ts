import fc from "fast-check";
import { expect, test } from "vitest";
import { parseState } from "../../../ts/core/noun/state-parser.ts";
import { StateSyntaxError } from "../../../ts/core/noun/state-syntax-error.ts";
import { states, text } from "./states.ts";

/** @returns the parsed state as pairs in order; undefined when it is refused. Lets no other error through. */
function parsed(source: string, maximumPairs = 64): readonly (readonly [string, unknown])[] | undefined {
  try {
    return Object.entries(parseState(source, maximumPairs));
  } catch (error) {
    if (!(error instanceof StateSyntaxError)) throw error;
    expect(error.message).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
    return undefined;
  }
}

test("a state has at most as many pairs as are allowed", () => {
  expect(parsed('{"a":1,"b":2}', 2)).toHaveLength(2);
  expect(parsed('{"a":1,"b":2,"c":3}', 2)).toBeUndefined();
});

test("a text ends where an array or an object begins, however deep it goes on", () => {
  expect(parsed(`{"a":${"[".repeat(1_000_000)}`)).toBeUndefined();
});

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 });

test("white space between the parts makes no difference", () => {
  fc.assert(
    fc.property(states, fc.array(space, { minLength: 1 }), (state, spaces) => {
      let turn = 0;
      const pad = (part: string) => {
        turn += 2;
        return spaces[turn % spaces.length] + part + spaces[(turn + 1) % spaces.length];
      };
      const pairs = Object.entries(state).map(
        ([key, value]) => `${pad(JSON.stringify(key))}:${pad(JSON.stringify(value))}`,
      );
      expect(parsed(pad(`{${pairs.join(pad(","))}${pad("}")}`))).toEqual(parsed(JSON.stringify(state)));
    }),
  );
});

/** What `JSON.parse` and the rules of a state say of a text: flat, no key twice, finite numbers, no lone surrogates. */
function reference(source: string): readonly (readonly [string, unknown])[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const pairs = Object.entries(value);
  for (const [key, scalar] of pairs) {
    if (!key.isWellFormed() || (typeof scalar === "object" && scalar !== null)) return undefined;
    if (typeof scalar === "number" && !Number.isFinite(scalar)) return undefined;
    if (typeof scalar === "string" && !scalar.isWellFormed()) return undefined;
  }
  // A key that occurs twice counts once in the value, but as two in the text: each has a colon outside of strings.
  const colons = source.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
  if (colons !== pairs.length) return undefined;
  return pairs.map(([key, scalar]) => [key, scalar === 0 ? 0 : scalar]);
}

const token = fc.oneof(
  fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"b"',
    '"\\u0061"',
    '"\\ud800"',
    '"\\ud83d\\udca1"',
    '"__proto__"',
  ),
  fc.constantFrom("0", "-0", "01", "1.5", "1e5", "1e999", "-", "true", "false", "null", " ", "\n", "\\", '"', "\0"),
);

/** Texts that are states, or nearly, or not at all. */
const sources = fc.oneof(
  fc.array(token, { maxLength: 14 }).map((tokens) => tokens.join("")),
  fc.array(fc.tuple(token, token), { maxLength: 4 }).map((row) => `{${row.map((pair) => pair.join(":")).join(",")}}`),
  fc.json({ maxDepth: 2 }),
  fc.tuple(states, fc.nat(), fc.nat(2), token).map(([state, position, removed, added]) => {
    const source = JSON.stringify(state);
    const at = position % (source.length + 1);
    return (source.slice(0, at) + added + source.slice(at + removed)).toWellFormed();
  }),
  text,
);

test("a text is a state exactly when JSON.parse and the rules of a state say so", () => {
  fc.assert(
    fc.property(sources, (source) => {
      expect(parsed(source)).toEqual(reference(source));
    }),
    { numRuns: 4000 },
  );
});
