import { expect, test } from "vitest";
import { describeError } from "../../../ts/core/noun/failure.ts";

test("an error is described with its message and the place where it was thrown", () => {
  const description = describeError(new RangeError("no such line"));
  expect(description).toContain("no such line");
  expect(description).toContain("failure.test.ts");
  expect(description).not.toContain("\n");
});

test("an error whose stack lacks the message, as with QuickJS, is described with both", () => {
  const error = Object.assign(new RangeError("no such line"), { stack: "    at read (led.ts:7)\n    at run\n" });
  expect(describeError(error)).toBe("RangeError: no such line at read (led.ts:7) < at run");
});

test.each([undefined, null, "text", 7, Object.assign(new Error("a"), { stack: 7 })])("%s can be described", (value) => {
  expect(describeError(value)).not.toBe("");
});
