/** Lists of values with weights (RFC 9110, 12.4.2): those of Accept and Accept-Encoding. */

/** Characters of the longest list that is read. A browser's `Accept` has about 150. */
const longestList = 512;

// Each pattern continues where the last one ended. Only one part of a pattern can match a white space, so no text makes
// them go back and forth.
const separators = /[\t ,]*/y;
const value = /[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?/y;
const spaces = /[\t ]*/y;
/** A parameter, which may be empty (5.6.6). Its value is a token or a quoted string (5.6.4). */
const parameter = /;[\t ]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\]|\\.)*")[\t ]*)?/y;
const weight = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * @returns the weight of each value in lower case, the highest one of a value that occurs more than once. Undefined for
 *   a list that is malformed or too long. Parameters other than `q` have no effect.
 */
export function readWeights(list: string): ReadonlyMap<string, number> | undefined {
  if (list.length > longestList) return undefined;
  const weights = new Map<string, number>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(list);
    at += found?.[0].length ?? 0;
    return found;
  };
  for (take(separators); at < list.length; take(separators)) {
    const name = take(value)?.[0].toLowerCase();
    if (name === undefined) return undefined;
    take(spaces);
    let given = "1";
    for (let found = take(parameter); found !== null; found = take(parameter)) {
      if (found[1]?.toLowerCase() === "q") given = found[2] as string;
    }
    const isEnded = at === list.length || list.charAt(at) === ",";
    if (!isEnded || !weight.test(given)) return undefined;
    weights.set(name, Math.max(Number(given), weights.get(name) ?? 0));
  }
  return weights;
}
