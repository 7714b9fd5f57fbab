import type { RequestHead } from "../../../ts/http/request-head.ts";
import type { RequestParser } from "../../../ts/http/request-parser.ts";

/** @returns the next head; undefined while it is not complete. @throws HttpError as the parser does. */
export function nextHead(parser: RequestParser): RequestHead | undefined {
  const bytes = parser.nextHead();
  return bytes === undefined ? undefined : parser.readHead(bytes);
}
