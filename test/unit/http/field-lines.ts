/** Makes fields of field lines for the tests of what is made of fields. */
import { type Field, Fields, parseField } from "../../../ts/http/fields.ts";

/** @param lines well-formed field lines without their line ends. */
export function fieldsOf(lines: readonly string[]): Fields {
  const fields = new Fields();
  for (const line of lines) fields.add(parseField(line) as Field);
  return fields;
}
