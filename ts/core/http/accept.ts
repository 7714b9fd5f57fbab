/** Which representation and coding a client prefers (RFC 9110, 12.5.1 and 12.5.3). */
import { any, firstState, follow, type Transition, transitionTable } from "../grammar/transition-table.ts";
import type { Fields } from "./fields.ts";
import { HttpError } from "./http-error.ts";
import { isForAll } from "./request-target.ts";
import { readWeights } from "./weighted-list.ts";

/** The parts of a request that show who reads its answer. */
interface AskedFor {
  readonly method: string;
  readonly target: string;
  /** Undefined if they were not read. */
  readonly fields?: Fields;
}

/** Each but JSON is chosen only if the field names its media type exactly. */
export type Representation = "json" | "text/event-stream" | "text/html" | "text/csv";

/**
 * @param accept the Accept field's value; undefined without the field.
 * @returns the representation of the highest weight. JSON also at a tie, for a field that cannot be read, and if the
 *   field accepts none: an answer helps a client more than a 406.
 */
export function preferredRepresentation(accept: string | undefined): Representation {
  const weights = accept === undefined ? undefined : readWeights(accept);
  if (weights === undefined) return "json";
  // The most specific range decides (12.5.1).
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  const stream = weights.get("text/event-stream") ?? 0;
  const html = weights.get("text/html") ?? 0;
  const csv = weights.get("text/csv") ?? 0;
  if (stream > Math.max(json, html, csv)) return "text/event-stream";
  if (html > Math.max(json, stream, csv)) return "text/html";
  return csv > Math.max(json, stream, html) ? "text/csv" : "json";
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

/**
 * @param field the Accept-Encoding field's value; undefined without the field, which accepts everything.
 * @returns whether an answer may be compressed by gzip; not if the field cannot be read.
 */
export function acceptsGzip(field: string | undefined): boolean {
  if (field === undefined) return true;
  const weights = readWeights(field);
  // x-gzip is the same coding (8.4.1.3).
  return (weights?.get("gzip") ?? weights?.get("x-gzip") ?? weights?.get("*") ?? 0) > 0;
}
