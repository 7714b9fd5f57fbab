import type { HttpError } from "../http/http-error.ts";

/** What the access check found out about a request. */
export interface Admission {
  /** What happens to the request: the router finds its noun, the field lines are its whole answer, or it is refused. */
  readonly verdict: "route" | "preflight" | HttpError;
  /** Field lines that the answer has besides the usual ones, whether it is a refusal or not. */
  readonly fields: string;
  /** The name of the request's token; "" if the server requires none. */
  readonly token: string;
  /** What that token allows; undefined if the server requires none. */
  readonly scope?: Scope;
}

/** The admission of a request that nothing is required of. */
export const admittedFreely: Admission = Object.freeze({ verdict: "route", fields: "", token: "" });

/** The rights of a token. */
export interface Scope {
  /** That of the token. */
  readonly name: string;
  /** @param noun in lower case. @returns whether the token allows a method on a noun. */
  allows(method: string, noun: string): boolean;
}

/** @param scope undefined if the server requires no token. @returns whether its client may read a noun. */
export function mayRead(scope: Scope | undefined, noun: string): boolean {
  return scope === undefined || scope.allows("GET", noun);
}
