/**
 * Conditions of Wiren Board's templates, such as `(mode==1||isDefined(gain))&&x!=0`, for the parameters' defaults.
 *
 *     holds("mode == 1", { mode: 1 }); // true
 */

const token = /\s*(\|\||&&|[=!<>]=|[<>!()]|isDefined|[A-Za-z_][A-Za-z0-9_]*|-?[0-9]+(?:\.[0-9]+)?)/y;

/** @returns whether a condition holds. @throws Error if it is none. */
export function holds(condition, values) {
  const words = [];
  token.lastIndex = 0;
  while (token.lastIndex < condition.trimEnd().length) {
    const found = token.exec(condition);
    if (found === null) throw new Error(`a condition cannot be read: ${condition}`);
    words.push(found[1]);
  }
  let at = 0;
  const take = (word) => {
    if (words[at] !== word) return false;
    at += 1;
    return true;
  };

  function primary() {
    if (take("(")) {
      const inner = either();
      if (!take(")")) throw new Error(`a condition lacks a parenthesis: ${condition}`);
      return inner;
    }
    if (take("!")) return !primary();
    if (take("isDefined")) {
      take("(");
      const name = words[at++];
      take(")");
      return values[name] !== undefined;
    }
    const word = words[at++];
    return /^[-0-9]/.test(word ?? "") ? Number(word) : values[word];
  }

  function comparison() {
    const left = primary();
    if (take("==")) return left === primary();
    if (take("!=")) return left !== primary();
    if (take("<=")) return left <= primary();
    if (take(">=")) return left >= primary();
    if (take("<")) return left < primary();
    if (take(">")) return left > primary();
    return Boolean(left);
  }

  function both() {
    let result = comparison();
    while (take("&&")) result = comparison() && result;
    return result;
  }

  function either() {
    let result = both();
    while (take("||")) result = both() || result;
    return result;
  }

  const result = either();
  if (at < words.length) throw new Error(`a condition cannot be read: ${condition}`);
  return result;
}
