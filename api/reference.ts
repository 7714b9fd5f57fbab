/** The reference of the public API, from the doc comments. */
import type { DocComment } from "./doc-comment.ts";
import type { PublicMember, PublicName } from "./public-names.ts";

/** The anchor that GitHub gives a heading that is one name in code. */
function link(name: string): string {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

/** Makes a sentence of a remark. A unit keeps its small letter. */
function sentence(text: string): string {
  const first = /^(ms|ns|µs)\b/.test(text) ? "" : text.slice(0, 1).toUpperCase();
  return text === "" ? "" : `${first}${text.slice(first.length)}${/[.:!?]$/.test(text) ? "" : "."}`;
}

/** What a function takes, returns and throws, as sentences. */
function contract({ params, returns, throws }: DocComment): string[] {
  return [
    ...params.map(({ name, text }) => `\`${name}\`: ${sentence(text)}`),
    ...(returns === "" ? [] : [`Returns ${sentence(returns).replace(/^./, (first) => first.toLowerCase())}`]),
    ...(throws === "" ? [] : [`Throws ${sentence(throws)}`]),
  ];
}

function describeMember({ declaration, doc }: PublicMember): string {
  const code = declaration.replace(/\s*\n\s*/g, " ").replace(/;$/, "");
  const sentences = [sentence(doc.summary), ...contract(doc)].filter((text) => text !== "");
  return [`- \`${code}\``, ...sentences.map((text) => `  ${text}`)].join("\n");
}

function describeName({ name, declaration, doc, members, mentions }: PublicName, names: ReadonlySet<string>): string {
  const parts = [`### ${name}`, `\`\`\`ts\n${declaration}\n\`\`\``];
  if (doc.summary !== "") parts.push(sentence(doc.summary));
  const lines = contract(doc);
  if (lines.length > 0) parts.push(lines.map((line) => `- ${line}`).join("\n"));
  if (members.length > 0) parts.push(members.map(describeMember).join("\n"));
  if (doc.example !== "") parts.push(`\`\`\`ts\n${doc.example}\n\`\`\``);
  const others = mentions.filter((other) => other !== name && names.has(other));
  if (others.length > 0) parts.push(`See also ${others.map(link).join(", ")}.`);
  return parts.join("\n\n");
}

function describeModule(module: string, names: readonly PublicName[]): string {
  const known = new Set(names.map(({ name }) => name));
  const titles = [...new Set(names.map(({ group }) => group))];
  const groups = new Map(titles.map((title) => [title, names.filter(({ group }) => group === title)]));
  const index = Array.from(
    groups,
    ([group, members]) => `- ${group}: ${members.map((one) => link(one.name)).join(", ")}`,
  );
  const sections = Array.from(groups, ([group, members]) =>
    [`## ${group}`, ...members.map((member) => describeName(member, known))].join("\n\n"),
  );
  return [`# \`${module}\``, index.join("\n"), ...sections].join("\n\n");
}

/** @param modules what each door exports, by the name it is imported by. @returns the reference, in Markdown. */
export function writeReference(modules: ReadonlyMap<string, readonly PublicName[]>): string {
  const head =
    "<!-- Written by `npm run api` from the doc comments in ts/. Change them, not this file. -->\n\n" +
    "What an application can import. [writing-nouns.md](writing-nouns.md) shows how to use it all together.";
  return `${[head, ...Array.from(modules, ([module, names]) => describeModule(module, names))].join("\n\n")}\n`;
}
