/**
 * Which representation and coding a client prefers (RFC 9110, 12.5.1 and 12.5.3). This module is loaded with the first
 * request that may prefer another one than JSON.
 */
import { readWeights } from "./weighted-list.ts";

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
