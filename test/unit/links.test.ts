/** Every link between the pages leads to a file, and to a heading of it. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { prose, wrongLinks } from "../harness/page-links.ts";

const root = join(import.meta.dirname, "../..");
const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);

/** The pages of a folder. */
function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
}

const userPages = pagesIn("docs");
const developerPages = pagesIn("docs/dev");
const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "examples/README.md",
  ...userPages,
  ...developerPages,
  ...examples.filter((page) => existsSync(join(root, page))),
];

test("there are pages", () => {
  expect(pages.length).toBeGreaterThan(20);
});

test.each(pages)("the links of %s lead somewhere", (page) => {
  expect(wrongLinks(root, page)).toEqual([]);
});

test.each([
  {
    map: "README.md",
    reached: ["docs/README.md", "examples/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  },
  { map: "docs/README.md", reached: [...userPages, "docs/dev/README.md"] },
  { map: "docs/dev/README.md", reached: developerPages },
])("$map leads to every page below it", ({ map, reached }) => {
  const text = prose(join(root, map));
  const away = reached.filter((page) => page !== map && !text.includes(`(${relative(dirname(map), page)}`));
  expect(away).toEqual([]);
});
