/**
 * Calls what a group of modules exports without a function that stands for it.
 *
 * A stand-in (tools/bundle/deferred.mjs) is an object of 0.2 KB that every start makes, and most of them are only
 * called. So `name(1)` becomes `standIn("name", 1)`, and `new Name()` becomes `new standIn("Name")`. A name that a
 * module uses in any other way, or declares once more, keeps its stand-in there.
 */

import { parseAst } from "rolldown/parseAst";
import { declared } from "./declared-names.mjs";

/** Functions, whose parameters are names of their own. */
const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** The only parts of TypeScript's own nodes that are there when a program runs. */
const expressions = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** What a module does with the names that it imports from groups. */
class Uses {
  /** @param {ReadonlyMap<string, object>} names the import of each name. */
  constructor(names) {
    this.names = names;
    this.calls = [];
    /** Names that a stand-in must stand for. */
    this.kept = new Set();
  }

  visit(node) {
    if (Array.isArray(node)) {
      for (const one of node) this.visit(one);
      return;
    }
    if (node === null || typeof node?.type !== "string" || node.type === "ImportDeclaration") return;
    if (node.type.startsWith("TS") && !expressions.has(node.type)) return;
    this.noteDeclarations(node);
    const isCall = (node.type === "CallExpression" && !node.optional) || node.type === "NewExpression";
    if (isCall && this.names.has(node.callee.name)) {
      this.calls.push(node);
      this.visit(node.arguments);
    } else if (node.type === "Identifier") this.kept.add(node.name);
    else this.visitChildren(node);
  }

  noteDeclarations(node) {
    const patterns = functions.has(node.type) ? [node.id, ...node.params] : [];
    if (node.type === "VariableDeclarator" || node.type.startsWith("Class")) patterns.push(node.id);
    if (node.type === "CatchClause") patterns.push(node.param);
    for (const name of patterns.flatMap(declared)) this.kept.add(name);
  }

  visitChildren(node) {
    for (const [key, value] of Object.entries(node)) {
      const isName = !node.computed && (key === "key" || (key === "property" && node.type === "MemberExpression"));
      if (!isName && typeof value === "object") this.visit(value);
    }
  }
}

/** @returns the names of an import that a program has, by the names in the module. */
const importedNames = ({ specifiers }) =>
  specifiers.filter(({ type, importKind }) => type === "ImportSpecifier" && importKind !== "type");

const localName = (loader) => loader.replace(/\W/g, "_");

/**
 * @param {string} text a module in TypeScript.
 * @param {(path: string) => { loader: string, first: string } | undefined} callOf how functions of an imported path
 *   are called: the module whose `standIn` does it, and what that takes first. Undefined for what no other group has.
 * @returns {string} the module that calls what it can.
 */
export function withDirectCalls(text, callOf) {
  if (!text.includes("import")) return text;
  const { body } = parseAst(text, { lang: "ts" });
  const imports = body.filter(
    ({ type, importKind, source }) =>
      type === "ImportDeclaration" && importKind !== "type" && callOf(source.value) !== undefined,
  );
  const names = new Map(
    imports.flatMap((one) =>
      importedNames(one).map(({ local, imported }) => [
        local.name,
        { imported: imported.name, ...callOf(one.source.value) },
      ]),
    ),
  );
  if (names.size === 0) return text;
  const uses = new Uses(names);
  uses.visit(body);
  const edits = [];
  for (const { callee, typeArguments, arguments: args, end } of uses.calls) {
    const { imported, loader, first } = names.get(callee.name);
    if (uses.kept.has(callee.name)) continue;
    const open = text.indexOf("(", typeArguments?.end ?? callee.end);
    if (open < 0 || open >= end) {
      uses.kept.add(callee.name); // `new Name` without parentheses
      continue;
    }
    edits.push({ name: callee.name, start: callee.start, end: callee.end, text: localName(loader) });
    const separator = args.length > 0 ? ", " : "";
    edits.push({
      name: callee.name,
      start: open + 1,
      end: open + 1,
      text: `${first}${JSON.stringify(imported)}${separator}`,
    });
  }
  const made = edits.filter(({ name }) => !uses.kept.has(name));
  const direct = new Set(made.map(({ name }) => name));
  for (const one of imports) {
    const rest = one.specifiers.filter(({ local }) => !direct.has(local.name));
    if (rest.length === one.specifiers.length) continue;
    const { loader } = callOf(one.source.value);
    const kept = rest.map(({ start, end }) => text.slice(start, end)).join(", ");
    const still = kept === "" ? "" : `import { ${kept} } from ${JSON.stringify(one.source.value)};`;
    made.push({ start: one.start, end: one.end, text: still, loader });
  }
  let result = "";
  for (const loader of new Set(made.flatMap((one) => one.loader ?? [])))
    result += `import { standIn as ${localName(loader)} } from "${loader}";`;
  let from = 0;
  for (const { start, end, text: replacement } of made.sort((one, other) => one.start - other.start)) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}
