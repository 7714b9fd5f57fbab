/**
 * Reads a JSON text that a person wrote (RFC 8259 within the bounds of I-JSON, RFC 7493) and says by line and column
 * what is wrong with it. The engine's own parser names neither, and silently keeps the last of two equal keys.
 *
 *     parseJson('{"a": 1,}'); // JsonSyntaxError: line 1, column 8: expected no "," here, because "}" follows
 */
import { quote } from "../platform/one-line.ts";
import { writtenEntries } from "./json-entries.ts";

/** Any JSON value. Objects have each key once, strings no lone surrogates, and numbers are finite. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

const indexKey = /^(?:0|[1-9][0-9]{0,9})$/;

/** A text that is not JSON. The message begins with the line and column, both counted from 1, columns in characters. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** How deep lists and objects may be nested: far more than any configuration needs, far less than the stack holds. */
const depthLimit = 32;

const string = /"[^"\\\u0000-\u001f]*(?:\\[\s\S][^"\\\u0000-\u001f]*)*"/y;
const whiteSpace = /[ \t\r\n]*/y;
const bareWord = /[A-Za-z]+/y;
/** What a value or a key begins with, also one that lacks its quotes. */
const beginning = /["{[A-Za-z0-9-]/y;
/** What a JSON text begins with. YAML, a shell's variables and most other texts begin otherwise. */
const firstOfJson = /[{["]|-?[0-9]|true|false|null/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A text and how far it has been read. */
class JsonReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads the only value of the text. */
  readDocument(): Json {
    // Some editors begin a file with a byte-order mark; RFC 8259, section 8.1 lets a parser ignore it.
    if (this.text.startsWith("\ufeff")) {
      this.position = 1;
    }
    this.skipWhiteSpace();
    if (this.position === this.text.length) this.fail(this.position, "this is not JSON: the file is empty");
    if (this.match(firstOfJson) === "") this.refuseOther();
    const value = this.readValue(0);
    this.skipWhiteSpace();
    if (this.next() === ":") this.refuseOther();
    if (this.position < this.text.length) {
      this.refuse("the end of the text");
    }
    return value;
  }

  private readValue(depth: number): Json {
    this.skipWhiteSpace();
    if (depth > depthLimit) {
      this.fail(this.position, `lists and objects are nested more than ${depthLimit} deep`);
    }
    switch (this.next()) {
      case "{":
        return this.readObject(depth);
      case "[":
        return this.readList(depth);
      case '"':
        return this.readString();
      default:
        return this.readLiteral();
    }
  }

  private readObject(depth: number): Json {
    const places = new Map<string, number>();
    const entries: [string, Json][] = [];
    this.readItems("}", () => {
      const start = this.position;
      if (this.next() !== '"') {
        this.refuse("a key in double quotes");
      }
      const key = this.readString();
      const first = places.get(key);
      if (first !== undefined) {
        this.fail(start, `the key ${quote(key)} is given twice; the first is at ${this.place(first)}`);
      }
      places.set(key, start);
      this.skipWhiteSpace();
      this.take(":") || this.refuse(`":" after the key ${quote(key)}`);
      entries.push([key, this.readValue(depth + 1)]);
    });
    // Unlike an assignment, this makes an ordinary key of "__proto__".
    const object: JsonObject = Object.fromEntries(entries);
    if (entries.some(([key]) => indexKey.test(key))) writtenEntries.set(object, entries);
    return object;
  }

  private readList(depth: number): Json {
    const items: Json[] = [];
    this.readItems("]", () => items.push(this.readValue(depth + 1)));
    return items;
  }

  /** Reads items separated by commas, from the opening bracket to the closing one, `end`. */
  private readItems(end: string, readItem: () => void): void {
    this.position += 1;
    this.skipWhiteSpace();
    if (this.take(end)) {
      return;
    }
    let behind = this.position;
    do {
      this.skipWhiteSpace();
      if (this.next() === end) this.fail(behind, `expected no "," here, because "${end}" follows`);
      readItem();
      behind = this.position;
      this.skipWhiteSpace();
      if (this.next() === ",") behind = this.position;
    } while (this.take(","));
    if (this.take(end)) return;
    if (this.match(beginning) !== "") this.refuseMissingComma(behind);
    this.refuse(`"," or "${end}"`);
  }

  /** @param behind the end of the value before. The line of the next one is not the one to correct. */
  private refuseMissingComma(behind: number): never {
    const line = this.text.slice(behind, this.position).includes("\n") ? " on the next line" : "";
    this.fail(behind, `expected "," here, because ${this.found()} follows${line}`);
  }

  private refuseOther(): never {
    this.fail(this.position, `this is not JSON, which begins with "{", found ${this.found()}`);
  }

  private readString(): string {
    const start = this.position;
    const written = this.match(string);
    if (written === "") this.fail(start, "this string has no closing quote on its line");
    this.position += written.length;
    let value = written.slice(1, -1);
    try {
      if (value.includes("\\")) value = JSON.parse(written);
    } catch {
      this.fail(start, "this string has an escape that JSON does not know; a backslash itself is written \\\\");
    }
    if (!value.isWellFormed()) this.fail(start, "this string has half of a surrogate pair");
    return value;
  }

  private readLiteral(): number | boolean | null {
    const word = this.match(bareWord);
    const value = words.get(word);
    if (value !== undefined) {
      this.position += word.length;
      return value;
    }
    const digits = this.match(number);
    if (digits === "") {
      this.refuse("a value");
    }
    if (!Number.isFinite(Number(digits))) {
      this.fail(this.position, "this number is too large");
    }
    this.position += digits.length;
    return Number(digits);
  }

  private skipWhiteSpace(): void {
    if (this.next() > " ") return; // the most frequent case; a pattern would cost ten times as much
    whiteSpace.lastIndex = this.position;
    whiteSpace.test(this.text); // which is always true, and cheaper than a match
    this.position = whiteSpace.lastIndex;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  private next(): string {
    return this.text.charAt(this.position);
  }

  private take(character: string): boolean {
    const taken = this.next() === character;
    this.position += taken ? 1 : 0;
    return taken;
  }

  private refuse(expected: string): never {
    this.fail(this.position, `expected ${expected}, found ${this.found()}`);
  }

  private found(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.position) ?? 0);
    if (this.position >= this.text.length) {
      return "the end of the text";
    }
    if (character === '"') {
      return "a string";
    }
    if (character === "/" || character === "#") {
      return `${quote(character)} (JSON has no comments: use a "$comment" key)`;
    }
    const word = this.match(bareWord);
    return quote(word === "" ? character : word.slice(0, 40));
  }

  private place(position: number): string {
    const before = this.text.slice(this.text.startsWith("\ufeff") ? 1 : 0, position).split("\n");
    const column = Array.from(before.at(-1) ?? "").length + 1;
    return `line ${before.length}, column ${column}`;
  }

  private fail(position: number, sentence: string): never {
    throw new JsonSyntaxError(`${this.place(position)}: ${sentence}`);
  }
}

/** What the engine's parser would not tell: keys that are written are counted, and values compared with I-JSON. */
class Survey {
  /** The keys of all objects. */
  keys = 0;
  /** Whether no object has a key such as `10`, nothing is nested too deep, and all numbers are finite. */
  isUsual = true;

  look(value: Json, depth: number): void {
    if (depth > depthLimit) this.isUsual = false;
    else if (Array.isArray(value)) for (const item of value) this.look(item, depth + 1);
    else if (typeof value === "object" && value !== null) this.lookInside(value as { [key: string]: Json }, depth);
    else if (typeof value === "number" && !Number.isFinite(value)) this.isUsual = false;
  }

  private lookInside(object: { [key: string]: Json }, depth: number): void {
    const names = Object.keys(object);
    // The language puts keys such as `10` first.
    if (names[0] !== undefined && names[0] < ":" && indexKey.test(names[0])) this.isUsual = false;
    this.keys += names.length;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const value = object[name] as Json;
      // The engine's parser makes whole numbers that the engine is slower with.
      if (typeof value === "number" && (value | 0) === value) object[name] = Object.is(value, -0) ? value : value | 0;
      else if (typeof value !== "string") this.look(value, depth + 1);
    }
  }
}

/** Keys as most are written, without space before the colon. The second finds any others, but also texts. */
const usualColon = '":';
const spacedColons = [" :", "\t:", "\n:", "\r:"];

/** @returns how often a text has another one in it. */
function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/**
 * Has the engine parse a text, which takes an eighth of the time.
 * @returns undefined for one that may have a mistake, or must be read otherwise: it is read again by `JsonReader`.
 */
function parsedByEngine(text: string): Json | undefined {
  if (text.includes("\\") || !text.isWellFormed() || spacedColons.some((colon) => text.includes(colon)))
    return undefined;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const survey = new Survey();
  survey.look(value, 0);
  // Without escapes, each key has its colon in the text, and no other quote before a colon ends a string: if there are
  // not more of them than keys, no key is given twice.
  return survey.isUsual && survey.keys === occurrences(text, usualColon) ? value : undefined;
}

/**
 * @param text the whole text; a byte-order mark at its beginning is ignored.
 * @throws JsonSyntaxError saying by line and column what was expected and what was found.
 */
export function parseJson(text: string): Json {
  return parsedByEngine(text) ?? new JsonReader(text).readDocument();
}
