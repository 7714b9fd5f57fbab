/** The options that inputs and outputs share: which GPIO line a noun has, and the line's electrical settings. */
import type { LineOptions } from "../hardware/line-options.ts";
import type { NounContext } from "./noun-kind.ts";
import { optional, withDefault } from "./record.ts";
import { boolean, choice, integer, mistake, nonEmptyText, type Setting } from "./setting.ts";

/** A line's name. People write the number of a line without quotes, and mean its offset or a part of its name. */
function lineName(): Setting<string> {
  const name = nonEmptyText();
  return {
    ...name,
    read(value, path) {
      if (typeof value !== "number") return name.read(value, path);
      const offset = `a line without a name is written "chip": "gpiochip0", "offset": ${value}`;
      throw mistake(path, `expected the line's name in quotes, such as "GPIO${value}", found ${value}; ${offset}`);
    },
  };
}

/** The line, by chip and offset or by its name, and its electrical settings. */
export const lineOptions = () => ({
  chip: optional(nonEmptyText),
  offset: optional(() => integer({ minimum: 0, maximum: 65_535 })),
  line: optional(lineName),
  backend: optional(() => choice("auto", "gpiod", "sysfs")),
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

/** @returns the options, completed with the name of the line's consumer and its backend. */
export function heldLine<O extends LineOptions>(options: O, { name, gpioBackend }: NounContext) {
  return { ...options, consumer: `nound:${name}`, backend: options.backend ?? gpioBackend };
}
