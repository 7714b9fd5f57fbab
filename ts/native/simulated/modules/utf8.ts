/** Replaces `nound:utf8` on Node: UTF-8 by the functions that every engine has. */
import type { Utf8 } from "../../utf8.ts";

const notAscii = /[^\u0000-\u007f]/;
const byteToEscape = /[%\u0080-\u00ff]/g;

export const decode: Utf8["decode"] = (bytes) => {
  if (!notAscii.test(bytes)) return bytes;
  try {
    // decodeURIComponent is a strict UTF-8 decoder (ECMA-262, 19.2.6.1.1).
    return decodeURIComponent(bytes.replace(byteToEscape, (byte) => `%${byte.charCodeAt(0).toString(16)}`));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

export const byteLength: Utf8["byteLength"] = (text) =>
  notAscii.test(text) ? encodeURIComponent(text.toWellFormed()).replace(/%../g, "_").length : text.length;
