import { expect, test } from "vitest";
import { chosen, collected } from "../../bench/instructions.ts";

test("the instructions are what valgrind says to have collected", () => {
  expect(collected("==7== Events    : Ir\n==7== Collected : 279498616\n==7== \n")).toBe(279_498_616);
});

test("what valgrind says instead is repeated", () => {
  expect(() => collected("valgrind: no such file\n")).toThrow("valgrind: no such file");
});

test("an unknown workload is reported by its name", () => {
  expect(() => chosen(["get", "gte"])).toThrow("There is no workload gte.");
  expect(chosen(["get"]).map(({ title }) => title)).toEqual(["GET"]);
});
