/** The simulated twin of `nound:utf8`. */
import type { Utf8 } from "../utf8.ts";

const notAscii = /[^\u0000-\u007f]/;
const byteToEscape = /[%\u0080-\u00ff]/g;

/** UTF-8 by the functions that every engine has. */
export const simulatedUtf8: Utf8 = {
  decode(bytes) {
    if (!notAscii.test(bytes)) return bytes;
    try {
      // decodeURIComponent is a strict UTF-8 decoder (ECMA-262, 19.2.6.1.1).
      return decodeURIComponent(bytes.replace(byteToEscape, (byte) => `%${byte.charCodeAt(0).toString(16)}`));
    } catch (error) {
      if (error instanceof URIError) return undefined;
      throw error;
    }
  },
  byteLength(text) {
    if (!notAscii.test(text)) return text.length;
    return encodeURIComponent(text.toWellFormed()).replace(/%../g, "_").length;
  },
};
