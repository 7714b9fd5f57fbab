/** Which representation a client prefers (RFC 9110, 12.5.1). */

/** Representations besides JSON. Each is chosen only if the field names its media type exactly. */
export type Representation = "json" | "text/event-stream" | "text/html";

/** Ranges that mean JSON. `text/*` does not select a stream or a page; only an exact name does. */
const jsonRanges: ReadonlySet<string> = new Set(["application/json", "application/*", "text/*", "*/*"]);

// A range and its parameters, of which only the weight matters. Quoted strings are tokens enough here: whatever is not
// as in this pattern makes the field unreadable.
const element =
  /^[\t ]*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)((?:[\t ]*;[\t ]*[^\t ;,="]+=[^\t ;,="]+)*)[\t ]*$/;
const weight = /;[\t ]*q=([^\t ;]+)/i;
const weightValue = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** The length of the longest field that is read. A browser's has about 150 characters. */
const longestField = 512;

/** @returns the range in lower case and its weight; undefined if it cannot be parsed. */
function readElement(text: string): readonly [string, number] | undefined {
  const [, range, parameters = ""] = element.exec(text) ?? [];
  if (range === undefined) return undefined;
  const [, given = "1"] = weight.exec(parameters) ?? [];
  return weightValue.test(given) ? [range.toLowerCase(), Number(given)] : undefined;
}

/**
 * @param accept the Accept field's value; undefined or "" without the field.
 * @param offered the representations besides JSON.
 * @returns the representation of the highest weight: JSON at a tie, and JSON if the field cannot be parsed or accepts
 *   none of them, because an answer helps a client more than a 406.
 */
export function preferredRepresentation(
  accept: string | undefined,
  offered: readonly Exclude<Representation, "json">[],
): Representation {
  if (accept === undefined || accept.length > longestField) return "json";
  let best: Representation = "json";
  let bestWeight = 0;
  let jsonWeight = 0;
  for (const part of accept.split(",")) {
    if (part.trim() === "") continue; // an empty element is ignored (RFC 9110, 5.6.1.2)
    const read = readElement(part);
    if (read === undefined) return "json";
    const [range, q] = read;
    const representation = offered.find((one) => one === range);
    if (representation !== undefined && q > bestWeight) {
      best = representation;
      bestWeight = q;
    } else if (jsonRanges.has(range)) {
      jsonWeight = Math.max(jsonWeight, q);
    }
  }
  return bestWeight > jsonWeight ? best : "json";
}
