/** Makes fields of field lines for the tests of what is made of fields. */
import { Fields } from "../../../ts/http/fields.ts";
import { isFieldText } from "../../../ts/http/head-syntax.ts";

/** @param lines well-formed field lines without their line ends. */
export function fieldsOf(lines: readonly string[]): Fields {
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1 || !isFieldText(line)) throw new Error(`${line} is no field line.`);
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  return Fields.read(pairs.flat(), 0, lines.length) as Fields;
}
