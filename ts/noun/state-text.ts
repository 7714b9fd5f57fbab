/**
 * Reads any text of a state token by token, and finds the reason why a text is not a state. `parseState` calls it for texts that
 * its table does not accept.
 */
import { numberLiteral, toNumber } from "./number-literal.ts";
import type { Scalar, State } from "./state.ts";
import { StateSyntaxError } from "./state-syntax-error.ts";

const whiteSpace = /[ \t\n\r]*/y;
const stringStop = /["\\\u0000-\u001f]/g;
const numberPattern = new RegExp(numberLiteral, "y");
const hexQuad = /^[0-9a-fA-F]{4}$/;

const simpleEscapes = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** A JSON text read from left to right. Each method moves the position behind what it has read. */
class JsonText {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** @returns the next character that is not white space, "" at the end; it is not read yet. */
  peek(): string {
    const next = this.text.charAt(this.position);
    if (next > " " || next === "") return next;
    whiteSpace.lastIndex = this.position;
    whiteSpace.test(this.text);
    this.position = whiteSpace.lastIndex;
    return this.text.charAt(this.position);
  }

  /** Reads the character that `peek` has shown. */
  skip(): void {
    this.position += 1;
  }

  /** Reads one literal name: true, false or null. */
  readName<T>(name: string, value: T): T {
    if (!this.text.startsWith(name, this.position)) throw valueError();
    this.position += name.length;
    return value;
  }

  /** Reads a number. */
  readNumber(): number {
    numberPattern.lastIndex = this.position;
    if (!numberPattern.test(this.text)) throw valueError();
    const value = toNumber(this.text.slice(this.position, numberPattern.lastIndex));
    if (value === undefined) throw new StateSyntaxError("A number of the state is too large to be represented.");
    this.position = numberPattern.lastIndex;
    return value;
  }

  /** Reads a string whose opening quotation mark `peek` has shown. */
  readString(): string {
    let value = "";
    let escaped = false;
    this.position += 1;
    for (;;) {
      stringStop.lastIndex = this.position;
      if (!stringStop.test(this.text)) throw new StateSyntaxError("A string of the state does not end.");
      const stop = stringStop.lastIndex - 1;
      value += this.text.slice(this.position, stop);
      this.position = stop + 1;
      const character = this.text.charAt(stop);
      if (character === '"') break;
      if (character !== "\\") throw new StateSyntaxError("A string of the state holds a control character; escape it.");
      value += this.readEscape();
      escaped = true;
    }
    if (escaped && !value.isWellFormed()) {
      throw new StateSyntaxError("A string of the state holds half of a surrogate pair.");
    }
    return value;
  }

  private readEscape(): string {
    const letter = this.text.charAt(this.position);
    this.position += 1;
    if (letter === "u") {
      const digits = this.text.slice(this.position, this.position + 4);
      if (hexQuad.test(digits)) {
        this.position += 4;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    const character = simpleEscapes.get(letter);
    if (character === undefined)
      throw new StateSyntaxError("A string of the state holds an escape that JSON does not have.");
    return character;
  }
}

function valueError(): StateSyntaxError {
  return new StateSyntaxError("A value of the state is not a string, a number, true, false or null.");
}

function readScalar(text: JsonText): Scalar {
  switch (text.peek()) {
    case '"':
      return text.readString();
    case "t":
      return text.readName("true", true);
    case "f":
      return text.readName("false", false);
    case "n":
      return text.readName("null", null);
    case "{":
    case "[":
      throw new StateSyntaxError("A state is flat: no value of it can be an object or an array.");
    default:
      return text.readNumber();
  }
}

function expect(text: JsonText, character: string, where: string): void {
  if (text.peek() !== character) throw new StateSyntaxError(`Expected ${character} ${where}.`);
  text.skip();
}

/**
 * Reads one state.
 * @param source the whole text, decoded.
 * @param maximumPairs the largest number of key and value pairs.
 * @returns the state, as `parseState` does.
 * @throws StateSyntaxError, and nothing else.
 */
export function readState(source: string, maximumPairs: number): State {
  const state: { [key: string]: Scalar } = Object.create(null);
  const text = new JsonText(source);
  if (text.peek() !== "{") throw new StateSyntaxError("The body is not a JSON object.");
  text.skip();
  if (text.peek() === "}") {
    text.skip();
  } else {
    for (let pairs = 1; ; pairs++) {
      if (pairs > maximumPairs) throw new StateSyntaxError(`A state has at most ${maximumPairs} keys.`);
      if (text.peek() !== '"') throw new StateSyntaxError("Expected a key in quotation marks.");
      const key = text.readString();
      if (key in state) throw new StateSyntaxError("A key occurs twice in the state.");
      expect(text, ":", "after a key");
      state[key] = readScalar(text);
      if (text.peek() !== ",") break;
      text.skip();
    }
    expect(text, "}", "or a comma after a value");
  }
  if (text.peek() !== "") throw new StateSyntaxError("Something follows the state's closing brace.");
  return Object.freeze(state);
}
