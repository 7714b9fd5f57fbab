/** The payload of an application's binary, in the form that native/engine/payload.h describes. */

import { compressPart } from "../../tools/bundle/compressed-part.mjs";

const magic = "nound payload 1\0";
const forms = { bytecode: 1, text: 2 }; // PAYLOAD_BYTECODE, PAYLOAD_TEXT

function numberBytes(...numbers) {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * index);
  return bytes;
}

/** A module as it is stored. @param {number} size bytes it has when it is not compressed. */
function moduleBytes(name, content, size) {
  const end = Buffer.alloc(1);
  const text = Buffer.from(name, "utf8");
  return Buffer.concat([numberBytes(text.length, content.length, size), text, end, content, end]);
}

/**
 * @param {"bytecode" | "text"} form of all modules. Bytecode is not portable across byte order; text is.
 * @param {readonly { name: string, bytes: Uint8Array }[]} modules the script, then its parts.
 * @returns {Buffer} the payload.
 */
export function makePayload(form, [script, ...parts]) {
  const content = Buffer.concat([
    moduleBytes(script.name, script.bytes, script.bytes.length),
    ...parts.map(({ name, bytes }) => moduleBytes(name, compressPart(bytes, script.bytes), bytes.length)),
  ]);
  return Buffer.concat([Buffer.from(magic, "latin1"), numberBytes(content.length, forms[form], 0, 0), content]);
}
