/** Which variables the build declares by `var`, and that a program means the same then. */
import { expect, test } from "vitest";
import { withFunctionVariables } from "../../../tools/build/function-variables.mjs";

/** @returns the body of a function after the build has been at it. */
const converted = (body: string) =>
  withFunctionVariables(`function f(p) {${body}}`).slice("function f(p) {".length, -1);

test.each([
  ["const a = p; return a;", "var   a = p; return a;"],
  ["let a = p; a += 1; return a;", "var a = p; a += 1; return a;"],
  ["let a; if (p) a = 1; return a;", "var a; if (p) a = 1; return a;"],
  ["const { a, b: [c = p] } = p; return a + c;", "var   { a, b: [c = p] } = p; return a + c;"],
  ["const a = p; return () => a;", "var   a = p; return () => a;"],
  ["for (const a of p) g(a);", "for (var   a of p) g(a);"],
  ["for (let i = 0; i < p; i++) g(i);", "for (var i = 0; i < p; i++) g(i);"],
  ["while (p()) { const a = 1; g(a); }", "while (p()) { var   a = 1; g(a); }"],
  ["{ const a = 1; g(a); } { const a = 2; g(a); }", "{ var   a = 1; g(a); } { var   a = 2; g(a); }"],
  ["return class { m() { const a = p; return a; } };", "return class { m() { var   a = p; return a; } };"],
  ["const a = p.a; return { a: a, b: p.b };", "var   a = p.a; return { a: a, b: p.b };"],
])("%s becomes %s", (body, expected) => {
  expect(converted(body)).toBe(expected);
});

test.each([
  ["each turn of a loop has its own, for a function", "for (const a of p) g(() => a);"],
  ["each turn of a loop has its own, for a function in a block", "while (p()) { const a = 1; g(() => a); }"],
  ["each turn of a loop begins without a value", "while (p()) { let a; if (p.b) a = 1; g(a); }"],
  ["its value uses it", "const a = () => a; return a;"],
  ["it is used before it is declared", "g(() => a); const a = 1; return a;"],
  ["a function that can be called earlier uses it", "h(); const a = 1; function h() { return a; }"],
  ["it hides a parameter", "{ const p = 1; g(p); }"],
  ["it hides another variable", "const a = 1; { const a = 2; g(a); } return a;"],
  ["it hides one from outside of the function", "{ const a = 1; g(a); } return a;"],
  ["it hides one of a catch", "try { g(); } catch (a) { { const a = 1; g(a); } }"],
  ["a case may be entered behind it", "switch (p) { case 1: const a = 1; g(a); break; default: g(a); }"],
  ["a namesake would give it its value", "{ const a = 1; g(a); } { let a; g(a); }"],
  ["a function has a namesake", "{ const a = 1; g(() => a); } { const a = 2; g(a); }"],
])("a variable stays as it is if %s", (_, body) => {
  expect(converted(body)).toBe(body);
});

test("what is outside of all functions stays as it is", () => {
  const text = "const a = 1; { let b = a; g(b); } for (const c of d) g(c);";
  expect(withFunctionVariables(text)).toBe(text);
});

test.each([
  "const all = []; for (let i = 0; i < 3; i++) { const j = 2 * i; all.push(() => i + j); } return all.map((g) => g());",
  "const all = []; for (const i of [1, 2]) { let last; all.push(last); last = i; } return all;",
  "const a = []; for (const i of [1, 2]) { { const k = i; a.push(k); } { const k = -i; a.push(k); } } return a;",
  "const x = 1; const g = (y = x) => { const x = y + 1; return x; }; return [g(), x];",
  "try { return y; } catch (error) { const name = error.name; return name; } const y = 1;",
  "class C { static { const s = 3; C.t = s; } f = () => { const s = 5; return s; }; } return [C.t, new C().f()];",
])("%s gives the same", (body) => {
  const text = `function f() {${body}}`;
  const result = (program: string): unknown => new Function(`${program}; return f();`)();
  const after = withFunctionVariables(text);
  expect(after).toHaveLength(text.length);
  expect(after).not.toBe(text);
  expect(result(after)).toEqual(result(text));
});
