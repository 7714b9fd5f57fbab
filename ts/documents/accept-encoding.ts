/** Which content codings a client accepts (RFC 9110, 12.5.3). */

const element = /^[\t ]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]*(?:;[\t ]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[\t ]*$/i;

/** The length of the longest field that is read. A browser's has about 30 characters. */
const longestField = 512;

/**
 * @param field the Accept-Encoding field's value; undefined without the field.
 * @returns whether an answer may be compressed by gzip. Without the field it may. If the field cannot be parsed, it may
 * not.
 */
export function acceptsGzip(field: string | undefined): boolean {
  if (field === undefined) return true;
  if (field.length > longestField) return false;
  const weights = new Map<string, number>();
  for (const part of field.split(",")) {
    if (part.trim() === "") continue; // an empty element is ignored (RFC 9110, 5.6.1.2)
    const [, coding, weight = "1"] = element.exec(part) ?? [];
    if (coding === undefined) return false;
    weights.set(coding.toLowerCase(), Number(weight));
  }
  // x-gzip is the same coding (8.4.1.3).
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}
