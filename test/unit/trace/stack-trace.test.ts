/** Node's engine asks for stacks by the same interface, so that a bundle can be tried there as it is. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { sourceLineFinder } from "../../../ts/trace/source-lines.ts";
import { type CallSite, formatStack } from "../../../ts/trace/stack-trace.ts";
import { bundled } from "./bundle.ts";

/** Runs a bundle, in a process of its own as vitest changes what it imports. @returns the stack of what it throws. */
function stackOf(bundle: string): string {
  const script = `import { run } from "${bundle}"; try { run(); } catch (error) { console.log(error.stack); }`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
}

test.each([
  ["a bundle for debugging", []],
  ["a minified bundle for debugging", ["--minify"]],
])("%s names source files and lines", (_, options) => {
  const frames = stackOf(bundled("--debug", ...options))
    .split("\n")
    .slice(0, 5);
  expect(frames.map((frame) => /src\/[a-z]+\.ts:[0-9]+/.exec(frame)?.[0])).toEqual([
    "src/noun.ts:15",
    undefined, // the engine's own Array.map
    "src/noun.ts:13",
    "src/noun.ts:23",
    "src/main.ts:7",
  ]);
});

test("a bundle that is not for debugging leaves the stack to the engine", () => {
  expect(stackOf(bundled())).toMatch(/ at broken \(.*bundle\.mjs:[0-9]+:[0-9]+\)/);
});

function site(name: string | null, file: string | null, line: number, column: number): CallSite {
  return {
    getFunctionName: () => name,
    getFileName: () => file,
    getLineNumber: () => (file === null ? null : line),
    getColumnNumber: () => (file === null ? null : column),
  };
}

test("a frame that the table does not have stays as the engine tells it", () => {
  const finder = sourceLineFinder({ files: ["a.ts"], runs: "3 0 0 10" });
  const sites = [
    site("f", "app.js", 4, 1),
    site(null, "app.js", 1, 7),
    site("parse", null, 0, 0),
    site("", "<input>", 4, 1),
  ];
  expect(formatStack(sites, finder)).toBe(
    "    at f (a.ts:11)\n    at <anonymous> (app.js:1:7)\n    at parse (native)\n    at <anonymous> (<input>:4:1)\n",
  );
});
