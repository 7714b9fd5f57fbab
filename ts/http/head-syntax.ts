/**
 * The syntax of a head, read in one go: whether a complete head is well-formed, and what it says. Where it is not, or is not
 * complete, `head-check.ts` reads it by the same grammar and says why.
 */
import { type Field, type FieldNames, Fields, isFieldText, takeApart } from "./fields.ts";
import { tokenClass, visibleClass } from "./grammar.ts";
import { LastSeen } from "./last-seen.ts";
import { methodBytes, type RequestLimits } from "./limits.ts";
import { Recent } from "./recent.ts";
import type { Variation } from "./similar-heads.ts";

/** A request line taken apart. */
interface RequestLine {
  readonly method: string;
  readonly target: string;
}

/** A well-formed head, taken apart and not yet understood. */
export interface HeadText extends RequestLine {
  readonly fields: Fields;
  /** Whether each line was remembered: then the whole has probably been seen, too. */
  readonly repeated: boolean;
  /** Where all lines were remembered but that of one field that does not matter: what stands around its value. */
  readonly variation: Variation | undefined;
}

/** Of heads that are strange, one in so many is looked at line by line. */
const strangersEach = 32;
/** Characters at a head's end that tell it from others. */
const tailLength = 16;

/** The lines seen lately. Requests that differ share most of their lines, and looking one up costs a fifth of reading it. */
export class LineMemory {
  readonly requestLines = new Recent<RequestLine>(32, 256);
  readonly fieldLines = new Recent<Field>(64, 256);
  readonly fieldNames: FieldNames = new Map();
  /**
   * The beginnings of a strange head's lines, by their places: names and colons of those that do not matter, undefined for the others.
   * A client writes its fields in the same order each time; a line that begins so need not be taken apart, which is 100,000 instructions
   * of a head of fourteen new lines.
   */
  beginnings: readonly (string | undefined)[] = [];
  private readonly tails = new LastSeen(16);
  private strangers = 0;

  /** Remembers new field lines of a well-formed head, from their second sight on. */
  rememberLines(newLines: readonly string[]): void {
    for (const line of newLines) {
      const field = takeApart(line, this.fieldNames);
      if (field?.secret === false) this.fieldLines.add(line, field);
    }
  }

  /**
   * @param head one that is new in most of its lines. Its client may never repeat itself, and to look out for each of these lines
   *   would cost a fifth of reading the head.
   * @returns whether that is worth it: the head ends like one seen lately, or the last few did not.
   */
  isWorthRemembering(head: string): boolean {
    if (this.tails.again(head.slice(-tailLength))) return true;
    this.strangers = (this.strangers + 1) % strangersEach;
    return this.strangers === 1;
  }
}

/** @returns what a line begins with, up to its colon, where that is all there is to know of it. */
function beginningOf(line: string, index: number, count: number, names: FieldNames): string | undefined {
  if (index === 0 || index > count || takeApart(line, names)?.matters !== false) return undefined;
  return line.slice(0, line.indexOf(":") + 1);
}

const requestLinePattern = new RegExp(`^([${tokenClass}]+) ([${visibleClass}]+) HTTP/1\\.1$`);

function parseRequestLine(line: string): RequestLine | undefined {
  const match = requestLinePattern.exec(line);
  return match === null ? undefined : { method: match[1] ?? "", target: match[2] ?? "" };
}

/** @returns a request line that is not remembered, which it is from its second sight on; undefined when it is malformed. */
function takeRequestLine(memory: Recent<RequestLine>, line: string): RequestLine | undefined {
  const requestLine = parseRequestLine(line);
  if (requestLine !== undefined) memory.add(line, requestLine);
  return requestLine;
}

/** @param varying the index of the field line that varies. */
function variationOf(head: string, lines: readonly string[], varying: number): Variation {
  let start = 0;
  for (let index = 0; index < varying; index++) start += (lines[index] as string).length + 2;
  const line = lines[varying] as string;
  return { begin: head.slice(0, start + line.indexOf(":") + 1), end: head.slice(start + line.length) };
}

/**
 * @param head a head with the empty line at its end, and nothing behind it.
 * @returns undefined when the head is malformed, over a limit or of another HTTP version; `HeadCheck` knows which.
 */
export function matchHead(head: string, limits: RequestLimits, memory: LineMemory): HeadText | undefined {
  const lines = head.split("\r\n");
  const first = lines[0] ?? "";
  // Behind the last field line stand two line ends, and so two empty parts.
  const count = lines.length - 3;
  const knownLine = memory.requestLines.get(first);
  const requestLine = knownLine ?? takeRequestLine(memory.requestLines, first);
  if (requestLine === undefined) return undefined;
  const { method, target } = requestLine;
  if (method.length > methodBytes || target.length > limits.targetBytes) return undefined;
  if (head.length - first.length - 4 > limits.headerBytes || count > limits.headerFields) return undefined;
  const { fieldLines, fieldNames, beginnings } = memory;
  const fields = new Fields();
  const newLines: string[] = [];
  let last: Field | undefined; // the newest of them
  let varying = 0;
  for (let index = 1; index <= count; index++) {
    const line = lines[index] as string;
    // Where two lines are new, most are.
    const begin = newLines.length > 1 ? beginnings[index] : undefined;
    if (begin !== undefined && line.startsWith(begin)) {
      newLines[newLines.length] = line; // `push` is a call, at four times the cost
      continue;
    }
    let field = fieldLines.get(line);
    if (field === undefined) {
      field = takeApart(line, fieldNames);
      if (field === undefined) return undefined;
      newLines[newLines.length] = line;
      last = field;
      varying = index;
    }
    if (field.matters) fields.add(field);
  }
  const newCount = newLines.length;
  if (newCount > 0 && !isFieldText(newLines.join(""))) return undefined;
  if (2 * newCount <= count || fields.secret) memory.rememberLines(newLines);
  else if (memory.isWorthRemembering(head)) {
    memory.rememberLines(newLines);
    memory.beginnings = lines.map((line, index) => beginningOf(line, index, count, fieldNames));
  }
  const varies = newCount === 1 && last?.matters === false && knownLine !== undefined;
  return {
    method,
    target,
    fields,
    repeated: newCount === 0 && knownLine !== undefined,
    variation: varies ? variationOf(head, lines, varying) : undefined,
  };
}
