/** The pattern of a declaration becomes reads of properties only where a program does the same then. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutPatterns } from "../../../tools/build/patterns.mjs";

const rewritten: readonly [string, string, string][] = [
  ["of a variable", "var { a, b } = g;", "var a = g.a, b = g.b;"],
  ["of this", "function f() { const { a, b } = this; }", "function f() { const a = this.a, b = this.b; }"],
  ["with other names", "let { a: b, c } = g;", "let b = g.a, c = g.c;"],
  ["of an expression, with one property", "var { a } = g() ?? h;", "var a = (g() ?? h).a;"],
  ["of an await", "async () => { var { a } = await g; };", "async () => { var a = (await g).a; };"],
  ["beside another", "var { a } = g, { b } = h.i;", "var a = g.a, b = (h.i).b;"],
  ["of a loop", "for (var { a } = g; a; ) h(a);", "for (var a = g.a; a; ) h(a);"],
  ["that is exported", "export const { a } = g;", "export const a = g.a;"],
  [
    "in the expression of another",
    "var { a } = g(() => { var { b } = h; });",
    "var a = (g(() => { var b = h.b; })).a;",
  ],
  ["of minified text", "var{a}=g,{b}=h();const{c,d}=this", "var a = g.a,b = (h()).b;const c = this.c, d = this.d"],
  ["over several lines", "var {\n  a,\n  b\n} = g;\nh();", "var a = g.a, b = g.b\n\n\n;\nh();"],
  ["over several lines, of an expression", "var {\n  a\n} = g();\nh();", "var a = \n\n(g()).a;\nh();"],
];

const left: readonly [string, string][] = [
  ["of an expression, with several properties", "var { a, b } = g.h;"],
  ["with a default", "var { a = 1 } = g;"],
  ["with a nested one", "var { a: { b } } = g;"],
  ["with the other properties", "var { a, ...b } = g;"],
  ["with a computed key", "var { [a]: b } = g;"],
  ["with a quoted key", 'var { "a-b": b } = g;'],
  ["with a variable of the object's name", "() => { var { g, a } = g; };"],
  ["without a property, which only checks the object", "var {} = g;"],
  ["of an array", "var [a] = g;"],
  ["of a loop's values", "for (var { a } of g) h(a);"],
  ["of a parameter", "({ a }) => a;"],
  ["of an assignment", "({ a } = g);"],
];

describe("A pattern becomes reads of properties", () => {
  test.each(rewritten)("%s", (_, before, after) => {
    expect(withoutPatterns(before)).toBe(after);
  });
});

describe("A pattern stays as it is", () => {
  test.each(left)("%s", (_, text) => {
    expect(withoutPatterns(text)).toBe(text);
  });
});

/** What a program reads of its objects, in which order, and its variables; or the kind of its error. */
function told(text: string): string {
  const reads: string[] = [];
  function spied(path: string): object {
    return new Proxy(
      {},
      {
        get: (_, key) => {
          reads.push(`${path}.${String(key)}`);
          return key === "d" ? undefined : spied(`${path}.${String(key)}`);
        },
      },
    );
  }
  const program: unknown = new Function(
    "x",
    "y",
    `"use strict"; ${text} return [a, b, c, d].map((one) => typeof one);`,
  );
  try {
    reads.push(
      String((program as (this: object, x: object, y: object) => unknown).call(spied("this"), spied("x"), spied("y"))),
    );
  } catch (error) {
    reads.push(error instanceof Error ? error.name : "?");
  }
  return reads.join(" ");
}

const name = fc.constantFrom("a", "b", "c", "d");
const property = fc.oneof(
  name,
  fc.tuple(name, name).map(([key, value]) => `${key}: ${value}`),
  name.map((key) => `${key} = 1`),
);
const object = fc.oneof(fc.constantFrom("this", "x", "y", "x.a", "y.d", "x?.b", "(x, y)", "undefined"), name);
const declarator = fc
  .tuple(fc.array(property, { maxLength: 3 }), object)
  .map(([properties, source]) => `{ ${properties.join(", ")} } = ${source}`);

test("a program reads the same in the same order, or fails in the same way", () => {
  const programs = fc.array(declarator, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(programs, (all) => {
      const text = `var a, b, c, d; ${all.map((one) => `var ${one};`).join(" ")}`;
      expect(told(withoutPatterns(text))).toBe(told(text));
    }),
    { numRuns: 1_000 },
  );
});
