/** A grant: verbs on nouns. A token has one or several, a broker has one. */
import { isVerb, type Verb } from "../noun/verb.ts";

const nounPattern = /^(?:[A-Za-z0-9._~-]{1,64}|[A-Za-z0-9._~-]{0,63}\*)$/;

/** @returns whether a text is the name of a noun, or the beginning of a name followed by `*`. */
export function isNounPattern(text: string): boolean {
  return nounPattern.test(text);
}

/** The meaning of `*` in the column of verbs. */
export const allVerbs: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** @param column `GET,PUT` or `*`. @returns the verbs, which `Grant` checks. */
export function readVerbs(column: string): readonly Verb[] {
  return column === "*" ? allVerbs : (column.split(",") as Verb[]);
}

/** @param pattern of a grant, in lower case. @param noun in lower case. */
function matches(pattern: string, noun: string): boolean {
  return pattern.endsWith("*") ? noun.startsWith(pattern.slice(0, -1)) : noun === pattern;
}

/** @returns whether a noun of a grant, in any case, is this noun, or one of several with it. */
export function isNounOf(pattern: string, noun: string): boolean {
  return matches(pattern.toLowerCase(), noun);
}

/** The columns of verbs and nouns of a token file. */
export const grantPattern =
  /^(?:\*|(?:GET|PUT|POST|DELETE)(?:,(?:GET|PUT|POST|DELETE))*) +[A-Za-z0-9._~*-]+(?:,[A-Za-z0-9._~*-]+)*$/;

/** @param columns verbs and nouns, as in a token file. @throws TypeError saying what is malformed. */
export function grantOf(owner: string, columns: string): Grant {
  const [verbs = "", nouns = "", ...more] = columns.split(" ").filter((column) => column !== "");
  if (nouns === "" || more.length > 0) {
    throw new TypeError(`${owner} has two columns, verbs and nouns, with spaces between them.`);
  }
  return new Grant(owner, readVerbs(verbs), nouns.split(","));
}

export class Grant {
  readonly verbs: readonly Verb[];
  private readonly nouns: readonly string[];

  /**
   * @param owner begins the sentence of an error: `The token panel`.
   * @param nouns names of nouns. A `*` at the end of a name, or alone, matches any text.
   * @throws TypeError saying what is malformed.
   */
  constructor(owner: string, verbs: readonly Verb[], nouns: readonly string[]) {
    if (!verbs.every(isVerb)) throw new TypeError(`${owner} has a verb other than GET, PUT, POST and DELETE.`);
    if (!nouns.every(isNounPattern)) {
      throw new TypeError(`${owner} has a noun that is neither a name nor one with * at its end.`);
    }
    this.verbs = [...verbs];
    this.nouns = nouns.map((noun) => noun.toLowerCase());
  }

  /**
   * @param method a verb or another method. Other methods pass here, and the router refuses them.
   * @param noun in lower case.
   */
  allows(method: string, noun: string): boolean {
    const { verbs, nouns } = this;
    const isAllowed = method === "HEAD" ? verbs.includes("GET") : !isVerb(method) || verbs.includes(method);
    return isAllowed && nouns.some((pattern) => matches(pattern, noun));
  }
}
