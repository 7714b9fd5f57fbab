/** The engine's memory, native/engine_heap.c, tried by a program of its own. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { allowance, commandOf, memoryNotJudged } from "./harness/environment.ts";

test("memory is nobody else's while it is allocated, and the kernel's again when much of it is free", () => {
  const [command, ...args] = commandOf("engine-heap-test");
  const options = memoryNotJudged === undefined ? [] : ["--memory-not-judged"];
  const { status, stderr } = spawnSync(command, [...args, ...options], {
    encoding: "utf8",
    timeout: allowance(20_000),
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
