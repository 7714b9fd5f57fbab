/** The links of Markdown pages. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The text of a page without its code, in which a link is not one. */
export function prose(path: string): string {
  return readFileSync(path, "utf8").replace(/^```.*?^```$/gms, "");
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(path: string): ReadonlySet<string> {
  const headings = [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
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

/** Whether a link of a page leads nowhere inside a folder. One to another site is not judged. */
function isWrong(folder: string, page: string, link: string): boolean {
  if (link === "") return true;
  if (/^[a-z]+:/.test(link)) return false;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (target.startsWith("..") || !existsSync(join(folder, target))) return true;
  return anchor !== undefined && !anchors(join(folder, target)).has(anchor);
}

/** @returns the links and pictures of a page that lead to no file in the folder, or to no heading of it. */
export function wrongLinks(folder: string, page: string): readonly string[] {
  const links = prose(join(folder, page)).matchAll(/\]\(([^()\s]*)\)|\bsrc(?:set)?="([^"]+)"/g);
  return [...links].map(([, link, image]) => link ?? image ?? "").filter((link) => isWrong(folder, page, link));
}
