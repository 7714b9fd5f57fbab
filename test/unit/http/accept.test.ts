import fc from "fast-check";
import { expect, test } from "vitest";
import { preferredRepresentation } from "../../../ts/core/http/representation.ts";

test.each([
  [undefined, "json"],
  ["", "json"],
  ["application/json", "json"],
  ["text/event-stream", "text/event-stream"],
  ["Text/Event-Stream", "text/event-stream"],
  [" text/event-stream ; q=0.5 , */* ; q=0.4", "text/event-stream"],
  ["text/event-stream;q=0.5, */*", "json"],
  ["text/event-stream, */*", "json"],
  ["text/event-stream, application/json", "json"],
  ["application/json;q=0.9, text/event-stream", "text/event-stream"],
  ["text/event-stream;q=0", "json"],
  ["text/*", "json"],
  ["*/*", "json"],
  [",, text/event-stream,", "text/event-stream"],
  ["text/event-stream;charset=utf-8", "text/event-stream"],
  ["text/event-stream; q=0.5, text/html; q=0.7", "text/html"],
  // The most specific range decides the weight of JSON.
  ["application/json;q=0.1, */*, text/html;q=0.5", "text/html"],
  ["application/*;q=0.1, */*, text/event-stream;q=0.5", "text/event-stream"],
  ["text/html;q=0.5, text/*", "text/html"],
  ["application/json;q=0, text/html;q=0.1", "text/html"],
  // At a tie of page and stream, whichever comes first.
  ["text/html, text/event-stream", "json"],
  ["text/event-stream, text/html, application/json;q=0.1", "json"],
  // Quoted and empty parameters are read.
  ['text/html;level="1, text/event-stream;q=0";q=0.5, */*;q=0.1', "text/html"],
  ['text/event-stream;a="\\"";q=0.5, */*;q=0.4', "text/event-stream"],
  ["text/event-stream;;q=0.5 ; ;, */*;q=0.4", "text/event-stream"],
  ["text/event-stream;", "text/event-stream"],
  // Chromium's, for a page.
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", "text/html"],
  // Not readable.
  ["text/event-stream;q=2", "json"],
  ["text/event-stream;q=0.1234", "json"],
  ["text/event-stream text/html", "json"],
  ['text/event-stream;a="', "json"],
  ["text/event-stream;a", "json"],
  ["event-stream", "json"],
  ["text/event-stream, \u00e9", "json"],
  [`text/event-stream${" ".repeat(495)}`, "text/event-stream"],
  [`text/event-stream${" ".repeat(496)}`, "json"],
] as const)("%j prefers %s", (accept, representation) => {
  expect(preferredRepresentation(accept)).toBe(representation);
});

test("the order of the ranges decides nothing", () => {
  const ranges = fc.uniqueArray(
    fc.constantFrom("text/event-stream", "text/html", "application/json", "application/*", "*/*", "text/*"),
    { minLength: 1 },
  );
  const weights = fc.array(fc.constantFrom("0", "0.1", "0.5", "1"), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(ranges, weights, (names, given) => {
      const list = names.map((name, index) => `${name};q=${given[index]}`);
      expect(preferredRepresentation(list.toReversed().join(", "))).toBe(preferredRepresentation(list.join(", ")));
    }),
  );
});

test("any text is read in little time, and prefers something", () => {
  const piece = fc.constantFrom(
    "text/event-stream",
    "text/html",
    "*/*",
    ";",
    ",",
    " ",
    "\t",
    "q=",
    "0.5",
    "1",
    '"',
    "=",
    "a",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      expect(["json", "text/event-stream", "text/html"]).toContain(preferredRepresentation(pieces.join("")));
    }),
  );
  // A pattern that went back and forth in these would not come to its end.
  for (const accept of [`text/html${" ;a=b".repeat(100)}x`, ";\t".repeat(250), `a/b;${" ".repeat(500)}`]) {
    preferredRepresentation(accept);
  }
});
