/**
 * The strict parser of a state: exactly one flat JSON object (RFC 8259 within the bounds of I-JSON, RFC 7493).
 *
 * The engine's own JSON parser is not used: it keeps the last of two equal keys, follows any nesting, and is C code that
 * would read what a stranger sent. Here an array or object as a value ends the parse where it begins.
 *
 *     parseState('{"led": 1}', 64); // { led: 1 }
 */
import { numberLiteral, toNumber } from "./number-literal.ts";
import type { Scalar, State } from "./state.ts";
import { readState } from "./state-text.ts";

/**
 * A pair without an escape, and the comma or brace behind it. Nearly every state is made of such pairs, and matched in one go one costs
 * a third of what it costs token by token.
 */
let plainPair: RegExp | undefined;

/** Made when the first state comes: a server that is only asked does without. */
function makePlainPair(): RegExp {
  const [space, text] = ["[ \\t\\n\\r]*", '[^"\\\\\\u0000-\\u001f]*'];
  const value = `(?:"(${text})"|(${numberLiteral})|(true|false|null))`;
  return new RegExp(`${space}"(${text})"${space}:${space}${value}${space}([,}])`, "y");
}

const names = { true: true, false: false, null: null };

/** @returns the state, where a text is one of plain pairs and nothing else; undefined where `readState` has to look at it. */
function parsePlain(source: string, maximumPairs: number): State | undefined {
  if (source.charAt(0) !== "{") return undefined;
  const state: { [key: string]: Scalar } = Object.create(null);
  plainPair ??= makePlainPair();
  let position = 1;
  for (let pairs = 0; pairs < maximumPairs; pairs++) {
    plainPair.lastIndex = position;
    const match = plainPair.exec(source);
    if (match === null) return undefined;
    const key = match[1] as string;
    if (key in state) return undefined;
    const literal = match[3];
    const value = literal === undefined ? (match[2] ?? names[match[4] as keyof typeof names]) : toNumber(literal);
    if (value === undefined) return undefined;
    state[key] = value;
    position = plainPair.lastIndex;
    if (match[5] === "}") return position === source.length ? Object.freeze(state) : undefined;
  }
  return undefined;
}

/**
 * Parses one state.
 * @param source the whole text, decoded.
 * @param maximumPairs how many key and value pairs it may have.
 * @returns the state, frozen, on an object without a prototype, so that every key is just a key, `__proto__` too.
 * @throws StateSyntaxError, and nothing else, when the text is not exactly one flat object with distinct keys.
 */
export function parseState(source: string, maximumPairs: number): State {
  return parsePlain(source, maximumPairs) ?? readState(source, maximumPairs);
}
