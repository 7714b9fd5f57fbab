/** Strict UTF-8 (RFC 3629) between byte strings and text: the one thing of HTTP that C does, as it moves bytes only. */
export { byteLength as utf8Length, decode as decodeUtf8 } from "nound:utf8";
