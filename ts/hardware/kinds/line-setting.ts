/** The options that GPIO inputs and outputs share. */

import type { NounContext } from "../../settings/noun-kind.ts";
import { optional, withDefault } from "../../settings/record.ts";
import { boolean, choice, integer, nameNotNumber, nonEmptyText } from "../../settings/setting.ts";
import type { LineOptions } from "../open/line-options.ts";

/** A line's name. People write the number of a line without quotes, and mean its offset or a part of its name. */
const lineName = () =>
  nameNotNumber(
    (number) =>
      `expected the line's name in quotes, such as "GPIO${number}", found ${number}; ` +
      `a line without a name is written "chip": "gpiochip0", "offset": ${number}`,
  );

/** The line, by chip and offset or by its name, and its electrical settings. */
export const lineOptions = () => ({
  chip: optional(nonEmptyText),
  offset: optional(() => integer({ minimum: 0, maximum: 65_535 })),
  line: optional(lineName),
  activeLow: withDefault(boolean, false),
  bias: withDefault(() => choice("as-is", "disabled", "pull-up", "pull-down"), "as-is"),
});

/** Refuses options that name no line, or name it twice. */
export function verifyLine(
  { chip, offset, line }: LineOptions,
  refuse: (keys: readonly ["chip" | "offset" | "line"], sentence: string) => void,
): void {
  if (line !== undefined) {
    const other = chip !== undefined ? "chip" : offset !== undefined ? "offset" : undefined;
    if (other !== undefined) refuse([other], `expected nothing together with "line", which already names the line`);
  } else if (chip === undefined) {
    refuse(["chip"], `expected "chip" and "offset", or "line" with the line's name, found nothing`);
  } else if (offset === undefined) {
    refuse(["offset"], "expected the line's offset on the chip, found nothing");
  }
}

/** The kernel's folders of GPIO chips, by both interfaces. */
export const lineFolders = ["/sys/bus/gpio/devices", "/sys/class/gpio"];

/** @returns the text that identifies the line in a claim. A chip's name and its device's path give the same text. */
export function lineClaim({ chip, offset, line }: LineOptions): string {
  return line === undefined ? `the line ${offset} of ${chip?.replace(/^\/dev\//, "")}` : `the line "${line}"`;
}

/** @returns the options, completed with the name of the line's consumer. */
export function heldLine<O extends LineOptions>(options: O, { name }: NounContext) {
  return { ...options, consumer: `nound:${name}` };
}
