/** Variables become `var` only where a program that reads none of them too early does the same. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutDeadZones } from "../../../tools/build/dead-zones.mjs";

const rewritten: readonly [string, string, string][] = [
  ["of a function", "function f() { const a = 1; let b; return a; }", "function f() { var a = 1; var b; return a; }"],
  [
    "of an arrow function",
    "const f = () => { const a = 1; return () => a; };",
    "const f = () => { var a = 1; return () => a; };",
  ],
  ["of a method", "class C { m() { let a = 1; return a; } }", "class C { m() { var a = 1; return a; } }"],
  ["of a pattern", "() => { const { a, b: [c] } = g(); };", "() => { var { a, b: [c] } = g(); };"],
  ["of a block", "() => { if (g()) { const a = 1; g(a); } };", "() => { if (g()) { var a = 1; g(a); } };"],
  ["of a block, kept by a closure", "() => { { const a = 1; k(() => a); } };", "() => { { var a = 1; k(() => a); } };"],
  ["of a loop", "() => { for (const a of g()) g(a); };", "() => { for (var a of g()) g(a); };"],
  [
    "of a counting loop",
    "() => { for (let i = 0; i < 2; i += 1) g(i); };",
    "() => { for (var i = 0; i < 2; i += 1) g(i); };",
  ],
  ["in a loop", "() => { while (g()) { const a = g(); g(a); } };", "() => { while (g()) { var a = g(); g(a); } };"],
  [
    "of a function in a loop",
    "for (const a of g()) k(() => { let b; return [a, b]; });",
    "for (const a of g()) k(() => { var b; return [a, b]; });",
  ],
  [
    "with the name of a property elsewhere",
    "() => { { const a = 1; g(a); } return g.a + g({ a: 1 }); };",
    "() => { { var a = 1; g(a); } return g.a + g({ a: 1 }); };",
  ],
  [
    "outside of one that has its name",
    "() => { const a = 1; { const a = 2; g(a); } g(a); };",
    "() => { var a = 1; { const a = 2; g(a); } g(a); };",
  ],
];

const left: readonly [string, string][] = [
  ["of a module, which esbuild decides about", "const a = 1; let b = 2; { const c = 3; }"],
  ["of a loop, kept by a closure", "() => { for (const a of g()) k(() => a); };"],
  ["of a counting loop, kept by a closure", "() => { for (let i = 0; i < 2; i += 1) k(() => i); };"],
  ["in a loop, kept by a closure", "() => { while (g()) { const a = g(); k(() => a); } };"],
  ["in a loop, kept by the field of a class", "() => { while (g()) { const a = g(); k(class { a = a; }); } };"],
  ["in a loop, kept by the block of a class", "() => { while (g()) { const a = g(); k(class { static { a; } }); } };"],
  ["in a block of a loop, kept by a closure", "() => { do { { let a = g(); k(() => a); } } while (g()); };"],
  ["in a loop, without a value", "() => { for (var n in g()) { let a; g(a); a = n; } };"],
  ["of a counting loop in a loop, without a value", "() => { while (g()) { for (let i; g(i); ) i = 1; } };"],
  ["of two blocks with the same name", "() => { { const a = 1; k(() => a); } { const a = 2; k(() => a); } };"],
  ["with the name of an outer variable that the function reads", "var a = 1; () => { { const a = 2; g(a); } g(a); };"],
  ["with the name of a parameter", "(a) => { { const a = 2; g(a); } return a; };"],
  ["with the name of a parameter of catch", "() => { try { g(); } catch ({ a }) { { const a = 1; g(a); } } };"],
  ["with the name of an outer variable in a default", "var a = 1; (b = () => a) => { const a = 2; return b() + a; };"],
  ["with the name of its function", "function a() { { const a = 1; g(a); } }"],
  ["of a case", "() => { switch (g()) { case 1: const a = 1; g(a); } };"],
  ["of a class's block", "class C { static { const a = 1; g(a); } }"],
  ["of a class", "() => { class A {} return A; };"],
];

describe("A variable becomes var", () => {
  test.each(rewritten)("%s", (_, before, after) => {
    expect(withoutDeadZones(before)).toBe(after);
  });
});

describe("A variable stays as it is", () => {
  test.each(left)("%s", (_, text) => {
    expect(withoutDeadZones(text)).toBe(text);
  });
});

/** What a program said, or undefined where it failed. */
function said(text: string): string | undefined {
  const told: unknown[] = [];
  const kept: (() => unknown)[] = [];
  let turns = 0;
  function turn(): number {
    turns += 1;
    if (turns > 200) throw new RangeError("This program does not end.");
    return turns;
  }
  const program: unknown = new Function("tell", "keep", "turn", "a", "b", "c", `"use strict"; return (${text})();`);
  try {
    const tell = (value: unknown) => told.push(value);
    const keep = (one: () => unknown) => kept.push(one);
    (program as (...given: readonly unknown[]) => void)(tell, keep, turn, "a", "b", "c");
    for (const one of [...kept, ...kept]) tell(one());
  } catch {
    return undefined;
  }
  return JSON.stringify(told);
}

const name = fc.constantFrom("a", "b", "c");

/** The beginning of a block: declarations of different names. */
const declarations = fc
  .uniqueArray(fc.tuple(name, fc.constantFrom("", " = turn()", ' = "d"')), { selector: ([declared]) => declared })
  .map((all) => all.map(([declared, value]) => `let ${declared}${value};`).join(" "));

/** Programs in which few names mean many variables. */
const { block } = fc.letrec<{ block: string; statement: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 4 },
    name.map((one) => `tell(${one});`),
    name.map((one) => `tell(${one}); ${one} = turn();`),
    name.map((one) => `keep(() => ${one});`),
    name.map((one) => `keep(() => (${one} += "!"));`),
    name.map((one) => `keep(() => new (class { ${one} = ${one}; })().${one});`),
    tie("block"),
    tie("block").map((body) => `(() => ${body})();`),
    tie("block").map((body) => `switch (1) { case 1: ${body} }`),
    fc.tuple(name, tie("block")).map(([one, body]) => `for (const ${one} of [1, 2]) ${body}`),
    fc
      .tuple(name, tie("block"))
      .map(([one, body]) => `for (let ${one} = 0; turn() && ${one} < 2; ${one} += 1) ${body}`),
    fc
      .tuple(name, tie("block"))
      .map(([one, body]) => `for (let i = 0, ${one}; i < 2; i += 1) { tell(${one}); ${one} = i; ${body} }`),
    fc.tuple(name, tie("block")).map(([one, body]) => `try { throw 3; } catch (${one}) { ${body} }`),
    fc
      .tuple(name, name, tie("block"))
      .map(([one, other, body]) => `((${one}, f = () => ${other}) => { ${body} tell(f()); })(5);`),
  ),
  block: fc
    .tuple(declarations, fc.array(tie("statement"), { maxLength: 5 }))
    .map(([first, others]) => `{ ${[first, ...others].join(" ")} }`),
}));

test("a program that ends without an error says the same as before", () => {
  fc.assert(
    fc.property(block, (body) => {
      const text = `() => ${body}`;
      const before = said(text);
      fc.pre(before !== undefined);
      expect(said(withoutDeadZones(text))).toBe(before);
    }),
    { numRuns: 1_000 },
  );
});
