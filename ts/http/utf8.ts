/** Strict UTF-8 (RFC 3629) between byte strings and text: the one thing of HTTP that C does, as it moves bytes only. */
import { byteLength, decode } from "nound:utf8";

/**
 * Decodes a byte string. Over-long forms, surrogates and code points above U+10FFFF are errors, not U+FFFD.
 * @param bytes one character a byte.
 * @returns the text, or undefined when the bytes are not UTF-8. A byte-order mark stays in the text.
 * @throws InternalError when there is no memory for the text.
 */
export function decodeUtf8(bytes: string): string | undefined {
  return decode(bytes);
}

/**
 * @param text without lone surrogates.
 * @returns how many bytes its UTF-8 encoding has.
 * @throws InternalError when there is no memory for the encoding.
 */
export function utf8Length(text: string): number {
  return byteLength(text);
}
