/** The route of requests that no noun performs: their answer, a 204, is the same for all. */
import { noContentResponse } from "../http/response.ts";
import type { Answer } from "./answer.ts";
import type { Route } from "./noun-route.ts";

/** @param lines whole field lines of the answer besides the usual ones. */
export function noContentRoute(lines = ""): Route {
  const answer: Answer = {
    status: 204,
    note: "",
    write: ({ close, fields }) => noContentResponse({ close, fields: fields + lines }),
  };
  return { perform: () => answer };
}
