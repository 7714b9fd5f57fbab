/** Bytes as hexadecimal digits, because a state cannot contain bytes. */
import { StateError } from "../../core/noun/state-error.ts";

/** @returns two digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @throws StateError for a text that does not consist of pairs of digits. */
export function bytesOf(digits: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new StateError("Bytes are pairs of hexadecimal digits.");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
