/** Strict UTF-8 (RFC 3629) between byte strings and text: the one thing of HTTP that C does, as it moves bytes only. */
import { byteLength } from "nound:utf8";

export { byteLength as utf8Length, decode as decodeUtf8 } from "nound:utf8";

/** @returns the same JSON in ASCII. */
export function toAscii(json: string): string {
  if (byteLength(json) === json.length) return json; // most are, and a pattern takes much longer to find it
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
