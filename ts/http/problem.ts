/** Problem details (RFC 9457): the flat JSON document every refusal carries. */
import { type ErrorStatus, reasonPhrase } from "./status.ts";

/**
 * @param status the answer's status, repeated in the document.
 * @param detail a sentence that says what to correct.
 * @returns the document as JSON, to be sent as `application/problem+json`.
 */
export function writeProblem(status: ErrorStatus, detail: string): string {
  return JSON.stringify({ status, title: reasonPhrase(status), detail });
}
