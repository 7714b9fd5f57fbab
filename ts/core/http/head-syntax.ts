/**
 * The syntax of a head, read in one go: whether a complete head is well-formed, and what it says. Where it is not, or
 * is not complete, `head-check.ts` reads it by the same transitions and says why.
 */
import {
  type Characters,
  notAscii,
  spelled,
  type Transition,
  tokens,
  transitionTable,
} from "../grammar/transition-table.ts";
import { Fields, namesThatMatter } from "./fields.ts";
import { methodBytes, type RequestLimits } from "./limits.ts";

/** A well-formed head, taken apart and not yet understood. */
export interface HeadText {
  readonly method: string;
  readonly target: string;
  readonly fields: Fields;
  /** The version is HTTP/1.0. */
  readonly isOld: boolean;
}

/** tchar of RFC 9110, 5.6.2. */
export const token: Characters = ["!", "#'", "*+", "-.", "09", "AZ", "^z", "|", "~"];
/** VCHAR: what a request target is made of before its form is looked at. */
const visible: Characters = ["!~"];
/** What a field value may hold but for SP: HTAB, VCHAR and obs-text (RFC 9110, 5.5). */
export const opaque: Characters = ["\t", "!~", notAscii];

/** The letters with which the names begin that matter. */
function firstLetters(): Characters {
  const letters: string[] = [];
  for (const name of namesThatMatter) {
    const letter = name.charAt(0);
    if (!letters.includes(letter)) letters.push(letter, letter.toUpperCase());
  }
  return letters;
}

/**
 * RFC 9112, 5: the field lines and the empty line behind them. The tokens of a line are its name and its value without
 * the white space before it; one empty token for a line whose first letter shows that it does not matter.
 */
export const fieldLineTransitions = (): readonly Transition[] => [
  ["field line", token, "other name", "empty"],
  ["field line", firstLetters(), "name", "begin"],
  ["name", token, "name"],
  ["name", [":"], "before value", "end"],
  ["before value", opaque, "value", "begin"],
  ["before value", [" ", "\t"], "before value"],
  ["before value", ["\r"], "line end", "empty"],
  ["value", [" ", ...opaque], "value"],
  ["value", ["\r"], "line end", "end"],
  ["other name", token, "other name"],
  ["other name", [":"], "other value"],
  ["other value", [" ", ...opaque], "other value"],
  ["other value", ["\r"], "line end"],
  ["line end", ["\n"], "field line"],
  ["field line", ["\r"], "last line end"],
  ["last line end", ["\n"], "accepted"],
];

/** RFC 9112, 3 and 5. The tokens are the method, the target, and those of the field lines. */
export const headTransitions = (): readonly Transition[] => [
  ["request line", token, "method", "begin"],
  ["method", token, "method"],
  ["method", [" "], "before target", "end"],
  ["before target", visible, "target", "begin"],
  ["target", visible, "target"],
  ["target", [" "], "version", "end"],
  ...spelled("version", "HTTP/", "major"),
  ...spelled("major", "1.", "minor"),
  ["minor", ["01"], "version's end"],
  ...spelled("version's end", "\r\n", "field line"),
  ...fieldLineTransitions(),
];

const headTable = transitionTable(headTransitions());

/** Bytes of a request line beside its method and its target. */
const otherBytes = "  HTTP/1.1".length;

/** @param head with its empty line. @returns undefined for a head that `HeadCheck` refuses. */
export function matchHead(head: string, limits: RequestLimits): HeadText | undefined {
  const found = tokens(head, headTable);
  if (found === undefined) return undefined;
  const method = found[0] as string;
  const target = found[1] as string;
  if (method.length > methodBytes || target.length > limits.targetBytes) return undefined;
  const lineBytes = method.length + target.length + otherBytes;
  if (head.length - lineBytes - 4 > limits.headerBytes) return undefined;
  const fields = Fields.read(found, 2, limits.headerFields);
  return fields && { method, target, fields, isOld: head.charAt(lineBytes - 1) === "0" };
}
