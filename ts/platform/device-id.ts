/** The id of a device that was given none. */
import { toAscii } from "../core/http/utf8.ts";
import type { Hash } from "../native/hash.ts";

/** @returns a UUID (RFC 9562, version 8) that reveals nothing about the machine's own id, as machine-id(5) requires. */
export function derivedId({ sha256 }: Hash, machineId: string, title: string): string {
  const digits = sha256(toAscii(JSON.stringify(["nound", machineId, title])));
  const variant = "89ab".charAt(Number.parseInt(digits.charAt(16), 16) & 3);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}
