/** `nound:lexer` in the engine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { tableColumns } from "../../ts/native/lexer.ts";
import { simulatedLexer } from "../../ts/native/simulated/lexer.ts";
import { printedBy } from "../harness/engine-program.ts";

/** Runs a program in the engine. @returns what it prints, as JSON. */
async function printed(source: string): Promise<unknown> {
  const program = `
    import { follow, tokens } from "nound:lexer";
    import { exit } from "nound:loop";
    import { printOutput } from "nound:system";
    ${source}
    exit(0);
  `;
  return JSON.parse(await printedBy(program));
}

/** The characters of the texts below: others have entries like the last one's. */
const alphabet = ["a", "b", ":", "\x7f", "\x80", "\xff", "€", "😀"];

/** Tables of six states, with every mark, in which few characters refuse. */
const tables = fc
  .array(fc.tuple(fc.constantFrom(0, 1, 2, 2, 3, 4, 5), fc.constantFrom(0, 0, 0x40, 0x80, 0xc0)), {
    minLength: 6 * alphabet.length,
    maxLength: 6 * alphabet.length,
  })
  .map((entries) => {
    const table = new Uint8Array(6 * tableColumns);
    entries.forEach(([state, marks], index) => {
      const column = Math.min(alphabet[index % alphabet.length]?.charCodeAt(0) ?? 0, tableColumns - 1);
      table[Math.floor(index / alphabet.length) * tableColumns + column] = state | marks;
    });
    table.fill(0, 0, tableColumns);
    return [...table];
  });
const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }).map((characters) => characters.join(""));

test("the tokens of any text by any table are those of the simulated lexer", async () => {
  const cases = fc.sample(fc.tuple(tables, fc.array(texts, { minLength: 40, maxLength: 40 })), 60);
  const expected = cases.map(([table, row]) => {
    const { buffer } = new Uint8Array(table);
    return row.map((text) => simulatedLexer.tokens(text, buffer) ?? null);
  });
  // Most samples have 150 to 250. One of some thousands has fewer than 110.
  expect(expected.flat().filter((found) => found !== null).length).toBeGreaterThan(50);
  const source = `
    const cases = ${JSON.stringify(cases)};
    const found = cases.map(([table, row]) => {
      const { buffer } = new Uint8Array(table);
      return row.map((text) => tokens(text, buffer) ?? null);
    });
    printOutput(JSON.stringify(found));
  `;
  expect(await printed(source)).toEqual(expected);
});

test("a text is followed as far as by the simulated lexer, from any state", async () => {
  const cases = fc.sample(fc.tuple(tables, fc.array(texts, { minLength: 40, maxLength: 40 })), 60);
  const expected = cases.map(([table, row]) => {
    const { buffer } = new Uint8Array(table);
    return row.map((text, index) => simulatedLexer.follow(text, buffer, 1 + (index % 5)));
  });
  const all = expected.flat();
  expect(new Set(all.map(([, state]) => state)).size).toBe(5);
  expect(new Set(all.map(([characters]) => characters)).size).toBeGreaterThan(5);
  const source = `
    const cases = ${JSON.stringify(cases)};
    const found = cases.map(([table, row]) => {
      const { buffer } = new Uint8Array(table);
      return row.map((text, index) => follow(text, buffer, 1 + (index % 5)));
    });
    printOutput(JSON.stringify(found));
  `;
  expect(await printed(source)).toEqual(expected);
});

test("no text is followed by a malformed table, from a state that the table lacks, or out of the table", async () => {
  const source = `
    const { buffer } = new Uint8Array(6 * ${tableColumns}).fill(2);
    const far = new Uint8Array(3 * ${tableColumns}).fill(63).buffer;
    const outcome = (table, state) => {
      try {
        return follow("aa", table, state);
      } catch (error) {
        return error.name;
      }
    };
    const outcomes = [0, 6, 300, -1].map((state) => outcome(buffer, state));
    outcomes.push(outcome(new ArrayBuffer(400), 2), outcome("a", 2), outcome(buffer, 5), outcome(far, 2));
    printOutput(JSON.stringify(outcomes));
  `;
  const refused = [...Array.from({ length: 4 }, () => "RangeError"), "TypeError", "TypeError"];
  expect(await printed(source)).toEqual([...refused, [2, 2], [0, 2]]);
});

test("a table that is malformed, or leads out of itself, is refused", async () => {
  const source = `
    const outcome = (table) => {
      try {
        return tokens("aa", table) ?? null;
      } catch (error) {
        return error.name;
      }
    };
    const far = new Uint8Array(3 * ${tableColumns}).fill(63).buffer;
    printOutput(JSON.stringify([0, 1, 258, 400].map((size) => outcome(new ArrayBuffer(size))).concat(outcome("a"), outcome(far))));
  `;
  expect(await printed(source)).toEqual([...Array.from({ length: 5 }, () => "TypeError"), null]);
});
