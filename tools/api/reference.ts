/**
 * The reference of the public API, from the doc comments: what a reader calls comes first, types that follow from
 * others last.
 */
import type { Described } from "./described.ts";
import type { DocComment } from "./doc-comment.ts";
import type { PublicMember, PublicName } from "./public-names.ts";

const lineLength = 120;

/** Wraps a text. Code stays on one line. @param indent the spaces before each line but the first. */
function wrap(text: string, indent = 0): string {
  const lines: string[] = [""];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && indent + line.length + 1 + word.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

/** The anchor that GitHub gives a heading that is one name in code. */
function link(name: string): string {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

/** Makes a sentence of a remark. A unit keeps its small letter. */
function sentence(text: string): string {
  const first = /^[mnµ]?s\b/.test(text) ? "" : text.slice(0, 1).toUpperCase();
  return text === "" ? "" : `${first}${text.slice(first.length)}${/[.:!?]$/.test(text) ? "" : "."}`;
}

/** The arguments, the result and the errors of a function, as sentences. */
function contract({ params, returns, throws }: DocComment): string[] {
  return [
    ...params.map(({ name, text }) => `\`${name}\`: ${sentence(text)}`),
    ...(returns === "" ? [] : [`Returns ${sentence(returns).replace(/^./, (first) => first.toLowerCase())}`]),
    ...(throws === "" ? [] : [`Throws ${sentence(throws)}`]),
  ];
}

/** Almost every property is read-only, so the word tells a reader little. */
function shownCode(declaration: string): string {
  return declaration.replace(/\breadonly /g, "");
}

function shownMember({ declaration }: PublicMember): string {
  return shownCode(declaration)
    .replace(/\s*\n\s*/g, " ")
    .replace(/;$/, "");
}

function describeMember(member: PublicMember): string {
  const { doc } = member;
  const sentences = [sentence(doc.summary), ...contract(doc)].filter((text) => text !== "");
  return [`- \`${shownMember(member)}\``, ...sentences.map((text) => `  ${wrap(text, 2)}`)].join("\n");
}

/** Whether a reader gets it from a function, and neither calls nor constructs it. */
function isType({ declaration, members }: PublicName): boolean {
  const isConstructed = members.some((member) => member.declaration.startsWith("constructor"));
  return /^(?:interface|type) /.test(declaration) || (declaration.startsWith("class") && !isConstructed);
}

const computed = /^(type \w+<[^=]*>) = Spelt<[\s\S]*$/;

/** A type that is computed from another one tells a reader nothing beyond its name: its example does. */
function shownDeclaration({ declaration }: PublicName): string {
  return shownCode(declaration.replace(computed, "$1;"));
}

/** The example of a function shows the types of its arguments, too. Editors show the examples of all types. */
function shownExample(one: PublicName): string {
  const isImplemented = /\bimplements\b/.test(one.doc.example);
  return !isType(one) || computed.test(one.declaration) || isImplemented ? one.doc.example : "";
}

/** The types that many others mention: whoever reads of one of those has seen them. */
const everywhere = new Set([
  "Level",
  "Microseconds",
  "Milliseconds",
  "Nanoseconds",
  "Noun",
  "NounDescription",
  "State",
]);

function describeName(one: PublicName, names: ReadonlySet<string>, described?: Described): string {
  const { name, doc, members, mentions } = one;
  const parts = [`#### ${name}`];
  const shown = shownDeclaration(one);
  // Its heading is all that this would show.
  if (shown !== `interface ${name}`) parts.push(`\`\`\`ts\n${shown}\n\`\`\``);
  if (doc.summary !== "") parts.push(wrap(sentence(doc.summary)));
  const lines = contract(doc);
  if (lines.length > 0) parts.push(lines.map((line) => `- ${wrap(line, 2)}`).join("\n"));
  const isElsewhere = ({ declaration }: PublicMember): boolean =>
    described?.describes(/^\w+/.exec(shownCode(declaration))?.[0] ?? "") === true;
  const own = members.filter((member) => !isElsewhere(member));
  if (own.length > 0) parts.push(own.map(describeMember).join("\n"));
  const others = members.filter(isElsewhere).map((member) => `\`${shownMember(member)}\``);
  if (others.length > 0) parts.push(wrap(`${described?.link} describes ${others.join(", ")}.`));
  const example = shownExample(one);
  if (example !== "") parts.push(`\`\`\`ts\n${example}\n\`\`\``);
  const linked = mentions.filter((other) => other !== name && names.has(other) && !everywhere.has(other));
  if (linked.length > 0) parts.push(wrap(`See also ${linked.map(link).join(", ")}.`));
  return parts.join("\n\n");
}

/** Functions, classes and values first, in the order of the source; then the types that they take and give. */
function inReadersOrder(names: readonly PublicName[]): PublicName[] {
  return [...names.filter((name) => !isType(name)), ...names.filter(isType)];
}

/** The contents of a group: one line for each thing to call, or one for all types if there is nothing to call. */
function contentsOf(group: string, names: readonly PublicName[]): string {
  const rows = names.filter((name) => !isType(name)).map(({ name, doc }) => ({ name: link(name), what: firstOf(doc) }));
  const list = rows.map(({ name, what }) => `- ${wrap(`${name}: ${what}`, 2)}`).join("\n");
  const types = wrap(`${names.map(({ name }) => link(name)).join(", ")}.`);
  return [`**${group}**`, rows.length === 0 ? types : list].join("\n\n");
}

/** The first sentence of a summary, to follow a colon. */
function firstOf({ summary }: DocComment): string {
  const [first = ""] = /^.*?(?=[.:;](?: |$)|$)/.exec(summary) ?? [];
  return /^[A-Z][a-z ]/.test(first) ? `${first.slice(0, 1).toLowerCase()}${first.slice(1)}` : first;
}

function groupsOf(names: readonly PublicName[]): Map<string, PublicName[]> {
  const titles = [...new Set(names.map(({ group }) => group))];
  return new Map(titles.map((title) => [title, inReadersOrder(names.filter(({ group }) => group === title))]));
}

function describeModule(module: string, names: readonly PublicName[], describedBy: DescribedBy): string {
  const known = new Set(names.map(({ name }) => name));
  const groups = groupsOf(names);
  const contents = Array.from(groups, ([group, members]) => contentsOf(group, members));
  const sections = Array.from(groups, ([group, members]) =>
    [`### ${group}`, ...members.map((member) => describeName(member, known, describedBy(member.name)))].join("\n\n"),
  );
  return [`## \`${module}\``, ...contents, ...sections].join("\n\n");
}

type DescribedBy = (type: string) => Described | undefined;

/**
 * @param modules the exports of each door, by the name it is imported by.
 * @param describedBy the section of another page that describes the options of a type.
 * @returns the reference, in Markdown.
 */
export function writeReference(modules: ReadonlyMap<string, readonly PublicName[]>, describedBy: DescribedBy): string {
  const head = [
    "<!-- Written by `npm run api` from the doc comments in ts/. Change them, not this file. -->",
    "# Reference",
    wrap(
      "Everything that an application can import from `nound`, and its tests from `nound/testing`. " +
        "[writing-nouns.md](writing-nouns.md) shows how to use it. In each part, functions and classes come first, " +
        "then their types. The word `readonly` and the examples of types are left out here; " +
        "an editor shows them.",
    ),
  ];
  const parts = Array.from(modules, ([module, names]) => describeModule(module, names, describedBy));
  return `${[...head, ...parts].join("\n\n")}\n`;
}
