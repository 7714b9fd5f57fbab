/** The field lines of a header section, by name (RFC 9110, 5). */

function isWhiteSpace(character: string): boolean {
  return character === " " || character === "\t";
}

/**
 * Takes OWS away from both ends (RFC 9110, 5.6.3). `trim` would take opaque bytes such as 0xA0 with it, and a pattern
 * anchored at the end looks at each run of white space within a value once for every character of the run.
 */
function withoutSurroundingWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charAt(start))) start++;
  while (end > start && isWhiteSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Fields by lower-case name. A name may stand on several lines; their values are kept apart. */
export class Fields {
  private readonly values = new Map<string, string[]>();

  /** @param lines well-formed field lines, without their line ends. */
  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = withoutSurroundingWhiteSpace(line.slice(colon + 1));
      const before = this.values.get(name);
      if (before === undefined) this.values.set(name, [value]);
      else before.push(value);
    }
  }

  /** @returns the values of the lines with this lower-case name, in order; none where there is no such line. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** @returns the elements of a list-valued field in lower case, over all its lines, empty ones left out (RFC 9110, 5.6.1). */
  elements(name: string): readonly string[] {
    return this.all(name)
      .flatMap((value) => value.split(","))
      .map((element) => withoutSurroundingWhiteSpace(element).toLowerCase())
      .filter((element) => element !== "");
  }
}
