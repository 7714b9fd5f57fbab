/** The pages: each begins with its subject, names the version of the project, and files that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** All pages of docs/ that a person wrote, but those for developers, which are in docs/dev/. */
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));

/** A file as a page names it: from the root, or below test/. */
const namedFile =
  /`((?:ts|native|cli|cmake|test|tools|examples|packaging)\/[\w./-]+\.\w+)`|`((?:unit|e2e|hostile|fuzz|harness)\/[\w./-]+\.\w+)`/g;

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

test("the files of the repository that the pages name exist", () => {
  // The tutorial's are those of the reader's project.
  const all = [...pages.filter((page) => page !== "tutorial.md"), ...developerPages.map((name) => `dev/${name}`)];
  const named = all.flatMap((page) =>
    Array.from(read(`docs/${page}`).matchAll(namedFile), ([, path = "", below = ""]) => ({
      page,
      path: path === "" ? `test/${below}` : path,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
