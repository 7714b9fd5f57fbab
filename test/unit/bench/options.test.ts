import { expect, test } from "vitest";
import { helpText, parseOptions } from "../../bench/options.ts";

test("nothing on the command line means the whole benchmark", () => {
  const off = {
    quick: false,
    strict: false,
    document: false,
    instructions: false,
    broker: false,
    peers: false,
    tls: false,
    help: false,
  };
  expect(parseOptions([])).toEqual({ ...off, workloads: [] });
});

test("each option is read, and the help names it", () => {
  for (const name of ["quick", "strict", "document", "instructions", "broker", "tls", "help"] as const) {
    expect(parseOptions([`--${name}`])[name]).toBe(true);
    expect(helpText).toContain(`--${name} `);
  }
});

test("an option that is not known is refused", () => {
  expect(() => parseOptions(["--fast"])).toThrow("--fast");
});

test("workloads are named where instructions alone are counted", () => {
  expect(parseOptions(["--instructions", "get", "put"]).workloads).toEqual(["get", "put"]);
  expect(() => parseOptions(["get"])).toThrow("workloads are named for --instructions only");
});
