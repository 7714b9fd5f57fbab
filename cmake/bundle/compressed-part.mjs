/** Compresses the parts of a script, of which most starts read few. Every start reads the core, so that is stored as it is. */

import { basename } from "node:path";
import { deflateSync } from "fflate";
import { coreFile } from "./deferred.mjs";

/** How far back deflate may refer. Only so much of a dictionary is useful. */
const deflateWindow = 32_768;

/**
 * @param {Uint8Array} script as bytecode or text.
 * @param {readonly { name: string, bytes: Uint8Array }[]} parts in the same form.
 * @returns {{ name: string, stored: Uint8Array, inflatedSize: number }[]} the parts as native/script.h says: the core with the size 0;
 *   the others as raw deflate. What compresses is pinned: Node's own zlib gives other bytes in another release.
 */
export function compressParts(script, parts) {
  const dictionary = script.subarray(0, deflateWindow);
  return parts.map(({ name, bytes }) =>
    coreFile.test(basename(name))
      ? { name, stored: bytes, inflatedSize: 0 }
      : { name, stored: deflateSync(bytes, { level: 9, mem: 12, dictionary }), inflatedSize: bytes.length },
  );
}
