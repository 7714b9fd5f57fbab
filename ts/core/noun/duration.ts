/** Durations among the options of nouns and lines. */

/**
 * Checks an option that an author may have written in plain JavaScript.
 * @param name of the option.
 * @param least its smallest value.
 * @throws TypeError with a sentence unless the value is left out or a whole number of at least `least`.
 */
export function checkDuration(name: string, value: unknown, least: 0 | 1, unit: "ms" | "µs" = "ms"): void {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least)) return;
  const usual = unit === "ms" ? 1_000 : 5_000;
  throw new TypeError(
    `"${name}" is a whole number of ${unit} from ${least} on, such as ${usual}; it is ${JSON.stringify(value)}.`,
  );
}
