/**
 * Requests that differ from one seen before in one place: the value of a field that does not matter, such as a cookie or the number of a
 * request, or the body, or the noun's name. What is around that place is compared as a whole. This saves 103,000 instructions of a
 * browser's request, 91,000 of a PUT of a new state, and 32,000 of a GET of another noun. It costs a head that is new in every line 7,000.
 */
import { nameThatMatters } from "../http/fields.ts";
import { isFieldText, isTargetText } from "../http/head-syntax.ts";
import type { RequestLimits } from "../http/limits.ts";
import type { Request } from "./request.ts";

/**
 * What differs. Nothing looks at such a value: the request is the same. A body is read as any other. Behind a target's first slash may be
 * whatever a target may hold: its head is admitted as any other.
 */
type Place = "value" | "body" | "target";

/** A request that was performed, and where another one may differ from it. */
export interface SimilarRequest {
  readonly request: Request;
  /** All that is before that place: whole lines, and a field's name and colon; or the whole head. */
  readonly begin: string;
  /** All that is behind it, from the line's end to the last byte; nothing behind the body. */
  readonly end: string;
  readonly place: Place;
  /** Whether a text may be there; undefined where any may. A value of several lines is none: its CR is the first byte that it may not hold. */
  readonly check: ((text: string) => boolean) | undefined;
  /** Bytes that it has at least and at most. */
  readonly shortest: number;
  readonly longest: number;
}

/** How many are kept. To compare with one in vain costs 1,500 instructions. */
const capacity = 4;

/** Bytes that a target may have behind its slash here: no noun's name is longer. */
const longestName = 64;

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
  /** What is in the place where the request that was found last differs. */
  text = "";
  /** A ring. */
  private readonly kept: SimilarRequest[] = [];
  private next = 0;
  private readonly limits: RequestLimits;
  private readonly longest: number;

  /** @param longest bytes of the longest request that is found. */
  constructor(limits: RequestLimits, longest: number) {
    this.limits = limits;
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
      const text = bytes.slice(begin.length, behind);
      const { check } = similar;
      if (check !== undefined && !check(text)) continue;
      this.text = text;
      return similar;
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
    const longest = Math.min(this.limits.headerBytes - section, this.longest - around);
    this.add({ request, begin, end, place: "value", check: isFieldText, shortest: 0, longest });
    return true;
  }

  /** Keeps a request for those that differ from it in the body alone. @param head all of its bytes before the body. */
  addBody(head: string, request: Request): void {
    const length = request.head.contentLength;
    this.add({ request, begin: head, end: "", place: "body", check: undefined, shortest: length, longest: length });
  }

  /** Keeps a request for those that differ from it in the name behind the target's first slash. @param bytes of one without a body. */
  addTarget(bytes: string, request: Request): void {
    const { target } = request.head;
    if (!target.startsWith("/")) return;
    const slash = bytes.indexOf("/");
    const begin = bytes.slice(0, slash + 1);
    const end = bytes.slice(slash + target.length);
    const longest = Math.min(longestName, this.limits.targetBytes - 1);
    this.add({ request, begin, end, place: "target", check: isTargetText, shortest: 1, longest });
  }

  /** Forgets all. */
  clear(): void {
    this.kept.length = 0;
    this.next = 0;
  }

  private add(similar: SimilarRequest): void {
    // To assign behind the end is not the same in quickjs-ng 0.17.0: if there is no memory, the array is longer and lacks an element.
    if (this.kept.length < capacity) this.kept.push(similar);
    else this.kept[this.next] = similar;
    this.next = (this.next + 1) % capacity;
  }
}
