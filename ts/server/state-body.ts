/** From a request's body to a state the noun can be given. */
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import { checkState } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { parseState, StateSyntaxError } from "../noun/state-parser.ts";
import type { Exchange } from "./exchange.ts";
import type { Route } from "./router.ts";

/** A request whose head was accepted and whose body is still to come. */
export interface ExpectedBody {
  readonly exchange: Exchange;
  readonly head: RequestHead;
  readonly route: Route;
  /** The whole request's bytes, where it is to be kept; else "". */
  readonly bytes: string;
}

/**
 * @param body the whole body, one character a byte.
 * @param route whose noun the state is for, and whether it is to be set (PUT) or updated (POST).
 * @param pairs how many keys a state may have.
 * @returns the state, as the noun's shape wants it.
 * @throws HttpError, keeping the connection: 400 when the body is not a state, 422 when it is not one of the noun's.
 */
export function readState(body: string, route: Route, pairs: number): State {
  const text = decodeUtf8(body);
  if (text === undefined) throw HttpError.keeping(400, "The body is not UTF-8.");
  try {
    const state = parseState(text, pairs);
    const { PUT, POST } = route.registered.shapes;
    const shape = route.verb === "POST" ? POST : PUT;
    if (shape !== undefined) checkState(shape, state);
    return state;
  } catch (error) {
    if (error instanceof StateSyntaxError) throw HttpError.keeping(400, error.message);
    if (error instanceof StateError) throw HttpError.keeping(422, error.message);
    throw error;
  }
}
