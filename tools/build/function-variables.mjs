/**
 * Declares variables of blocks by `var` where that means the same.
 *
 * The engine clears each `const` and `let` of a function when that begins, and checks it at each use, because a use
 * before the declaration must throw. A `var` takes neither. So a declaration becomes a `var` if all uses of its names
 * come behind it in its block, if no other variable of the function can be meant, and if no loop needs a new variable
 * in each turn. Any other one stays as it is. The text keeps its length, so each place in a stack trace stays, too.
 */

import { parseAst } from "rolldown/parseAst";
import { declared } from "./declared-names.mjs";

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "StaticBlock"]);
const loops = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
const blocks = new Set([...loops, ...functions, "BlockStatement", "SwitchStatement"]);

/** The place of a use that may be before anything else. */
const beforeAll = -1;

/** A function, and all that is in it, functions in it included. */
class FunctionScope {
  /** @param isHoisted whether it can be called before the place where it stands. */
  constructor(outer, isHoisted = false) {
    this.outer = outer;
    this.isHoisted = isHoisted;
    /**
     * The declarations that may become a `var`: `ends` has the end of each name's declarator, `isRepeated` whether a
     * loop has it, `isSet` whether all its names get a value.
     */
    this.candidates = [];
    /** Names that are bound in any other way. */
    this.others = new Set();
    /** Uses of each name, by their places in the text; `isInner` if a function in this one has it. */
    this.uses = new Map();
  }

  use(name, at, isInner) {
    const uses = this.uses.get(name);
    if (uses === undefined) this.uses.set(name, [{ at, isInner }]);
    else uses.push({ at, isInner });
    this.outer?.use(name, this.isHoisted ? beforeAll : at, true);
  }

  /** Whether a name of a candidate means the same if it is declared by `var`. */
  keepsMeaning(name, end, candidate) {
    if (this.others.has(name)) return false;
    const namesakes = this.candidates.filter((other) => other !== candidate && other.names.includes(name));
    const overlaps = (other) => other.block.start < candidate.block.end && candidate.block.start < other.block.end;
    if (namesakes.some(overlaps) || (namesakes.length > 0 && !candidate.isSet)) return false;
    return (this.uses.get(name) ?? []).every(({ at, isInner }) => {
      const isHere = at >= candidate.block.start && at < candidate.block.end;
      if (!isHere) return namesakes.some(({ block }) => at >= block.start && at < block.end);
      return at >= end && !(isInner && (candidate.isRepeated || namesakes.length > 0));
    });
  }

  /** @returns the places of the declarations that become `var`. */
  convertible() {
    let candidates = this.candidates;
    // Of variables with one name, all are converted or none.
    for (;;) {
      const kept = candidates.filter((candidate) =>
        candidate.names.every((name, index) => this.keepsMeaning(name, candidate.ends[index], candidate)),
      );
      if (kept.length === candidates.length) return candidates;
      const refused = candidates.filter((candidate) => !kept.includes(candidate));
      for (const { names } of refused) for (const name of names) this.others.add(name);
      this.candidates = kept;
      candidates = kept;
    }
  }
}

class Walk {
  constructor() {
    this.found = [];
  }

  /**
   * @param node of the syntax tree. @param scope of the innermost function; undefined outside of all.
   * @param block the innermost node with declarations of its own. @param isRepeated whether a loop of the function has
   * it.
   */
  visit(node, scope, block, isRepeated) {
    if (Array.isArray(node)) {
      for (const one of node) this.visit(one, scope, block, isRepeated);
      return;
    }
    if (node === null || typeof node?.type !== "string") return;
    if (functions.has(node.type)) this.visitFunction(node, scope);
    else if (node.type === "PropertyDefinition") {
      if (node.computed) this.visit(node.key, scope, block, isRepeated);
      this.visitInner(node.value, new FunctionScope(scope), node);
    } else if (node.type === "VariableDeclaration") this.visitDeclaration(node, scope, block, isRepeated);
    else if (node.type === "Identifier") scope?.use(node.name, node.start, false);
    else {
      if (node.type === "ClassDeclaration" || node.type === "ClassExpression") this.bind(node.id, scope);
      if (node.type === "CatchClause") for (const name of declared(node.param)) scope?.others.add(name);
      const inner = blocks.has(node.type) ? node : block;
      this.visitChildren(node, scope, inner, isRepeated || loops.has(node.type));
    }
  }

  bind(id, scope) {
    if (id !== null && id !== undefined) scope?.others.add(id.name);
  }

  visitChildren(node, scope, block, isRepeated) {
    for (const [key, value] of Object.entries(node)) {
      const isName =
        (key === "property" && node.type === "MemberExpression" && !node.computed) ||
        (key === "key" && (node.type === "Property" || node.type === "MethodDefinition") && !node.computed) ||
        (key === "label" && node.type !== "VariableDeclaration");
      if (!isName && typeof value === "object") this.visit(value, scope, block, isRepeated);
    }
  }

  visitFunction(node, outer) {
    if (node.type === "FunctionDeclaration") this.bind(node.id, outer);
    const scope = new FunctionScope(outer, node.type === "FunctionDeclaration");
    if (node.type !== "StaticBlock") for (const name of node.params.flatMap(declared)) scope.others.add(name);
    this.visitInner(node.params ?? null, scope, node);
    this.visitInner(node.body, scope, node);
    for (const { start, kind } of scope.convertible()) this.found.push({ start, kind });
  }

  visitInner(node, scope, block) {
    this.visit(node, scope, block, false);
  }

  visitDeclaration(node, scope, block, isRepeated) {
    const names = node.declarations.flatMap(({ id }) => declared(id));
    const isSet = node.declarations.every(({ init }) => init !== null) || block?.left === node;
    const isOrdinary = (node.kind === "const" || node.kind === "let") && block?.type !== "SwitchStatement";
    if (scope !== undefined && isOrdinary && (isSet || !isRepeated)) {
      const ends = node.declarations.flatMap(({ id, end }) => declared(id).map(() => end));
      scope.candidates.push({ start: node.start, kind: node.kind, names, block, ends, isRepeated, isSet });
    } else if (scope !== undefined) for (const name of names) scope.others.add(name);
    for (const { id, init } of node.declarations) {
      this.visitPattern(id, scope, block, isRepeated);
      this.visit(init, scope, block, isRepeated);
    }
  }

  /** The names of a pattern are no uses of them; its keys and defaults may have some of others. */
  visitPattern(pattern, scope, block, isRepeated) {
    switch (pattern?.type) {
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.computed) this.visit(property.key, scope, block, isRepeated);
          this.visitPattern(property.value ?? property.argument, scope, block, isRepeated);
        }
        break;
      case "ArrayPattern":
        for (const element of pattern.elements) this.visitPattern(element, scope, block, isRepeated);
        break;
      case "AssignmentPattern":
        this.visitPattern(pattern.left, scope, block, isRepeated);
        this.visit(pattern.right, scope, block, isRepeated);
        break;
      case "RestElement":
        this.visitPattern(pattern.argument, scope, block, isRepeated);
        break;
    }
  }
}

/** @param {string} text a module or a script, as esbuild prints it. @returns {string} as many characters. */
export function withFunctionVariables(text) {
  const walk = new Walk();
  walk.visit(parseAst(text), undefined, undefined, false);
  let result = "";
  let from = 0;
  for (const { start, kind } of walk.found.sort((one, other) => one.start - other.start)) {
    result += text.slice(from, start) + "var".padEnd(kind.length);
    from = start + kind.length;
  }
  return result + text.slice(from);
}
