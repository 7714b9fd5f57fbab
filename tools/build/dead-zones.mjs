/**
 * Makes `let` and `const` of functions `var`, wherever a program that reads no variable too early does the same then. At each
 * read of a `let` or `const`, the engine checks that the variable has a value yet (its temporal dead zone, ECMA-262, 14.3.1).
 * esbuild makes the variables of modules `var`, for the same reason.
 *
 * A program that reads a variable too early gets `undefined` instead of an error. So this is for nound's own modules, whose
 * tests run unchanged on Node. An application stays as its author wrote it.
 */

import { fullAncestor } from "acorn-walk";
import { edited, parseModule } from "./module-edits.mjs";

/** What has variables of its own, and may run later or more often than the code around it. */
const functions = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "PropertyDefinition",
  "StaticBlock",
]);
/** Loops that give their variable its value. */
const valueLoops = new Set(["ForInStatement", "ForOfStatement"]);
const loops = new Set([...valueLoops, "ForStatement", "WhileStatement", "DoWhileStatement"]);

/** @returns the innermost of the nodes around the last one that is of one of the types. */
function innermost(nodes, types) {
  return nodes.slice(0, -1).findLast(({ type }) => types.has(type));
}

/** @returns {boolean} whether a node lies in another one. */
function isIn(outer, { start }) {
  return outer.start <= start && start < outer.end;
}

/** @returns {{ names: Map<string, { start: number, within: object }[]>, declarations: object[][] }} */
function survey(program) {
  const names = new Map();
  const declarations = [];
  fullAncestor(program, (node, _, nodes) => {
    if (node.type === "Identifier") {
      const uses = names.get(node.name) ?? [];
      uses.push({ start: node.start, within: innermost(nodes, functions) });
      names.set(node.name, uses);
    } else if (node.type === "VariableDeclaration") {
      declarations.push([...nodes]);
    }
  });
  return { names, declarations };
}

/** @returns {string[]} the names that a pattern declares, and perhaps others that it reads. */
function namesIn(pattern) {
  const found = [];
  fullAncestor(pattern, (node) => {
    if (node.type === "Identifier") found.push(node.name);
  });
  return found;
}

/** Whether a declaration can begin with `var`. @param nodes those around it, and at the end the declaration. */
function canBeVar(nodes, names) {
  const declaration = nodes.at(-1);
  const block = nodes.at(-2);
  const owner = innermost(nodes, functions);
  if (!["let", "const"].includes(declaration.kind) || owner === undefined) return false;
  if (block.type !== "BlockStatement" && !loops.has(block.type)) return false;
  // Each turn of a loop has variables of its own. They begin without a value, and a closure may keep them.
  const isRepeated = nodes.slice(nodes.indexOf(owner), -1).some(({ type }) => loops.has(type));
  const getsValues = valueLoops.has(block.type) || declaration.declarations.every(({ init }) => init !== null);
  if (isRepeated && !getsValues) return false;
  return declaration.declarations
    .flatMap(({ id }) => namesIn(id))
    .every((name) => {
      const uses = names.get(name).filter((use) => isIn(owner, use));
      // Outside of the block, the name is another variable's.
      if (uses.some((use) => !isIn(block, use))) return false;
      return !isRepeated || uses.every(({ within }) => within === owner);
    });
}

/**
 * @param {string} text of a module.
 * @returns {string} the same lines.
 */
export function withoutDeadZones(text) {
  const { names, declarations } = survey(parseModule(text));
  const edits = declarations
    .filter((nodes) => canBeVar(nodes, names))
    .map((nodes) => nodes.at(-1))
    .map(({ start, kind }) => ({ start, end: start + kind.length, by: "var" }));
  return edited(text, edits);
}
