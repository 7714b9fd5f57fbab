/** When a rule runs next, by the sentence that the device makes of its times. */

/** As the device writes them. */
export const dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const dayTime = 86_400_000;

/** @param name of a day as the device writes it. @returns its short name in the language of the browser. */
export function nameOfDay(name: string): string {
  // 4 January 1970 was a Sunday.
  const time = (3 + dayNames.indexOf(name)) * dayTime;
  return new Date(time).toLocaleDateString(undefined, { weekday: "short", timeZone: "UTC" });
}

/** The times, and the days. */
const sentenceOfTimes = /^At (.+?)(?: on ((?:\w{3}, )*[A-Z]\w{2}|\w+ days|every \d+ days))?(?: if .*)?: /;

/** @returns whether a rule runs on a day; undefined if only the device knows. @param days in the device's words. */
function isOn(days: string | undefined, date: Date): boolean | undefined {
  if (days === undefined) return true;
  if (days === "odd days") return date.getDate() % 2 === 1;
  if (days === "even days") return date.getDate() % 2 === 0;
  const names = days.split(", ");
  return names.every((name) => dayNames.includes(name)) ? names.includes(dayNames[date.getDay()] ?? "") : undefined;
}

/**
 * @param sentence such as "At 22:30, 15 min after sunset (today 16:42) on Mon, Tue: Lamp off."
 * @param now the time of day where the device is.
 * @returns the next time and its day, 0 for today; undefined for none, or if only the device knows.
 */
export function nextOf(sentence: string, now: Date): { readonly days: number; readonly time: string } | undefined {
  const [, list, days] = sentenceOfTimes.exec(sentence) ?? [];
  // A time of the sun has that of today; it is another one on each day.
  const times = list?.split(/, (?=\d|[a-z])/).map((text) => /(today )?(\d\d:\d\d)\)?$/.exec(text) ?? []) ?? [];
  if (times.length === 0 || times.some(([whole]) => whole === undefined)) return undefined;
  const clock = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  for (let ahead = 0; ahead < 8; ahead++) {
    const isDay = isOn(days, new Date(now.getTime() + ahead * dayTime));
    if (isDay === undefined) return undefined;
    if (!isDay) continue;
    const [next] = times
      .map(([, , time = ""]) => time)
      .filter((time) => ahead > 0 || time > clock)
      .sort();
    if (next !== undefined) return { days: ahead, time: next };
  }
  return undefined;
}
