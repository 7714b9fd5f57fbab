/** The verbs of the protocol. */

/**
 * A method that a noun answers.
 *
 * @example
 * const reading: readonly Verb[] = ["GET"];
 */
export type Verb = "GET" | "PUT" | "POST" | "DELETE";

/** @returns whether a method is one of the verbs. Methods are case-sensitive. */
export function isVerb(method: string): method is Verb {
  return method === "GET" || method === "PUT" || method === "POST" || method === "DELETE";
}
