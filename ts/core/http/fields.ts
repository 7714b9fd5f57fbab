/** The field lines of a header section (RFC 9110, 5; RFC 9112, 5). */

/** The fields that this server uses. It ignores most fields of a browser. */
export const namesThatMatter = [
  "accept",
  "accept-encoding",
  "access-control-request-method",
  "access-control-request-private-network",
  "authorization",
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
  "x-nound-hops",
];

const noElements: readonly string[] = [];

/**
 * Removes OWS from both ends (RFC 9110, 5.6.3). `trim` would also remove 0xA0, and a pattern anchored at the end takes
 * quadratic time.
 */
export function withoutSurroundingWhiteSpace(text: string, whiteSpace = " \t"): string {
  let start = 0;
  let end = text.length;
  while (start < end && whiteSpace.includes(text.charAt(start))) start++;
  while (end > start && whiteSpace.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The lower-case names by the spellings that most clients use: `content-type` and `Content-Type`. */
const spellings = new Map<string, string>();
for (const name of namesThatMatter) {
  const capitals = name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  spellings.set(name, name).set(capitals.join("-"), name);
}

/** Names of other fields that begin as one that matters, by the spellings that browsers use. */
for (const name of ["accept-language", "Accept-Language", "cookie", "Cookie"]) spellings.set(name, "");

/** @param sent a field's name. @returns the name in lower case; "" if the field does not matter. */
export function nameThatMatters(sent: string): string {
  return spellings.get(sent) ?? spellings.get(sent.toLowerCase()) ?? "";
}

/** The fields of one request that matter, by lower-case name. Several lines may have the same name. */
export class Fields {
  /** The values by lower-case name: those of a name's lines, joined by commas (RFC 9110, 5.3). */
  readonly values: { [name: string]: string | undefined } = Object.create(null);
  /** The number of lines of each name that has more than one. */
  declare private counts: Map<string, number> | undefined;

  static {
    Fields.prototype.counts = undefined;
  }

  /**
   * @param tokens those of `fieldLineTransitions`, from `first` on.
   * @param most the largest number of lines.
   * @returns undefined if there are more lines.
   */
  static read(tokens: readonly string[], first: number, most: number): Fields | undefined {
    const fields = new Fields();
    const { values } = fields;
    const { length } = tokens;
    let pairs = 0;
    for (let index = first; index < length; index++) {
      const sent = tokens[index] as string;
      if (sent === "") continue;
      pairs += 1;
      index += 1;
      const name = spellings.get(sent) ?? nameThatMatters(sent);
      if (name === "") continue;
      const value = tokens[index] as string;
      // SP and HTAB are the only characters up to SP. Recipients disagree on a tab behind a transfer coding: it stays,
      // and makes that no coding.
      const isTrimmed = !(value.charCodeAt(value.length - 1) <= 0x20);
      const whiteSpace = name === "transfer-encoding" ? " " : " \t";
      const trimmed = isTrimmed ? value : withoutSurroundingWhiteSpace(value, whiteSpace);
      if (values[name] === undefined) values[name] = trimmed;
      else fields.addLine(name, trimmed);
    }
    return length - first - pairs > most ? undefined : fields;
  }

  private addLine(name: string, value: string): void {
    this.counts ??= new Map();
    this.counts.set(name, this.count(name) + 1);
    this.values[name] = `${this.values[name]},${value}`;
  }

  /** @returns the number of lines with this name. */
  count(name: string): number {
    return this.values[name] === undefined ? 0 : (this.counts?.get(name) ?? 1);
  }

  /** @returns the elements of a list-valued field in lower case, without empty ones (RFC 9110, 5.6.1). */
  elements(name: string): readonly string[] {
    const value = this.values[name];
    if (value === undefined) return noElements;
    return value
      .split(",")
      .map((element) => withoutSurroundingWhiteSpace(element).toLowerCase())
      .filter((element) => element !== "");
  }
}
