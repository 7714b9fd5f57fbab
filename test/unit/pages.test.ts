/** The pages: each begins with its subject, and names the version of the project. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** All pages of docs/ that a person wrote, but those for developers, which are in docs/dev/. */
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "reference.md");

test("the file names in the pages have the version of the project", () => {
  const { version } = JSON.parse(read("package.json"));
  const texts = ["README.md", ...pages.map((name) => `docs/${name}`)].map(
    (page) => [page, [...read(page).matchAll(/(?:nound[-_]|VERSION=)(\d+\.\d+\.\d+)/g)]] as const,
  );
  expect(texts.flatMap(([, versions]) => versions).length).toBeGreaterThan(3);
  const others = texts.flatMap(([page, versions]) =>
    versions.filter(([, one]) => one !== version).map(([text]) => `${page}: ${text}`),
  );
  expect(others).toEqual([]);
});

const developerPages = readdirSync(join(root, "docs/dev")).filter((name) => name.endsWith(".md"));

test.each([...pages, ...developerPages.map((name) => `dev/${name}`)])("docs/%s begins with its subject", (page) => {
  expect(read(`docs/${page}`)).not.toMatch(/This page (?:is for|says|describes|lists|has)\b/);
});
