/** The options of meters, by which a noun adds up pulses. */
import { deviceClass } from "../../settings/presentation-setting.ts";
import { optional, type RecordOf, record } from "../../settings/record.ts";
import { integer, nonEmptyText, positive } from "../../settings/setting.ts";

/** ms: from a second to a day. */
const time = () => optional(() => integer({ minimum: 1_000, maximum: 86_400_000 }));

const measured = () => ({
  key: nonEmptyText(),
  unit: optional(nonEmptyText),
  deviceClass: optional(deviceClass),
});

/** The options that add up pulses. */
export const meterOptions = () => ({
  total: optional(() => record({ ...measured(), scale: optional(positive), interval: time() })),
  rate: optional(() => record({ ...measured(), scale: optional(positive), timeout: time() })),
});

type Metered = RecordOf<ReturnType<typeof meterOptions>>;

/** @returns the option that keeps the total. */
export function keepsTotal({ total }: Metered): "total" | undefined {
  return total === undefined ? undefined : "total";
}

/**
 * Refuses keys that the noun has already, and a meter of nothing.
 * @param taken the other keys of the noun.
 * @param missing the sentence that says what must be counted; undefined if pulses are.
 */
export function verifyMeter(
  { total, rate }: Metered,
  taken: readonly string[],
  missing: string | undefined,
  refuse: (keys: readonly ["total" | "rate", ...string[]], sentence: string) => void,
): void {
  const known = [...taken];
  for (const [option, metered] of [
    ["total", total],
    ["rate", rate],
  ] as const) {
    if (metered === undefined) continue;
    if (missing !== undefined) refuse([option], missing);
    if (known.includes(metered.key)) {
      refuse([option, "key"], `expected another key, because the noun has "${metered.key}" already`);
    }
    known.push(metered.key);
  }
}
