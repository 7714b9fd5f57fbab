/**
 * The corpus of JSON texts against the UTF-8 decoder and the state parser, and against the engine's own `JSON.parse`.
 */
import { describe, expect, test } from "vitest";
import { decodeUtf8 } from "../../../ts/core/http/utf8.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { parseState } from "../../../ts/core/noun/state-parser.ts";
import { StateSyntaxError } from "../../../ts/core/noun/state-syntax-error.ts";
import { corpus, subjects } from "./state-corpus/corpus.ts";
import type { Entry } from "./state-corpus/entry.ts";

/** @returns the state of a text; undefined when it is refused. Lets no other error through. */
function parsed(bytes: string): State | undefined {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    return parseState(text, 64);
  } catch (error) {
    if (error instanceof StateSyntaxError) return undefined;
    throw error;
  }
}

/** @returns what the platform's strict decoder and `JSON.parse` make of a text; undefined when they refuse it. */
function platform(bytes: string): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Pairs in their order. Minus zero becomes zero, as in every state. */
function pairs(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([key, scalar]) => [key, scalar === 0 ? 0 : scalar]);
}

const all: readonly Entry[] = subjects.flatMap((subject) => corpus[subject]);

describe.each(subjects)("of the texts about %s", (subject) => {
  const entries: readonly Entry[] = corpus[subject];

  test.each(entries.map((entry) => [`${entry.kind}: ${entry.name}`, entry] as const))("%s", (_, entry) => {
    const state = parsed(entry.bytes);
    expect(state !== undefined).toBe(entry.accepted);
    const other = platform(entry.bytes);
    if (entry.kind === "y") expect(other).toBeDefined();
    if (entry.kind === "n") expect(other).toBeUndefined();
    if (state !== undefined) expect(pairs(state)).toEqual(pairs(other?.value as object));
  });
});

test("the corpus has no name twice and no text twice", () => {
  const names = subjects.flatMap((subject) => corpus[subject].map(({ name }) => `${subject}: ${name}`));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const texts = all.map(({ bytes }) => bytes);
  expect(all.filter(({ bytes }, index) => texts.indexOf(bytes) !== index).map(({ name }) => name)).toEqual([]);
});

test("no text of the corpus adds a property to objects that have nothing to do with it", () => {
  for (const { bytes } of all) parsed(bytes);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect("polluted" in {}).toBe(false);
});
