/** Every link between the pages leads to a file, and to a heading of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

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

/** The text of a page without its code, in which a link is not one. */
function prose(page: string): string {
  return readFileSync(join(root, page), "utf8").replace(/^```.*?^```/gms, "");
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): ReadonlySet<string> {
  const headings = [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const made = headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(
    made.map((anchor, index) => {
      const before = made.slice(0, index).filter((other) => other === anchor).length;
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** @returns why a link of a page leads nowhere; undefined for a right one, and for one to another site. */
function fault(page: string, link: string): string | undefined {
  if (link === "") return "no address";
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return "no such file";
  if (anchor !== undefined && !anchors(target).has(anchor)) return "no such heading";
  return undefined;
}

test("there are pages", () => {
  expect(pages.length).toBeGreaterThan(20);
});

test.each(pages)("the links of %s lead somewhere", (page) => {
  const links = [...prose(page).matchAll(/\]\(([^()\s]*)\)|\bsrc(?:set)?="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? "",
  );
  expect(links.filter((link) => fault(page, link) !== undefined)).toEqual([]);
});

test.each([
  {
    map: "README.md",
    reached: ["docs/README.md", "examples/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  },
  { map: "docs/README.md", reached: [...userPages, "docs/dev/README.md"] },
  { map: "docs/dev/README.md", reached: developerPages },
])("$map leads to every page below it", ({ map, reached }) => {
  const text = prose(map);
  const away = reached.filter((page) => page !== map && !text.includes(`(${relative(dirname(map), page)}`));
  expect(away).toEqual([]);
});
