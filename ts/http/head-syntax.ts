/**
 * The syntax of a head, in two passes over the same grammar.
 *
 * `matchHead` takes a complete head in one go and says only whether it is well-formed. `checkHead` takes any beginning of
 * one and names the first byte at which it can no longer become well-formed. It runs only when the first found nothing or
 * the head is not complete, so an ordinary request never pays for it, and a client that sends a bad byte and then waits is
 * answered at once. Because the verdict falls at the first bad byte, it does not depend on how the bytes were cut.
 */
import { type Field, type FieldNames, Fields, isFieldText, notInFieldValue, takeApart } from "./fields.ts";
import { tokenClass, visibleClass } from "./grammar.ts";
import { HttpError } from "./http-error.ts";
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
const strangersEach = 8;
/** Characters at a head's end that tell it from others. */
const tailLength = 16;

/** The lines seen lately. Requests that differ share most of their lines, and looking one up costs a fifth of reading it. */
export class LineMemory {
  readonly requestLines = new Recent<RequestLine>(32, 256);
  readonly fieldLines = new Recent<Field>(64, 256);
  readonly fieldNames: FieldNames = new Map();
  private readonly tails = new LastSeen(16);
  private strangers = 0;

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
 * @returns undefined when the head is malformed, over a limit or of another HTTP version; `checkHead` knows which.
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
  const { fieldLines, fieldNames } = memory;
  const fields = new Fields();
  const newLines: string[] = [];
  const newFields: Field[] = [];
  let varying = 0;
  for (let index = 1; index <= count; index++) {
    const line = lines[index] as string;
    let field = fieldLines.get(line);
    if (field === undefined) {
      field = takeApart(line, fieldNames);
      if (field === undefined) return undefined;
      newLines[newLines.length] = line; // `push` is a call, at four times the cost
      newFields[newFields.length] = field;
      varying = index;
    }
    if (field.matters) fields.add(field);
  }
  const newCount = newLines.length;
  if (newCount > 0 && !isFieldText(newLines.join(""))) return undefined;
  if (2 * newCount <= count || fields.secret || memory.isWorthRemembering(head)) {
    for (let index = 0; index < newCount; index++) {
      const field = newFields[index] as Field;
      if (!field.secret) fieldLines.add(newLines[index] as string, field);
    }
  }
  const varies = newCount === 1 && newFields[0]?.matters === false && knownLine !== undefined;
  return {
    method,
    target,
    fields,
    repeated: newCount === 0 && knownLine !== undefined,
    variation: varies ? variationOf(head, lines, varying) : undefined,
  };
}

function badRequest(detail: string): HttpError {
  return HttpError.closing(400, detail);
}

const methodStart = new RegExp(`^[${tokenClass}]*`);
const targetStart = new RegExp(`^[${visibleClass}]*`);
const versionPattern = /^HTTP\/[0-9]\.[0-9]$/;
const versionStart = /^(?:H(?:T(?:T(?:P(?:\/(?:[0-9](?:\.[0-9]?)?)?)?)?)?)?)?$/;

function requestLineError(): HttpError {
  return badRequest(
    "The request line is not a method, a target and HTTP/1.1, parted by single spaces and ended by CR LF.",
  );
}

/** @param rest what follows the second space, up to the line end where that has come. */
function checkVersion(rest: string, lineEnds: boolean): void {
  // A CR may be the first half of the line end that is still to come.
  const version = !lineEnds && rest.endsWith("\r") ? rest.slice(0, -1) : rest;
  const ended = version !== rest || lineEnds;
  if (!(ended ? versionPattern : versionStart).test(version)) throw requestLineError();
  if (lineEnds && version !== "HTTP/1.1") {
    throw HttpError.closing(505, "This server speaks HTTP/1.1 and no other version.");
  }
}

/** Throws when no continuation of `line` is a request line. @param lineEnds whether CR LF followed it. */
function checkRequestLine(line: string, lineEnds: boolean, limits: RequestLimits): void {
  const method = methodStart.exec(line)?.[0] ?? "";
  if (method.length > methodBytes) throw HttpError.closing(501, "The method is longer than any this server knows.");
  if (method.length === line.length && !lineEnds) return;
  if (method === "" || line.charAt(method.length) !== " ") throw requestLineError();

  const afterMethod = line.slice(method.length + 1);
  const target = targetStart.exec(afterMethod)?.[0] ?? "";
  if (target.length > limits.targetBytes) {
    throw HttpError.closing(414, `The request target is longer than ${limits.targetBytes} bytes.`);
  }
  if (target.length === afterMethod.length && !lineEnds) return;
  if (target === "" || afterMethod.charAt(target.length) !== " ") throw requestLineError();
  checkVersion(afterMethod.slice(target.length + 1), lineEnds);
}

/** Throws when no continuation of `line` is a field line. @param lineEnds whether CR LF followed it. */
function checkFieldLine(line: string, lineEnds: boolean): void {
  const name = methodStart.exec(line)?.[0] ?? "";
  const afterName = line.charAt(name.length);
  if (afterName === "" && !lineEnds) return;
  if (afterName === " " || afterName === "\t") {
    if (name === "")
      throw badRequest("A field line begins with white space; line folding is not accepted (RFC 9112, 5.2).");
    throw badRequest("White space stands between a field's name and its colon (RFC 9112, 5.1).");
  }
  if (afterName !== ":" || name === "") throw badRequest("A field line does not begin with a name and a colon.");
  const bad = line.search(notInFieldValue);
  // The last character of an unfinished line may be the CR of its line end.
  if (bad >= 0 && (lineEnds || bad < line.length - 1 || line.charAt(bad) !== "\r")) {
    throw badRequest("A field's value holds a control character, or its line does not end with CR LF.");
  }
}

/**
 * Throws when no continuation of `section` is a header section within the limits. The empty line at its end does not count
 * against them.
 * @param section what follows the request line's end.
 */
function checkHeaderSection(section: string, limits: RequestLimits): void {
  let start = 0;
  for (let fields = 1; start < section.length; fields++) {
    if (section.charAt(start) === "\r") {
      const next = section.charAt(start + 1);
      if (next !== "" && next !== "\n") throw badRequest("A CR without LF stands where a field line should begin.");
      return;
    }
    if (fields > limits.headerFields) {
      throw HttpError.closing(431, `The header section has more than ${limits.headerFields} fields.`);
    }
    const end = section.indexOf("\r\n", start);
    const lineEnds = end >= 0 && end + 2 <= limits.headerBytes;
    // Only bytes within the limit are looked at: the first byte over it is an error before any that follows it.
    checkFieldLine(section.slice(start, lineEnds ? end : limits.headerBytes), lineEnds);
    if (!lineEnds) {
      if (section.length > limits.headerBytes) {
        throw HttpError.closing(431, `The header section is longer than ${limits.headerBytes} bytes.`);
      }
      return;
    }
    start = end + 2;
  }
}

/**
 * Looks for the first byte with which `text` stops being the beginning of a well-formed head.
 * @param text the bytes received since the end of the last request, an ignored empty line left out.
 * @throws HttpError (400, 414, 431, 501 or 505, all closing) at that byte. Returns when there is none so far.
 */
export function checkHead(text: string, limits: RequestLimits): void {
  const end = text.indexOf("\r\n");
  checkRequestLine(end < 0 ? text : text.slice(0, end), end >= 0, limits);
  if (end >= 0) checkHeaderSection(text.slice(end + 2), limits);
}
