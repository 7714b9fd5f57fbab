/** The payload of an application's binary, in the form that native/engine/payload.h describes. */

const magic = "nound payload 2\0";
const forms = { bytecode: 1, text: 2 }; // PAYLOAD_BYTECODE, PAYLOAD_TEXT

function numberBytes(...numbers) {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * index);
  return bytes;
}

/** A module as it is stored. */
function moduleBytes({ name, bytes }) {
  const end = Buffer.alloc(1);
  const text = Buffer.from(name, "utf8");
  return Buffer.concat([numberBytes(text.length, bytes.length), text, end, bytes, end]);
}

/**
 * @param {"bytecode" | "text"} form of all modules. Bytecode is not portable across byte order; text is.
 * @param {readonly { name: string, bytes: Uint8Array }[]} modules the script, then its parts.
 * @returns {Buffer} the payload.
 */
export function makePayload(form, modules) {
  const content = Buffer.concat(modules.map(moduleBytes));
  return Buffer.concat([Buffer.from(magic, "latin1"), numberBytes(content.length, forms[form], 0, 0), content]);
}
