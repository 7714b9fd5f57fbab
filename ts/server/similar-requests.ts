/**
 * Requests that differ from one seen before in one place that nothing but the noun looks at: the value of a field that does not matter, such as
 * a cookie or the number of a request, or the body. What is around that place is compared as a whole: 65,000 instructions of a
 * browser's request, and 45,000 of a PUT of a new state.
 */
import { nameThatMatters } from "../http/fields.ts";
import { isFieldText } from "../http/head-syntax.ts";
import type { Request } from "./request.ts";

/** A request that was performed, and where another one may differ from it. */
export interface SimilarRequest {
  readonly request: Request;
  /** All that is before that place: whole lines, and a field's name and colon; or the whole head. */
  readonly begin: string;
  /** All that is behind it, from the line's end to the last byte; nothing behind the body. */
  readonly end: string;
  /** Whether that place is the body. Then the request's state is another one. */
  readonly isBody: boolean;
  /** Bytes that it has at least and at most. */
  readonly shortest: number;
  readonly longest: number;
}

/** How many are kept. To compare with one in vain costs 1,500 instructions. */
const capacity = 4;

/**
 * @param other one that looks like the request. It only tells where to look.
 * @returns what is around the first value of a field that does not matter in which they differ; undefined where they differ elsewhere before.
 */
function aroundValue(bytes: string, other: string): { readonly begin: string; readonly end: string } | undefined {
  const lines = bytes.split("\r\n");
  const others = other.split("\r\n");
  const index = lines.findIndex((line, at) => line !== others[at]);
  // The request line is the first one, and the body is behind the first empty one.
  if (index < 1 || lines.indexOf("") < index) return undefined;
  const line = lines[index] as string;
  const name = line.slice(0, line.indexOf(":"));
  if (nameThatMatters(name) !== "" || others[index]?.startsWith(`${name}:`) !== true) return undefined;
  const start = lines.slice(0, index).join("\r\n").length + 2;
  return { begin: bytes.slice(0, start + name.length + 1), end: bytes.slice(start + line.length) };
}

/** The similar requests of one server. */
export class SimilarRequests {
  /** A ring. */
  private readonly kept: SimilarRequest[] = [];
  private next = 0;
  private readonly headerBytes: number;
  private readonly longest: number;

  /** @param headerBytes bytes that all field lines of a head may have. @param longest bytes of the longest request that is found. */
  constructor(headerBytes: number, longest: number) {
    this.headerBytes = headerBytes;
    this.longest = longest;
  }

  /** @param bytes of a read. @returns the request that they are similar to, when they are exactly one. */
  find(bytes: string): SimilarRequest | undefined {
    const { kept } = this;
    for (let index = 0; index < kept.length; index++) {
      const similar = kept[index] as SimilarRequest;
      const { begin, end } = similar;
      const behind = bytes.length - end.length;
      const length = behind - begin.length;
      if (length < similar.shortest || length > similar.longest) continue;
      // Cut out and compared at once: `startsWith` and `endsWith` go character by character, at six times the cost.
      if (bytes.slice(0, begin.length) !== begin || bytes.slice(behind) !== end) continue;
      // A value of several lines is none: its CR is the first byte that no value may hold.
      if (similar.isBody || isFieldText(bytes.slice(begin.length, behind))) return similar;
    }
    return undefined;
  }

  /**
   * Keeps a request for those that differ from it where it differs from another one.
   * @param headLength bytes of its head.
   * @returns whether that is in the value of a field that does not matter.
   */
  addValue(bytes: string, other: string, headLength: number, request: Request): boolean {
    const sides = aroundValue(bytes, other);
    if (sides === undefined) return false;
    const { begin, end } = sides;
    const around = begin.length + end.length;
    const section = around - (bytes.length - headLength) - (bytes.indexOf("\r\n") + 4);
    const longest = Math.min(this.headerBytes - section, this.longest - around);
    this.add({ request, begin, end, isBody: false, shortest: 0, longest });
    return true;
  }

  /** Keeps a request for those that differ from it in the body alone. @param head all of its bytes before the body. */
  addBody(head: string, request: Request): void {
    const length = request.head.contentLength;
    this.add({ request, begin: head, end: "", isBody: true, shortest: length, longest: length });
  }

  /** Forgets all. */
  clear(): void {
    this.kept.length = 0;
    this.next = 0;
  }

  private add(similar: SimilarRequest): void {
    this.kept[this.next] = similar;
    this.next = (this.next + 1) % capacity;
  }
}
