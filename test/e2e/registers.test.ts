/** `nound:registers` in the engine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeForm } from "../../ts/native/registers.ts";
import { simulatedRegisters } from "../../ts/native/simulated/registers.ts";
import { printedBy } from "../harness/engine-program.ts";

/** Places in two answers of eight bytes, of which the second may be missing; some are beyond them. */
const place = fc.record({
  before: fc.constantFrom("", '{"a":', ',"ü€😀":', " "),
  source: fc.constantFrom(0, 0, 1, 2, 65_535),
  at: fc.constantFrom(0, 1, 2, 4, 6, 7, 65_534),
  form: fc.nat(placeForm.text - 1),
  text: fc.option(fc.nat(2)),
});

const writing = fc
  .tuple(
    fc.array(place, { maxLength: 20 }),
    fc.array(fc.string({ unit: "binary-ascii", minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 2 }),
    fc.uint8Array({ minLength: 8, maxLength: 8 }),
    fc.constantFrom("", "}", "é"),
  )
  .map(([places, [, ...second], first, end]) => ({
    texts: places.map(({ before }) => before).join("") + end,
    places: places.flatMap(({ before, source, at, form, text }) =>
      text === null ? [Buffer.byteLength(before), source, at, form] : [Buffer.byteLength(before), 0, text, 0x40],
    ),
    sources: [String.fromCharCode(...first), ...second],
    others: ["null", "ä", '"long enough to be more than the room that a number has"'],
  }));

test("the text of any places is that of the simulated module", async () => {
  const cases = fc.sample(writing, 2_000);
  const expected = cases.map(({ texts, places, sources, others }) =>
    simulatedRegisters.write(texts, new Uint16Array(places).buffer, sources, others),
  );
  const program = `
    import { exit } from "nound:loop";
    import { write } from "nound:registers";
    import { printOutput } from "nound:system";
    const cases = ${JSON.stringify(cases)};
    printOutput(JSON.stringify(cases.map(({ texts, places, sources, others }) =>
      write(texts, new Uint16Array(places).buffer, sources, others))));
    exit(0);
  `;
  expect(JSON.parse(await printedBy(program))).toEqual(expected);
});

test("places beyond the texts are a RangeError, and what is no bytes is one, too", async () => {
  const program = `
    import { exit } from "nound:loop";
    import { write } from "nound:registers";
    import { printOutput } from "nound:system";
    const failures = [["ab", [3, 0, 0, 0], [""]], ["ab", [1, 0, 0, 0], ["€"]]].map(([texts, places, sources]) => {
      try {
        return write(texts, new Uint16Array(places).buffer, sources, ["null"]);
      } catch (error) {
        return error.name;
      }
    });
    printOutput(JSON.stringify(failures));
    exit(0);
  `;
  expect(JSON.parse(await printedBy(program))).toEqual(["RangeError", "RangeError"]);
});
