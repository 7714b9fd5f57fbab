import { expect, test } from "vitest";
import { helpText, parseOptions } from "../../bench/options.ts";

test("nothing on the command line means the whole benchmark", () => {
  expect(parseOptions([])).toEqual({ quick: false, strict: false, document: false, help: false });
});

test("each option is read, and told of by the help", () => {
  for (const name of ["quick", "strict", "document", "help"] as const) {
    expect(parseOptions([`--${name}`])[name]).toBe(true);
    expect(helpText).toContain(`--${name} `);
  }
});

test("an option that is not known is refused", () => {
  expect(() => parseOptions(["--fast"])).toThrow("--fast");
});
