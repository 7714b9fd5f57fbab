/** The API report: every declaration that an application can rely on, and nothing else. It changes only on purpose. */
import type { PublicName } from "./public-names.ts";

function declare({ declaration, members }: PublicName): string {
  if (!/^(class|interface)/.test(declaration)) return declaration;
  if (members.length === 0) return `${declaration} {}`;
  const lines = members.flatMap((member) => member.declaration.split("\n").map((line) => `  ${line}`));
  return `${declaration} {\n${lines.join("\n")}\n}`;
}

/** @param modules what each door exports, by the name it is imported by. @returns the report, in Markdown. */
export function writeReport(modules: ReadonlyMap<string, readonly PublicName[]>): string {
  const parts = Array.from(modules, ([module, names]) => {
    const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return `## \`${module}\`\n\n\`\`\`ts\n${sorted.map(declare).join("\n\n")}\n\`\`\`\n`;
  });
  const head =
    "# The public API\n\nEvery declaration that an application can rely on. `npm run api` writes this file " +
    "from the source; a test compares\n" +
    "the two, so that the API changes only on purpose. What each name is for: " +
    "`npx nound help NAME`.\n";
  return [head, ...parts].join("\n");
}
