/** The field lines of a header section (RFC 9110, 5; RFC 9112, 5). */
import { fieldValueClass, tokenClass } from "./grammar.ts";

/** A field line taken apart. */
export interface Field {
  /** In lower case: field names are case-insensitive. */
  readonly name: string;
  /** Without the white space around it; "" where it does not matter. */
  readonly value: string;
  /** Whether this server uses it; it ignores most of what a browser sends. */
  readonly matters: boolean;
  /** Whether it holds credentials. Such a line is never remembered: looking it up would compare it byte by byte. */
  readonly secret: boolean;
}

const secretName = "authorization";

const namesThatMatter = new Set([
  "accept",
  "accept-encoding",
  "access-control-request-method",
  "access-control-request-private-network",
  secretName,
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "expect",
  "host",
  "if-match",
  "if-none-match",
  "origin",
  "transfer-encoding",
]);

const namePattern = new RegExp(`^[${tokenClass}]+$`);
/** Finds a character that no field value may hold. */
export const notInFieldValue = new RegExp(`[^${fieldValueClass}]`);

/**
 * Matches what has no such character. Eight at a time, and the rest one by one: this engine charges 150 instructions a byte for
 * the pattern above, and 60 for this one.
 */
const fieldText = new RegExp(`^(?:${`[${fieldValueClass}]`.repeat(8)})*${upTo(7, `[${fieldValueClass}]`)}$`);

/** @returns a pattern of so many in a row at most, which gives up at once where there is something else. */
function upTo(count: number, one: string): string {
  return count === 0 ? "" : `(?:${one}${upTo(count - 1, one)})?`;
}

/** Bytes of the longest text that `fieldText` is asked to match: it remembers its way back, at three bytes for each. */
const longestFieldText = 1024;

/** @returns whether a text could stand in a field line. */
export function isFieldText(text: string): boolean {
  return text.length > longestFieldText ? !notInFieldValue.test(text) : fieldText.test(text);
}

const noElements: readonly string[] = [];

/**
 * Takes OWS away from both ends (RFC 9110, 5.6.3). `trim` would take opaque bytes such as 0xA0 with it, and a pattern
 * anchored at the end looks at each run of white space within a value once for every character of the run.
 */
function withoutSurroundingWhiteSpace(text: string, whiteSpace = " \t"): string {
  let start = 0;
  let end = text.length;
  while (start < end && whiteSpace.includes(text.charAt(start))) start++;
  while (end > start && whiteSpace.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Field names of lines seen lately, as they were sent, and the field that each such line is: only of those that do not matter. */
export type FieldNames = Map<string, Field>;

/** Names that are remembered at most, and bytes of the longest. Beyond, all are forgotten: that is the cheapest. */
const nameCapacity = 64;
const longestName = 64;

/**
 * Takes a field line apart, and leaves its characters to `isFieldText`: many lines are looked through at once at half the cost.
 * @param line a field line without its line end.
 * @param names is added to.
 * @returns the field; undefined where the line has no name or no colon.
 */
export function takeApart(line: string, names: FieldNames): Field | undefined {
  const colon = line.indexOf(":");
  if (colon < 1) return undefined;
  const sent = line.slice(0, colon);
  const known = names.get(sent);
  if (known !== undefined) return known;
  const name = sent.toLowerCase();
  if (namesThatMatter.has(name)) {
    // A tab beside a transfer coding is white space to some recipients and an error to others: it is part of the value, and no coding.
    const value = withoutSurroundingWhiteSpace(line.slice(colon + 1), name === "transfer-encoding" ? " " : " \t");
    return { name, value, matters: true, secret: name === secretName };
  }
  if (!namePattern.test(name)) return undefined;
  const field = { name, value: "", matters: false, secret: false };
  if (names.size >= nameCapacity) names.clear();
  if (colon <= longestName) names.set(sent, field);
  return field;
}

/** The fields of one request that matter, by lower-case name. A name may stand on several lines. */
export class Fields {
  private readonly fields: Field[] = [];
  private holdsSecret = false;

  /** Whether there are credentials among them. */
  get secret(): boolean {
    return this.holdsSecret;
  }

  /** Adds the field of the next line; ignores one that does not matter. */
  add(field: Field): void {
    if (!field.matters) return;
    this.fields.push(field);
    if (field.secret) this.holdsSecret = true;
  }

  /** @returns whether these are the very same fields in the same order, each the same object. */
  same(other: Fields): boolean {
    if (this.fields.length !== other.fields.length) return false;
    for (let index = 0; index < this.fields.length; index++) {
      if (this.fields[index] !== other.fields[index]) return false;
    }
    return true;
  }

  /** @returns on how many lines this name stands. */
  count(name: string): number {
    let count = 0;
    for (let index = 0; index < this.fields.length; index++) {
      if (this.fields[index]?.name === name) count += 1;
    }
    return count;
  }

  /** @returns the field's value: those of its lines, joined by commas (RFC 9110, 5.3); undefined where there is no line. */
  value(name: string): string | undefined {
    let value: string | undefined;
    for (let index = 0; index < this.fields.length; index++) {
      const field = this.fields[index] as Field;
      if (field.name === name) value = value === undefined ? field.value : `${value},${field.value}`;
    }
    return value;
  }

  /** @returns the elements of a list-valued field in lower case, empty ones left out (RFC 9110, 5.6.1). */
  elements(name: string): readonly string[] {
    const value = this.value(name);
    if (value === undefined) return noElements;
    return value
      .split(",")
      .map((element) => withoutSurroundingWhiteSpace(element).toLowerCase())
      .filter((element) => element !== "");
  }
}
