/** Parts of the native layer that have a program of their own to try them. */

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandOf, memoryNotJudged, type Program } from "../harness/environment.ts";
import { patience } from "../harness/patience.ts";

function run(program: Program, ...options: readonly string[]) {
  const [command, ...args] = commandOf(program);
  const { status, stderr } = spawnSync(command, [...args, ...options], {
    encoding: "utf8",
    timeout: patience,
  });
  return { status, stderr };
}

const success = { status: 0, stderr: "" };

test("allocated memory of the engine is not shared, and goes back to the kernel when much of it is free", () => {
  const options = memoryNotJudged === undefined ? [] : ["--memory-not-judged"];
  expect(run("engine-heap-test", ...options)).toEqual(success);
});

test("a server leaves states of 64 MiB for the next one, and not a byte more", () => {
  expect(run("states-left-test")).toEqual(success);
});

test("memory is copied, moved, set and compared as the C standard says", () => {
  expect(run("libc-memory-test")).toEqual(success);
});

test("a handshake ends at its deadline, though its peer floods it with what TLS ignores", () => {
  expect(run("tls-flood-test")).toEqual(success);
});
