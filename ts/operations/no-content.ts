/** The route of requests that no noun performs: their answer, a 204, is the same for all. */
import { type Delivery, noContentResponse } from "../http/response.ts";
import type { Answer } from "./answer.ts";
import type { Route } from "./noun-route.ts";

/** A 204. All its information is in its field lines. */
class NoContentAnswer implements Answer {
  readonly status = 204;
  readonly note = "";
  private readonly fields: string;

  constructor(fields: string) {
    this.fields = fields;
  }

  write({ close, fields }: Delivery): string {
    return noContentResponse({ close, fields: fields + this.fields });
  }
}

/** @param fields whole field lines of the answer besides the usual ones. @returns the route. */
export function noContentRoute(fields = ""): Route {
  const answer = new NoContentAnswer(fields);
  return { takesBody: false, shape: undefined, perform: () => answer };
}
