/** A module calls what a group exports without a stand-in, but keeps one for any other use. */
import { expect, test } from "vitest";
import { withDirectCalls } from "../../../tools/build/direct-calls.mjs";

const callOf = (path: string) => (path.startsWith("./rare") ? { loader: "loader:all", first: '"rare", ' } : undefined);

const loader = 'import { standIn as loader_all } from "loader:all";';

/** @returns what becomes of a module that imports two names of a group. */
function direct(body: string, imported = "{ one, Two }"): string {
  return withDirectCalls(`import ${imported} from "./rare.ts";\n${body}`, callOf);
}

test("calls and constructions name what they call", () => {
  expect(direct("one(1, 2); one(); new Two<string>(3); new Two();")).toBe(
    `${loader}\nloader_all("rare", "one", 1, 2); loader_all("rare", "one"); ` +
      `new loader_all<string>("rare", "Two", 3); new loader_all("rare", "Two");`,
  );
});

test("the name in the group counts, and types stay", () => {
  expect(direct("const a: T = here(here(1) as T);", "{ type T, one as here }")).toBe(
    `${loader}import { type T } from "./rare.ts";\n` +
      `const a: T = loader_all("rare", "one", loader_all("rare", "one", 1) as T);`,
  );
});

test.each([
  ["a value", "list.map(one); one(1);"],
  ["a value in a shorthand", "use({ one }); one(1);"],
  ["a class that is extended", "class A extends one {} one(1);"],
  ["a parameter of the same name", "const f = (one) => one(1); one(1);"],
  ["a variable of the same name", "{ const { x: [one] } = y; one(1); }"],
  ["a construction without parentheses", "one(new one);"],
  ["a call that may be none", "one?.(1);"],
])("a name keeps its stand-in: %s", (_, body) => {
  expect(direct(body)).toBe(`import { one, Two } from "./rare.ts";\n${body}`);
});

test("keys, members and types of the same name are no uses", () => {
  expect(direct("const a: one = { one: b.one }; one(a);", "{ one }")).toBe(
    `${loader}\nconst a: one = { one: b.one }; loader_all("rare", "one", a);`,
  );
});

test("other modules are called as before", () => {
  const text = 'import { one } from "./usual.ts";\nimport type { Two } from "./rare.ts";\none(1);';
  expect(withDirectCalls(text, callOf)).toBe(text);
});
