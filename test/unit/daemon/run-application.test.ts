import { beforeEach, expect, test } from "vitest";
import { TestPlatform } from "./test-platform.ts";

let program: TestPlatform;

beforeEach(() => {
  program = new TestPlatform();
  program.files.set("/tmp/app.js", "let a;");
});

test("an application runs under its file's name with the command line that follows --", async () => {
  await program.run("--run", "/tmp/app.js", "--", "--debug", "x");
  expect(program.applications).toEqual([{ name: "app.js", text: "let a;", args: ["--debug", "x"] }]);
  expect(program).toMatchObject({ output: "", error: "", statuses: [] });
});

test("an application that does not exist is one line and status 66", async () => {
  await program.run("--run", "/tmp/other.js");
  expect(program).toMatchObject({
    error: "nound: cannot read /tmp/other.js: there is no such file\n",
    statuses: [66],
    applications: [],
  });
});

/** What the engine throws for a mistake in a text, with the stack it gives it. */
function engineError(error: Error, stack: string): Error {
  error.stack = stack;
  return error;
}

test.each([
  [
    engineError(new SyntaxError("expecting ';'"), "    at app.js:12:5\n    at run (native)\n"),
    "/tmp/app.js: line 12: expecting ';'",
  ],
  // The place of a name that a module lacks is that of the linking module.
  [
    engineError(new SyntaxError("Could not find export 'x'"), "    at run (native)\n    at start (nound.js:1:2)\n"),
    "/tmp/app.js: Could not find export 'x'",
  ],
  [engineError(new ReferenceError("cannot import 'y.js'"), ""), "/tmp/app.js: cannot import 'y.js'"],
])("an application that cannot be compiled is one line and status 66: %s", async (error, sentence) => {
  program.applicationError = error;
  await program.run("--run", "/tmp/app.js");
  expect(program).toMatchObject({ error: `nound: ${sentence}\n`, statuses: [66] });
});
