import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { marks, withMeasurement } from "../../bench/document.ts";

const begin = "<!-- measured by npm run bench -->";
const end = "<!-- end of what was measured -->";

test("a measurement takes the place of the one before, and nothing else changes", () => {
  expect(withMeasurement(`# A\n\n${begin}\n\nold\n\n${end}\n\nB\n`, "new\n")).toBe(
    `# A\n\n${begin}\n\nnew\n\n${end}\n\nB\n`,
  );
});

test("a document without the marks is refused", () => {
  expect(() => withMeasurement("# A\n", "new")).toThrow(begin);
  expect(() => withMeasurement(`${end}\n${begin}\n`, "new")).toThrow(end);
});

test.each(Object.values(marks))("docs/dev/performance.md has the marks of what is %s", (...pair) => {
  const text = readFileSync(resolve(import.meta.dirname, "../../../docs/dev/performance.md"), "utf8");
  expect(withMeasurement(text, "new", pair)).toContain("new");
});
