/** The days on which something comes: days of the week, of the month, or every few days. */

/** Days of the week, 0 for Sunday; every day of the month with a number of that kind; or each so many days. */
export type Days = readonly number[] | "odd" | "even" | EveryDays;

/** Each so many days. */
export interface EveryDays {
  readonly every: number;
  /** The first day, since 1970. */
  readonly from: number;
}

const isEvery = (days: readonly number[] | EveryDays): days is EveryDays => Object.hasOwn(days, "from");

/** @param day since 1970. @returns whether it is one of the days. */
export function isDayOf(days: Days | undefined, day: number): boolean {
  if (days === undefined) return true;
  if (days === "odd" || days === "even")
    return (new Date(day * 86_400_000).getUTCDate() % 2 === 1) === (days === "odd");
  if (isEvery(days)) return day >= days.from && (day - days.from) % days.every === 0;
  // 1970 began on a Thursday.
  return days.includes((day + 4) % 7);
}

const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** @returns the days in words: `Mon, Tue`, `odd days`, `every 3 days`. */
export function daysText(days: Days): string {
  if (typeof days === "string") return `${days} days`;
  if (isEvery(days)) return `every ${days.every} days`;
  return days.map((day) => names[day]).join(", ");
}
