/** What an application prints. On Node there is no debug log; test/e2e/messages.test.ts has it. */
import { beforeEach, expect, test, vi } from "vitest";
import { log, print } from "../../../ts/nound.ts";
import { printed, reset } from "../../../ts/testing.ts";

beforeEach(reset);

test("print writes a line, which a test can read and its runner shows", () => {
  const shown = vi.spyOn(console, "error").mockImplementation(() => {});
  print("the motor is warm");
  expect(printed()).toBe("the motor is warm\n");
  expect(shown.mock.calls).toEqual([["the motor is warm"]]);
  shown.mockRestore();
});

test("log is silent without --debug", () => {
  log("nobody asked");
  expect(printed()).toBe("");
});
