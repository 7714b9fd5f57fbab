/** The sentences that the device makes of rules and schedules, in the language of the page. */
import { dayNames, nameOfDay } from "./next.ts";
import { phrase } from "./say.ts";

/** Words that belong together. Any other word stands for itself. */
const together = "When asked|is above|is below|[Oo]n (?:odd days|even days|every)|not today|cannot be read|again every";

/** How sentences of rules and schedules begin. */
const begin = /^(?:When|At|Every|From) /;

/** @returns the text of a regular expression for any of these texts, the longest one first. */
function anyOf(texts: readonly string[]): string {
  const byLength = texts.filter((text) => text !== "").sort((one, other) => other.length - one.length);
  return byLength.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") || "(?!)";
}

/**
 * @param sentence of a rule or of a schedule. @param titles of the nouns, which stay as they are.
 * @returns it in the language of the page; any other text as it is.
 */
export function translatedSentence(sentence: string, titles: readonly string[]): string {
  return begin.test(sentence) ? translated(sentence, titles) : sentence;
}

/**
 * @param sentence of a schedule: "From sunset (today 16:42) to 23:00 on Mon, Tue."
 * @returns its days, and its times if they are the sun's of today; any other text as it is.
 */
export function scheduleDays(sentence: string): string {
  const [whole, times = "", days = ""] = /^From (.+? to .+?)(?: (on .*))?\.$/.exec(sentence) ?? [];
  if (whole === undefined) return sentence;
  const ends = times.split(" to ").map((time) => /\(today (\S+)\)/.exec(time)?.[1] ?? time);
  return [times.includes("(") ? translated(ends.join("\u2013"), []) : "", translated(days, [])]
    .filter((text) => text !== "")
    .join(" · ");
}

function translated(sentence: string, titles: readonly string[]): string {
  const one = `(?<=.)(${anyOf(titles)})|([Oo]n )?(${dayNames.join("|")})|${together}|[A-Za-z]+`;
  const all = new RegExp(`(?<![\\p{L}\\p{N}])(?:${one})(?![\\p{L}\\p{N}])`, "gu");
  return sentence.replace(all, (text: string, title?: string, on?: string, day?: string) => {
    if (title !== undefined) return text;
    if (day === undefined) return phrase(text) ?? text;
    const name = nameOfDay(day);
    return on === undefined ? name : `${phrase(`${on}day`) ?? "on"} ${name}`;
  });
}
