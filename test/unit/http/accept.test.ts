import fc from "fast-check";
import { expect, test } from "vitest";
import { preferredRepresentation } from "../../../ts/http/accept.ts";

const both = ["text/event-stream", "text/html"] as const;

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
  // Chromium's, for a page.
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", "text/html"],
  // Not readable.
  ["text/event-stream;q=2", "json"],
  ["text/event-stream;q=0.1234", "json"],
  ["text/event-stream text/html", "json"],
  ["text/event-stream;q=0.5;", "json"],
  ["event-stream", "json"],
  ["text/event-stream, \u00e9", "json"],
  [`text/event-stream${" ".repeat(600)}`, "json"],
] as const)("%j prefers %s", (accept, representation) => {
  expect(preferredRepresentation(accept, both)).toBe(representation);
});

test("what is not offered counts for nothing", () => {
  expect(preferredRepresentation("text/html, text/event-stream;q=0.1", ["text/event-stream"])).toBe(
    "text/event-stream",
  );
  expect(preferredRepresentation("text/html", ["text/event-stream"])).toBe("json");
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
      expect(["json", ...both]).toContain(preferredRepresentation(pieces.join(""), both));
    }),
  );
  // A pattern that went back and forth in these would not come to its end.
  for (const accept of [`text/html${" ;a=b".repeat(100)}x`, ";\t".repeat(250), `a/b;${" ".repeat(500)}`]) {
    preferredRepresentation(accept, both);
  }
});
