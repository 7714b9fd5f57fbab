/** What a door exports: each name with its declaration, its doc comment and its members, read from the declarations. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import { API, type Project } from "typescript/unstable/sync";
import { type DocComment, parseDocComment } from "./doc-comment.ts";

/** A member of a class or an interface. */
export interface PublicMember {
  /** Without its doc comment. */
  readonly declaration: string;
  readonly doc: DocComment;
}

/** An exported name. */
export interface PublicName {
  readonly name: string;
  /** The heading that it stands under in the door's source. */
  readonly group: string;
  /** Of a class or an interface, the part before its members; of anything else, the whole. Without comments. */
  readonly declaration: string;
  readonly doc: DocComment;
  /** Those that are not private. */
  readonly members: readonly PublicMember[];
  /** The names of the types that it mentions. */
  readonly mentions: readonly string[];
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** Takes comments, empty lines and the indentation that they leave away. */
function withoutComments(text: string): string {
  return text
    .replace(comments, "")
    .split("\n")
    .map((line) => line.trimEnd().replace(/^( {4})+/, (spaces) => "  ".repeat(spaces.length / 4)))
    .filter((line) => line !== "")
    .join("\n");
}

function textOf(node: Node): string {
  return withoutComments(node.getText());
}

/** The last comment before a node. */
function docOf(node: Node): DocComment {
  const before = node.getSourceFile().text.slice(node.getFullStart(), node.getStart());
  const start = before.lastIndexOf("/**");
  return parseDocComment(start < 0 ? "" : before.slice(start).trim());
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
    return undefined;
  });
  return children;
}

function isPrivate(member: Node): boolean {
  return /^private\b/.test(textOf(member));
}

const memberKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Constructor,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodSignature,
]);

/** The names of types that are named within a node, private members apart; type parameters are its own. */
function mentionsOf(node: Node): string[] {
  const names: string[] = [];
  const parameters = new Set<string>();
  const visit = (one: Node): void => {
    if (memberKinds.has(one.kind) && isPrivate(one)) return;
    const children = childrenOf(one);
    const [first] = children;
    const name = children.find(({ kind }) => kind === SyntaxKind.Identifier);
    if (one.kind === SyntaxKind.TypeParameter && name !== undefined) parameters.add(name.getText());
    const isReference = one.kind === SyntaxKind.TypeReference || one.kind === SyntaxKind.ExpressionWithTypeArguments;
    if (isReference && first !== undefined) names.push(first.getText());
    for (const child of children) visit(child);
  };
  visit(node);
  return [...new Set(names)].filter((name) => !parameters.has(name)).toSorted();
}

/** Of `declare const a: T` the API gives the node of `a: T`; the doc comment is before the whole. */
function wholeOf(node: Node): Node {
  return node.kind === SyntaxKind.VariableDeclaration ? wholeOf(node.parent.parent) : node;
}

function read(name: string, group: string, declared: Node): PublicName {
  const node = wholeOf(declared);
  const hasMembers = node.kind === SyntaxKind.ClassDeclaration || node.kind === SyntaxKind.InterfaceDeclaration;
  const members = hasMembers ? childrenOf(node).filter((child) => memberKinds.has(child.kind)) : [];
  const text = node.getText();
  const declaration = withoutComments(hasMembers ? text.slice(0, text.indexOf("{")) : text).trimEnd();
  return {
    name,
    group,
    declaration: declaration.replace(/^export (declare )?/, ""),
    doc: docOf(node),
    members: members
      .filter((member) => !isPrivate(member))
      .map((member) => ({ declaration: textOf(member), doc: docOf(member) })),
    mentions: mentionsOf(node),
  };
}

/** The headings of a door's source, by the names that are exported under each. */
function groupsOf(source: string): Map<string, string> {
  const groups = new Map<string, string>();
  for (const [, title = "", body = ""] of source.matchAll(/^\/\/ (.*)\n((?:(?!\/\/ ).*\n)*)/gm)) {
    for (const [, names = ""] of body.matchAll(/export (?:type )?\{([^}]*)\}/g)) {
      for (const name of names.split(",")) groups.set(name.replace(/\btype\b/, "").trim(), title);
    }
  }
  return groups;
}

function readModule(project: Project, file: SourceFile, groups: ReadonlyMap<string, string>): PublicName[] {
  const module = project.checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${file.fileName} is no module`);
  return project.checker.getExportsOfModule(module).map((symbol) => {
    const [declared] = project.checker.getAliasedSymbol(symbol).declarations;
    const node = declared?.resolve(project);
    if (node === undefined) throw new Error(`${symbol.name} has no declaration`);
    return read(symbol.name, groups.get(symbol.name) ?? "", node);
  });
}

/**
 * @param root the repository's top.
 * @param folder the declarations, from `emitDeclarations`.
 * @param entry one of `entries`.
 * @returns its names, in the order of the door's source.
 */
export function readPublicNames(root: string, folder: string, entry: string): readonly PublicName[] {
  const api = new API({ cwd: folder });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve(folder, "tsconfig.json")] }).getProjects();
    const file = project?.program.getSourceFile(resolve(folder, entry));
    if (project === undefined || file === undefined) throw new Error(`${folder} has no ${entry}`);
    const groups = groupsOf(readFileSync(resolve(root, "ts", entry.replace(".d.ts", ".ts")), "utf8"));
    const order = [...groups.keys()];
    return readModule(project, file, groups).toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  } finally {
    api.close();
  }
}
