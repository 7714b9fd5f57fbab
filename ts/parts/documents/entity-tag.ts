/** Entity tags (RFC 9110, 8.8.3) and the conditions that name them (13.1.1 and 13.1.2). */
import type { Fields } from "../../core/http/fields.ts";
import type { Hash } from "../../native/hash.ts";

/** The length of an entity tag: enough characters of a SHA-256 that two documents never have the same. */
const tagLength = 32;

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
/** `W/` is case-sensitive (8.8.3). Only one part of the pattern can match a white space. */
const listOfTags =
  /^[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ,]*$/;

/** @returns the strong entity tag of a text, with its quotation marks. */
export function entityTagOf(text: string, hash: Hash | undefined): string {
  return `"${hash?.sha256(text).slice(0, tagLength)}"`;
}

/**
 * @param condition the value of an `If-None-Match` or `If-Match` field.
 * @param tag the strong entity tag of the current representation, with its quotation marks.
 * @param comparison `weak` for If-None-Match, `strong` for If-Match: a weak tag then equals no other (8.8.3.2).
 * @returns whether the field names the tag, or is `*`. A malformed list names no tag.
 */
export function namesTag(condition: string, tag: string, comparison: "weak" | "strong"): boolean {
  if (condition.trim() === "*") return true;
  if (!listOfTags.test(condition)) return false;
  return Array.from(condition.matchAll(entityTag)).some(
    ([, weak, opaque]) => opaque === tag && (comparison === "weak" || weak === undefined),
  );
}

/**
 * @param tag the strong entity tag of the current representation, with its quotation marks.
 * @returns the status that a GET or HEAD has by its conditions (RFC 9110, 13.2.2).
 */
export function conditionalStatus({ values }: Fields, tag: string): 200 | 304 | 412 {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = values;
  if (ifMatch !== undefined && !namesTag(ifMatch, tag, "strong")) return 412;
  return ifNoneMatch !== undefined && namesTag(ifNoneMatch, tag, "weak") ? 304 : 200;
}
