/**
 * Requests stored as templates: later requests may differ from one in its body, or in the value of a field that no part
 * of the server uses, such as a cookie. Everything around that place must be equal.
 *
 *     templates.add(bytes, request); // PUT /led ... {"led":1}
 *     templates.find(otherBytes); // PUT /led ... {"led":0}, with the state of its own body
 */
import { nameThatMatters } from "../http/fields.ts";
import { isFieldText } from "../http/head-syntax.ts";
import type { RequestLimits } from "../http/limits.ts";
import type { Refusal, Request } from "./admitted-request.ts";
import type { Service } from "./service.ts";

/** A request, and the place in which another one may differ from it. */
interface Template {
  readonly request: Request;
  /** All bytes before that place: whole lines and a field's name and colon, or the whole head. */
  readonly begin: string;
  /** All bytes behind it, from the line's end to the last byte; none behind a body. */
  readonly end: string;
  readonly place: "value" | "body";
  /** The number of bytes that may be in that place. */
  readonly shortest: number;
  readonly longest: number;
}

/** The number of templates. Each one costs a request that is not like it a comparison. */
const capacity = 4;

/** @returns whether two requests have the same target and field values that matter, and share a template. */
function haveSameValues(one: Request, other: Request): boolean {
  if (one.head.target !== other.head.target) return false;
  const { values } = one.head.fields;
  for (const name in values) if (values[name] !== other.head.fields.values[name]) return false;
  return true;
}

/**
 * @param other a request that looks like the first. It only shows where to look.
 * @returns the bytes around the first value of an unused field in which they differ; undefined if they differ elsewhere
 * before.
 */
function aroundValue(bytes: string, other: string): { readonly begin: string; readonly end: string } | undefined {
  const lines = bytes.split("\r\n");
  const others = other.split("\r\n");
  let start = 0;
  let index = 0;
  // The request line is the first one, and the body is behind the first empty one.
  for (; lines[index] === others[index]; index++) {
    if (lines[index] === "") return undefined;
    start += (lines[index] as string).length + 2;
  }
  const line = lines[index] as string;
  const name = line.slice(0, line.indexOf(":"));
  if (index === 0 || nameThatMatters(name) !== "" || others[index]?.startsWith(`${name}:`) !== true) return undefined;
  return { begin: bytes.slice(0, start + name.length + 1), end: bytes.slice(start + line.length) };
}

export class RequestTemplates {
  private readonly limits: RequestLimits;
  private readonly service: Pick<Service, "readBody">;
  private readonly longest: number;
  /** A ring. */
  private readonly kept: Template[] = [];
  private next = 0;
  /** The request that was parsed last, and its bytes. */
  private last: Request | undefined;
  private lastBytes = "";

  /** @param longest bytes of the longest request that is found. */
  constructor(limits: RequestLimits, service: Pick<Service, "readBody">, longest: number) {
    this.limits = limits;
    this.service = service;
    this.longest = longest;
  }

  /** @param bytes all that was received. @returns the request that they are, if a template fits. */
  find(bytes: string): Request | Refusal | undefined {
    const { kept } = this;
    for (let index = 0; index < kept.length; index++) {
      const { begin, end, shortest, longest, place, request } = kept[index] as Template;
      const behind = bytes.length - end.length;
      const length = behind - begin.length;
      if (length < shortest || length > longest) continue;
      // Cut out and compared at once: `startsWith` and `endsWith` go character by character.
      if (bytes.slice(0, begin.length) !== begin || bytes.slice(behind) !== end) continue;
      const text = bytes.slice(begin.length, behind);
      if (place === "body") return this.service.readBody(request, text);
      // A value of several lines is none: its CR is the first byte that a field's value may not have.
      if (isFieldText(text)) return request;
    }
    return undefined;
  }

  /** Makes a template of a request. @param bytes all of its bytes. */
  add(bytes: string, request: Request): void {
    const { last, lastBytes } = this;
    this.last = request;
    this.lastBytes = bytes;
    const sides = last !== undefined && haveSameValues(request, last) ? aroundValue(bytes, lastBytes) : undefined;
    const { contentLength } = request.head;
    if (sides !== undefined) {
      const { begin, end } = sides;
      const around = begin.length + end.length;
      const section = around - contentLength - (bytes.indexOf("\r\n") + 4);
      const longest = Math.min(this.limits.headerBytes - section, this.longest - around);
      this.keep({ request, begin, end, place: "value", shortest: 0, longest });
    } else if (contentLength > 0) {
      const begin = bytes.slice(0, bytes.length - contentLength);
      this.keep({ request, begin, end: "", place: "body", shortest: contentLength, longest: contentLength });
    }
  }

  /** Forgets all. */
  clear(): void {
    this.kept.length = 0;
    this.next = 0;
    this.last = undefined;
    this.lastBytes = "";
  }

  private keep(template: Template): void {
    // To assign behind the end is not the same in quickjs-ng 0.17.0: if there is no memory, the array is longer and
    // lacks an element.
    if (this.kept.length < capacity) this.kept.push(template);
    else this.kept[this.next] = template;
    this.next = (this.next + 1) % capacity;
  }
}
