/** Reads the answers of a server, as strictly as RFC 9112 lets it write them. All suites read by it, too. */
import type { State } from "../../core/noun/state.ts";

/** One answer: a final one, or an interim one (1xx). */
export interface Answer {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  /** Field values by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  /** The content, one character a byte. A stream of events has none here: it follows until the connection ends. */
  readonly content: string;
  /** How many bytes the answer takes. */
  readonly length: number;
}

const statusLine = /^HTTP\/1\.1 ([1-5][0-9]{2}) ([\x21-\x7e][\x20-\x7e]*)$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;

function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value] = fieldLine.exec(line) ?? [];
    if (value === undefined) throw new Error(`Not a field line: ${JSON.stringify(line)}`);
    if (fields.has(name.toLowerCase())) throw new Error(`The field ${name} came twice.`);
    fields.set(name.toLowerCase(), value);
  }
  return fields;
}

/** @returns the length that the fields announce (RFC 9112, 6); 0 of an answer without content. */
function contentLength(status: number, fields: ReadonlyMap<string, string>): number {
  if (fields.has("transfer-encoding")) throw new Error("An answer has a Transfer-Encoding.");
  const value = fields.get("content-length");
  const hasNone =
    status < 200 || status === 204 || status === 304 || fields.get("content-type") === "text/event-stream";
  if (hasNone !== (value === undefined)) throw new Error(`An answer of ${status} has the Content-Length ${value}.`);
  if (value !== undefined && !/^(?:0|[1-9][0-9]*)$/.test(value)) throw new Error(`Not a length: ${value}`);
  return Number(value ?? 0);
}

/**
 * @param bytes what was received, one character a byte.
 * @param isBodiless whether the answer is to a HEAD, and so has no content whatever its fields announce (RFC 9110,
 * 9.3.2).
 * @returns the first answer, or undefined while it is not complete.
 * @throws Error when the bytes cannot become an answer.
 */
export function readAnswer(bytes: string, isBodiless = false): Answer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.slice(0, headEnd).split("\r\n");
  const [, digits, reason] = statusLine.exec(first) ?? [];
  if (digits === undefined || reason === undefined) throw new Error(`Not a status line: ${JSON.stringify(first)}`);
  const status = Number(digits);
  const fields = readFields(lines);
  const announced = contentLength(status, fields);
  const start = headEnd + 4;
  const length = start + (isBodiless ? 0 : announced);
  return bytes.length < length ? undefined : { status, reason, fields, content: bytes.slice(start, length), length };
}

/** @param method of the request. @returns the first final answer, or undefined while it is not complete. */
export function finalAnswer(bytes: string, method?: string): Answer | undefined {
  const answer = readAnswer(bytes, method === "HEAD");
  return answer !== undefined && answer.status < 200 ? finalAnswer(bytes.slice(answer.length), method) : answer;
}

/** @returns the state, or the problem document, of an answer; an empty one if its content is not JSON. */
export function bodyOf({ fields, content }: Answer): State {
  const isJson = /^application\/(?:[^ ;]+\+)?json *(?:;|$)/i.test(fields.get("content-type") ?? "");
  return content === "" || !isJson ? {} : (JSON.parse(decodeUtf8(content)) as State);
}

/** @returns the content as text; if it is not UTF-8, such as a compressed page, one character a byte. */
export function textOf({ content }: Answer): string {
  try {
    return decodeUtf8(content);
  } catch {
    return content;
  }
}

/** @param bytes one character a byte. */
export function decodeUtf8(bytes: string): string {
  const percent = bytes.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return decodeURIComponent(percent);
}

/** @returns one character a byte. */
export function encodeUtf8(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
