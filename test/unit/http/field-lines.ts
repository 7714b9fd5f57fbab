/** Makes fields of field lines for the tests of what is made of fields. */
import { Fields } from "../../../ts/core/http/fields.ts";

/** @param lines well-formed field lines without their line ends. */
export function fieldsOf(lines: readonly string[]): Fields {
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1 || /[^\t\x20-\x7e\x80-\xff]/.test(line)) throw new Error(`${line} is no field line.`);
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^[\t ]+/, "")];
  });
  return Fields.read(pairs.flat(), 0, lines.length) as Fields;
}
