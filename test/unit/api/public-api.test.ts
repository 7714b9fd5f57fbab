/** The public API: its documents, its doc comments, and that it is whole. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { explanations } from "../../../cli/help.mjs";
import { readModules, writeDocuments } from "../../../tools/api/documents.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const modules = readModules(root);

test.each([...writeDocuments(modules)])("%s is what `npm run api` writes", (path, text) => {
  expect(readFileSync(join(root, path), "utf8")).toBe(text);
});

test.each([...modules.values()].flat().map(({ name }) => name))("`nound help %s` shows its comment", (name) => {
  const text = explanations(name).at(-1);
  expect(text).toMatch(/^\/\*\*[\s\S]+\*\/\nexport /);
  expect(text).not.toMatch(/^ +private /m);
});

/** Types of the language, which need no export. */
const global = new Set([
  "ArrayBufferLike",
  "Error",
  "Exclude",
  "Map",
  "NoInfer",
  "Omit",
  "Partial",
  "Promise",
  "Uint8Array",
]);
/** Types that a declaration computes with, and that nobody has to name. */
const internal = new Set(["DeclaredShape", "OptionalKeys", "ReadOnlyKeys", "Spelt", "ValueOf"]);

describe.each([...modules])("%s", (_module, names) => {
  test("exports names, each under a heading", () => {
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(({ group }) => group === "").map(({ name }) => name)).toEqual([]);
  });

  test.each(names.map((name) => [name.name, name] as const))("says what %s is for, with an example", (_, { doc }) => {
    expect(doc.summary).toMatch(/^.{10,}[.:]$/);
    expect(doc.example).not.toBe("");
  });

  test("says of each member what it is", () => {
    const silent = names.flatMap(({ name, members }) =>
      members
        .filter(
          ({ declaration, doc }) =>
            `${doc.summary}${doc.returns}${doc.throws}` === "" && doc.params.length === 0 && /\(|:/.test(declaration),
        )
        .map(({ declaration }) => `${name}: ${declaration}`),
    );
    expect(silent).toEqual([]);
  });

  test("exports every type that it mentions", () => {
    const exported = new Set([...modules.values()].flat().map(({ name }) => name));
    const missing = names.flatMap(({ name, mentions }) =>
      mentions
        .filter((mention) => !exported.has(mention) && !global.has(mention) && !internal.has(mention))
        .map((mention) => `${name} mentions ${mention}`),
    );
    expect(missing).toEqual([]);
  });
});
