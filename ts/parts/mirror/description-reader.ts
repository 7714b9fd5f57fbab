/**
 * Reads a Thing Description as it comes, and keeps only what it says of some nouns: that of a large device is much
 * longer than the part that its mirrors need.
 *
 *     const reader = new DescriptionReader(new Set(["bell"]));
 *     reader.take('{"properties":{"bell":{...},"lamp":{...}}}');
 *     reader.textOf("properties", "bell"); // {...}
 */

/** A string, a brace or a bracket: what determines the depth. A string without its end goes on in the next part. */
const tokens = /"(?:[^"\\]|\\.)*("|\\?$)|[{}[\]]/g;

/** Characters of one member that is kept. */
const longestMember = 65_536;

export class DescriptionReader {
  /** The texts of the members that are wanted, by their paths; undefined before they have come. */
  private readonly members = new Map<string, string | undefined>();
  /** Text that was not judged: the beginning of a string. */
  private rest = "";
  private depth = 0;
  /** The last string at depth 1, which names a section, and at depth 2, which names a member. */
  private section = "";
  private member = "";
  /** The text of the member that is being read; undefined for one that nobody wants. */
  private kept: string | undefined;

  /** @param names of the nouns, in lower case. */
  constructor(names: ReadonlySet<string>) {
    for (const name of names)
      this.members.set(`properties ${name}`, undefined).set(`actions ${name}.update`, undefined);
  }

  /** @returns the text of a member; undefined without one, "" for one that is too long. */
  textOf(section: "properties" | "actions", name: string): string | undefined {
    return this.members.get(`${section} ${name}`);
  }

  /** Whether all of it has come. */
  get isComplete(): boolean {
    return this.depth === 0 && this.rest.trim() === "" && this.section !== "";
  }

  /** @throws Error with a sentence for a string that is too long. */
  take(bytes: string): void {
    const text = this.rest + bytes;
    let judged = 0;
    let sure = text.length;
    for (const { 0: token, 1: close, index } of text.matchAll(tokens)) {
      if (close === "" || close === "\\") {
        sure = index;
        break;
      }
      const end = index + token.length;
      this.judge(text, token, judged, end);
      judged = end;
    }
    this.keep(text.slice(judged, sure));
    this.rest = text.slice(sure);
    if (this.rest.length > longestMember) throw new Error("Its description has a text that is too long.");
  }

  /** @param from where what was judged ends. @param to the end of the token. */
  private judge(text: string, token: string, from: number, to: number): void {
    const isOpening = token === "{" || token === "[";
    if (isOpening && this.depth === 2 && this.members.has(this.path)) {
      this.kept = "";
      this.depth += 1;
      this.keep(token);
      return;
    }
    this.keep(this.kept === undefined ? "" : text.slice(from, to));
    if (isOpening) this.depth += 1;
    else if (token === "}" || token === "]") {
      this.depth -= 1;
      if (this.depth === 2 && this.kept !== undefined) {
        this.members.set(this.path, this.kept);
        this.kept = undefined;
      }
    } else if (this.depth === 1) this.section = token.slice(1, -1);
    else if (this.depth === 2) this.member = token.slice(1, -1);
  }

  /** Of the member that is being read. No name has a space. */
  private get path(): string {
    return `${this.section} ${this.member}`;
  }

  private keep(text: string): void {
    if (this.kept === undefined) return;
    this.kept += text;
    if (this.kept.length <= longestMember) return;
    this.members.set(this.path, "");
    this.kept = undefined;
  }
}
