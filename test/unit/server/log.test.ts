import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeForLog } from "../../../ts/core/server/log.ts";

test("printable ASCII stays as it is, and everything else is escaped", () => {
  expect(escapeForLog("GET /led 200 ~")).toBe("GET /led 200 ~");
  expect(escapeForLog("\0\t\r\n\x1b[2J\x7f\x9b\xff")).toBe("\\x00\\x09\\x0d\\x0a\\x1b[2J\\x7f\\x9b\\xff");
  expect(escapeForLog("é€\u2028💡\ud800")).toBe("\\xe9\\u20ac\\u2028\\ud83d\\udca1\\ud800");
});

test("any text becomes one line of printable ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(escapeForLog(text)).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
