/** Strict UTF-8 (RFC 3629) between byte strings and text. */

const notAscii = /[^\u0000-\u007f]/;
const byteToEscape = /[%\u0080-\u00ff]/g;

/**
 * Decodes a byte string. Over-long forms, surrogates and code points above U+10FFFF are errors, not U+FFFD.
 * @param bytes one character a byte.
 * @returns the text, or undefined when the bytes are not UTF-8. A byte-order mark stays in the text.
 */
export function decodeUtf8(bytes: string): string | undefined {
  if (!notAscii.test(bytes)) return bytes;
  try {
    // decodeURIComponent is the strict UTF-8 decoder that every engine has (ECMA-262, 19.2.6.1.1).
    return decodeURIComponent(bytes.replace(byteToEscape, (byte) => `%${byte.charCodeAt(0).toString(16)}`));
  } catch {
    return undefined;
  }
}

/** @param text without lone surrogates. @returns how many bytes its UTF-8 encoding has. */
export function utf8Length(text: string): number {
  if (!notAscii.test(text)) return text.length;
  return encodeURIComponent(text).replace(/%../g, "_").length;
}
