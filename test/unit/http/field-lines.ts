/** Makes fields of field lines for the tests of what is made of fields. */
import { type Field, Fields, parseField } from "../../../ts/http/fields.ts";

/** @param lines well-formed field lines without their line ends. */
export function fieldsOf(lines: readonly string[]): Fields {
  return new Fields(lines.map((line) => parseField(line) as Field));
}
