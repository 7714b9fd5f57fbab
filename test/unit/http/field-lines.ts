/** Makes fields of field lines for the tests of what is made of fields. */
import { type Field, Fields, isFieldText, takeApart } from "../../../ts/http/fields.ts";

/** @returns the field of a line without its line end; undefined when the line is malformed. */
export function parseField(line: string): Field | undefined {
  return isFieldText(line) ? takeApart(line, new Map()) : undefined;
}

/** @param lines well-formed field lines without their line ends. */
export function fieldsOf(lines: readonly string[]): Fields {
  const fields = new Fields();
  for (const line of lines) fields.add(parseField(line) as Field);
  return fields;
}
