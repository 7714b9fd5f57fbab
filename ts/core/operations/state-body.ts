/** The body of a PUT or a POST becomes a state, whichever protocol has brought it. */
import { HttpError } from "../http/http-error.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import { checkState, type Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { parseState } from "../noun/state-parser.ts";
import { StateSyntaxError } from "../noun/state-syntax-error.ts";

/**
 * @param body the whole body, one character for each byte.
 * @param shape what the state must be; undefined where anything may.
 * @param mostPairs key and value pairs it may have.
 * @throws HttpError 400 or 422.
 */
export function readStateBody(body: string, shape: Shape | undefined, mostPairs: number): State {
  const text = decodeUtf8(body);
  if (text === undefined) throw HttpError.keeping(400, "The body is not UTF-8.");
  try {
    const state = parseState(text, mostPairs);
    if (shape !== undefined) checkState(shape, state);
    return state;
  } catch (error) {
    if (error instanceof StateSyntaxError) throw HttpError.keeping(400, error.message);
    if (error instanceof StateError) throw HttpError.keeping(422, error.message);
    throw error;
  }
}
