/** The field lines of a header section, by name (RFC 9110, 5). */

const surroundingWhiteSpace = /^[\t ]+|[\t ]+$/g;

/** Fields by lower-case name. A name may stand on several lines; their values are kept apart. */
export class Fields {
  private readonly values = new Map<string, string[]>();

  /** @param lines well-formed field lines, without their line ends. */
  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).replace(surroundingWhiteSpace, "");
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
      .map((element) => element.replace(surroundingWhiteSpace, "").toLowerCase())
      .filter((element) => element !== "");
  }
}
