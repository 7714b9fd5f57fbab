/** `nound:lexer` in the engine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { tableColumns, tableEffect } from "../../ts/native/lexer.ts";
import { simulatedLexer } from "../../ts/native/simulated/lexer.ts";
import { printedBy } from "../harness/engine-program.ts";

/** Runs a program in the engine. @returns what it prints, as JSON. */
async function printed(source: string): Promise<unknown> {
  const program = `
    import { follow, rewrite, tokens } from "nound:lexer";
    import { exit } from "nound:loop";
    import { printOutput } from "nound:system";
    ${source}
    exit(0);
  `;
  return JSON.parse(await printedBy(program));
}

/** The characters of the texts below: others have entries like the last one's. */
const alphabet = ["0", "9", "a", "F", ":", "\x7f", "\x80", "\xff", "€", "😀"];

/** Tables of six rows with these entries at the alphabet's characters. @param fitting what an entry becomes at one. */
function tablesOf(
  entries: fc.Arbitrary<number>,
  fitting = (entry: number, _character: string) => entry,
): fc.Arbitrary<number[]> {
  const count = 6 * alphabet.length;
  return fc.array(entries, { minLength: count, maxLength: count }).map((chosen) => {
    const table = new Uint8Array(6 * tableColumns);
    chosen.forEach((entry, index) => {
      const character = alphabet[index % alphabet.length] ?? "";
      const column = Math.min(character.charCodeAt(0), tableColumns - 1);
      table[Math.floor(index / alphabet.length) * tableColumns + column] = fitting(entry, character);
    });
    table.fill(0, 0, tableColumns);
    return [...table];
  });
}

/** Tables of six states, with every mark, in which few characters refuse. */
const tables = tablesOf(
  fc
    .tuple(fc.constantFrom(0, 1, 2, 2, 3, 4, 5), fc.constantFrom(0, 0, 0x40, 0x80, 0xc0))
    .map(([state, marks]) => state | marks),
);

const { keep, drop, digit, unit, counted } = tableEffect;

/** Tables of effects, of every kind. Only hexadecimal digits have those of digits. */
const effects = tablesOf(
  fc.constantFrom(keep, keep, 1, 0x41, 0x7f, drop, digit, digit, digit, unit, unit, counted),
  (effect, character) => ((effect === digit || effect === unit) && !/[0-9a-fA-F]/.test(character) ? keep : effect),
);
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

test("a text is rewritten as by the simulated lexer, from any state and number", async () => {
  const row = fc.array(fc.tuple(texts, fc.constantFrom(0, 0, 1, 3, 0xd83, 0xffff, 0xffff_ffff)), {
    minLength: 40,
    maxLength: 40,
  });
  const cases = fc.sample(fc.tuple(tables, effects, row), 60);
  const expected = cases.map(([table, effect, row]) => {
    const [first, second] = [new Uint8Array(table).buffer, new Uint8Array(effect).buffer];
    return row.map(([text, number], index) => simulatedLexer.rewrite(text, first, second, 1 + (index % 5), number));
  });
  const all = expected.flat();
  expect(new Set(all.map(([written]) => written)).size).toBeGreaterThan(200);
  expect(all.filter(([written]) => /[\u0800-\ud7ff]/.test(written)).length).toBeGreaterThan(5);
  const source = `
    const cases = ${JSON.stringify(cases)};
    const found = cases.map(([table, effect, row]) => {
      const [first, second] = [new Uint8Array(table).buffer, new Uint8Array(effect).buffer];
      return row.map(([text, number], index) => rewrite(text, first, second, 1 + (index % 5), number));
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

test("no text is rewritten by malformed tables, tables of different sizes, or from a state they lack", async () => {
  const source = `
    const { buffer } = new Uint8Array(6 * ${tableColumns}).fill(2);
    const far = new Uint8Array(3 * ${tableColumns}).fill(63).buffer;
    const outcome = (table, effects, state) => {
      try {
        return rewrite("aa", table, effects, state, 0);
      } catch (error) {
        return error.name;
      }
    };
    const outcomes = [0, 6, 300, -1].map((state) => outcome(buffer, buffer, state));
    outcomes.push(outcome(new ArrayBuffer(400), buffer, 2), outcome(buffer, new ArrayBuffer(400), 2));
    outcomes.push(outcome(buffer, far, 2));
    outcomes.push(outcome(far, new ArrayBuffer(3 * ${tableColumns}), 2));
    printOutput(JSON.stringify(outcomes));
  `;
  const refused = [...Array.from({ length: 4 }, () => "RangeError"), ...Array.from({ length: 3 }, () => "TypeError")];
  expect(await printed(source)).toEqual([...refused, ["", 0, 2, 0]]);
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
    const buffers = [0, 1, 258, 400].map((size) => new ArrayBuffer(size));
    printOutput(JSON.stringify([...buffers, "a", far].map(outcome)));
  `;
  expect(await printed(source)).toEqual([...Array.from({ length: 5 }, () => "TypeError"), null]);
});
