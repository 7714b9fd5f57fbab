/** The pages in the packages of a release, whose links must not lead out of them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { wrongLinks } from "../../harness/page-links.ts";
import { top } from "../../harness/top.ts";

/** Calls a function of a module of tools/dist, and waits for its end. */
function call(module: string, name: string, ...args: readonly string[]): void {
  const script = `import { ${name} } from ${JSON.stringify(join(top, "tools/dist", module))};`;
  const words = args.map((word) => JSON.stringify(word)).join(", ");
  execFileSync("node", ["--input-type=module", "--eval", `${script} ${name}(${words});`], { stdio: "pipe" });
}

/** A folder that goes with the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-pages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the pages of the npm package, and of a project made with it, lead to its own files and headings", () => {
  const folder = temporaryFolder();
  call("npm-package.mjs", "copySources", folder);
  const template = readFileSync(join(folder, "cli/template/README.md"), "utf8");
  expect(template).toContain("](PATH-TO-NOUND/docs/");
  writeFileSync(join(folder, "project.md"), template.replaceAll("PATH-TO-NOUND", "."));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = files.filter((name) => name.endsWith(".md") && !name.startsWith("cli/template/"));
  expect(pages).toContain("docs/dev/releasing.md");
  expect(pages.flatMap((page) => wrongLinks(folder, page).map((link) => `${page}: ${link}`))).toEqual([]);
});

test("a link to a missing file becomes plain text, a missing screenshot goes, and code stays", () => {
  const page = [
    "# A page\n\n![the page](page.png)\n\nSee [here](here.md#part), [`there`](../there/README.md) and [you",
    "[2]](you.md), [this](#a-page), [all](https://example.org/).\n\n```\n[code](missing.md)\n\n![code](a.png)\n```\n",
  ].join("\n");
  const folder = temporaryFolder();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/page.md"), page);
  writeFileSync(join(folder, "docs/here.md"), "# Here\n\n## Part\n");
  call("packed-pages.mjs", "fitPage", folder, "docs/page.md");
  expect(readFileSync(join(folder, "docs/page.md"), "utf8")).toBe(
    [
      "# A page\n\nSee [here](here.md#part), `there` and you",
      "[2], [this](#a-page), [all](https://example.org/).\n\n```\n[code](missing.md)\n\n![code](a.png)\n```\n",
    ].join("\n"),
  );
});
