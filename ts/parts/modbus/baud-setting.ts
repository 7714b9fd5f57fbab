/** The setting of a serial line: its rate, the form of a character, and who switches the driver. */
import { either, integer, type Setting, textThat } from "../../settings/setting.ts";
import { baudPattern } from "./baud.ts";

/** Bits a second. */
const range = { minimum: 300, maximum: 4_000_000 };

/** `9600`, or `"19200 8E1 rs485"`. */
export function baud(): Setting<number | string> {
  const isForm = (text: string) => {
    const rate = Number(baudPattern.exec(text)?.[1]);
    return rate >= range.minimum && rate <= range.maximum;
  };
  const expected = `${integer(range).expected}, or a text such as "19200 8E1" or "9600 8N1 rs485"`;
  const form = textThat(isForm, expected, baudPattern);
  return { ...either(expected, { ...integer(range), expected }, form, (value) => typeof value !== "string"), expected };
}
