/** Compresses the parts of a script, of which most starts read few. */

import { deflateRaw } from "pako";

/** How far back deflate may refer. Only so much of a dictionary is useful. */
const deflateWindow = 32_768;

/**
 * @param {Uint8Array} bytes a part, as bytecode or text.
 * @param {Uint8Array} script that it belongs to, in the same form.
 * @returns {Uint8Array} raw deflate. What compresses is pinned: Node's own zlib gives other bytes in another release.
 */
export function compressPart(bytes, script) {
  return deflateRaw(bytes, { level: 9, dictionary: script.subarray(0, deflateWindow) });
}
