import fc from "fast-check";
import { expect, test } from "vitest";
import { describeError, escapeForLog } from "../../../ts/server/log.ts";

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

test("an error is described with its message and the place where it was thrown", () => {
  const description = describeError(new RangeError("no such line"));
  expect(description).toContain("no such line");
  expect(description).toContain("log.test.ts");
  expect(description).not.toContain("\n");
});

test("an error whose stack lacks the message, as with QuickJS, is described with both", () => {
  const error = Object.assign(new RangeError("no such line"), { stack: "    at read (led.ts:7)\n    at run\n" });
  expect(describeError(error)).toBe("RangeError: no such line at read (led.ts:7) < at run");
});

test.each([undefined, null, "text", 7, Object.assign(new Error("a"), { stack: 7 })])("%s can be described", (value) => {
  expect(describeError(value)).not.toBe("");
});
