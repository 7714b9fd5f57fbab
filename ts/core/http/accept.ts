/** Whether a client may prefer another representation than JSON, found without reading the whole field. */
import { any, firstState, follow, type Transition, transitionTable } from "../grammar/transition-table.ts";
import type { Fields } from "./fields.ts";
import { HttpError } from "./http-error.ts";
import { preferredRepresentation, type Representation } from "./representation.ts";
import { isForAll } from "./request-target.ts";

/** The parts of a request that show who reads its answer. */
interface AskedFor {
  readonly method: string;
  readonly target: string;
  /** Undefined if they were not read. */
  readonly fields?: Fields;
}

/** Ends behind the first "-s" or "/c", which the names of events and of CSV have, and no usual field of a browser. */
const rareTransitions = (): readonly Transition[] => [
  ["list", any, "list"],
  ["list", ["-"], "-"],
  ["list", ["/"], "/"],
  ["-", any, "list"],
  ["-", ["-"], "-"],
  ["-", ["/"], "/"],
  ["-", ["s", "S"], "rare"],
  ["/", any, "list"],
  ["/", ["-"], "-"],
  ["/", ["/"], "/"],
  ["/", ["c", "C"], "rare"],
  ["rare", [], "accepted"],
];

/** Made for the first head. */
let table: ArrayBuffer | undefined;

/** @returns whether a request to read may prefer events or CSV, found without parsing the field. */
export function mayPreferOther({ method, fields }: AskedFor): boolean {
  const accept = method === "GET" || method === "HEAD" ? fields?.values["accept"] : undefined;
  if (accept === undefined) return false;
  table ??= transitionTable(rareTransitions());
  return follow(accept, table, firstState)[0] < accept.length;
}

/** @returns whether a representation is preferred. A field that does not name it is not parsed. */
function prefers({ fields }: AskedFor, representation: Representation): boolean {
  const accept = fields?.values["accept"] ?? "";
  return accept.toLowerCase().includes(representation) && preferredRepresentation(accept) === representation;
}

/** @returns whether a request that `mayPreferOther` prefers events. */
export function prefersEvents(request: AskedFor): boolean {
  return prefers(request, "text/event-stream");
}

/** @returns whether a request that `mayPreferOther` prefers CSV. */
export function prefersCsv(request: AskedFor): boolean {
  return prefers(request, "text/csv");
}

/** Refuses a stream to a client of HTTP/1.0, whose answers have no chunks. @throws HttpError 505. */
export function confirmEvents({ isOld }: { readonly isOld: boolean }): void {
  if (isOld) throw HttpError.closing(505, "A stream of events needs HTTP/1.1; the request is of HTTP/1.0.");
}

/**
 * @returns whether it asks for `/`, and HTML first: then a person reads the answer.
 */
export function isFromBrowser(request: AskedFor): boolean {
  const accept = request.fields?.values["accept"];
  if (accept === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
  return isForAll(request) && preferredRepresentation(accept) === "text/html";
}
