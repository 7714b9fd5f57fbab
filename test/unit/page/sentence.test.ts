/** The sentences of rules and schedules on the page, in the languages that the page has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { top } from "../../harness/top.ts";

const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(top, `ts/page/words/${language}.json`), "utf8"));

const english = Object.keys(read("en"));

/** A page of its own for each language, because a page learns one. */
async function open() {
  vi.resetModules();
  const { learn, reasonText } = await import("../../../ts/page/say.ts");
  return { learn, reasonText, ...(await import("../../../ts/page/sentence.ts")) };
}

/** @returns a page that has the words of a language, as the device sends them. */
async function speak(language: string) {
  const words = read(language);
  const own = Object.fromEntries(Object.entries(words).filter(([name]) => !english.includes(name)));
  vi.stubGlobal("languagesOfDevice", [language]);
  vi.stubGlobal("navigator", { languages: [language] });
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", async () => Response.json([own, ...english.map((name) => words[name])]));
  vi.spyOn(Date.prototype, "toLocaleDateString").mockImplementation(function (this: Date) {
    return `day ${this.getUTCDay()}`;
  });
  const page = await open();
  await page.learn();
  return page;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
});

/** Titles with words of the sentences in them. */
const titles = ["Lamp on stairs", "Lamp", "When", "Cellar", "C++ (a|b) [old]"];

/** One of each form that the device makes. */
const sentences = [
  "When asked: Lamp on.",
  "When Cellar is below 4 °C until 6 °C for 5 min: Lamp on stairs on, else off.",
  "When Cellar is above 3 and below 7 and Lamp is on, or When changes: Lamp reset, Cellar triggered (again every 2 h).",
  "When Cellar cannot be read: C++ (a|b) [old] off.",
  "At 22:30, 15 min after sunset (today 16:42) on Mon, Tue if Lamp is off: Lamp percent 40 %.",
  "At 1 h before sunrise (not today) on odd days: Lamp off.",
  "At 06:00 on even days: Lamp off.",
  "At 06:00 on every 3 days: Lamp off.",
  "Every 10 min: Lamp off.",
  "From sunset (today 16:42) to 23:00 on Mon, Sun.",
  "From 18:00 to 15 min after sunrise (not today) on odd days.",
];

test("in English they stay as the device says them, but for the names of days", async () => {
  const { translatedSentence, reasonText } = await open();
  expect(translatedSentence("When asked: Lamp on.", titles)).toBe("When asked: Lamp on.");
  expect(reasonText("failingBecause", "It fails.")).toBe("It fails.");
});

test("in German each of their words is German, and titles stay as they are", async () => {
  const { translatedSentence, reasonText } = await speak("de");
  expect(sentences.map((sentence) => translatedSentence(sentence, titles))).toEqual([
    "Auf Wunsch: Lamp an.",
    "Wenn Cellar unter 4 °C und weiter bis 6 °C seit 5 min: Lamp on stairs an, sonst aus.",
    "Wenn Cellar über 3 und unter 7 und Lamp = an, oder When sich ändert: Lamp zurückgesetzt, Cellar ausgelöst " +
      "(wieder alle 2 h).",
    "Wenn Cellar nicht lesbar ist: C++ (a|b) [old] aus.",
    "Um 22:30, 15 min nach Sonnenuntergang (heute 16:42) am day 1, day 2 wenn Lamp = aus: Lamp Prozent 40 %.",
    "Um 1 h vor Sonnenaufgang (heute nicht) an ungeraden Tagen: Lamp aus.",
    "Um 06:00 an geraden Tagen: Lamp aus.",
    "Um 06:00 alle 3 Tage: Lamp aus.",
    "Alle 10 min: Lamp aus.",
    "Von Sonnenuntergang (heute 16:42) bis 23:00 am day 1, day 0.",
    "Von 18:00 bis 15 min nach Sonnenaufgang (heute nicht) an ungeraden Tagen.",
  ]);
  // What a person wrote is no sentence of the device.
  expect(translatedSentence("Keeps the pipes and the boiler from frost.", titles)).toBe(
    "Keeps the pipes and the boiler from frost.",
  );
  expect(reasonText("failingBecause", "The wire is broken.")).toBe(
    "Ein Fehler, oder keine rechtzeitige Antwort. The wire is broken.",
  );
});

test.each(["de", "fr", "es", "zh"])("in %s no word of them is left in English", async (language) => {
  const parts = (text: string) => text.match(/[a-z]{2,}/gi) ?? [];
  const kept = new Set([...titles.flatMap(parts), "day", "min"]);
  const words = new Set(sentences.flatMap(parts).filter((word) => !kept.has(word)));
  const { translatedSentence } = await speak(language);
  // A language may have a word that English has, too.
  const own = new Set(Object.values(read(language)).flatMap(parts));
  const left = sentences.flatMap((sentence) => parts(translatedSentence(sentence, titles)));
  expect(left.filter((word) => words.has(word) && !own.has(word))).toEqual([]);
  expect(words.size).toBeGreaterThan(30);
});

test.each([
  ["From 18:00 to 23:00.", ""],
  ["From 18:00 to 23:00 on Sat, Sun.", "am day 6, day 0"],
  ["From sunset (today 16:42) to 23:00 on every 3 days.", "16:42\u201323:00 · alle 3 Tage"],
  ["From 30 min before sunset (today 16:12) to sunrise (today 07:58).", "16:12\u201307:58"],
  ["From dusk (not today) to 01:00.", "Dämmerung am Abend (heute nicht)\u201301:00"],
  ["Während wir weg sind.", "Während wir weg sind."],
  ["", ""],
])("the tile of a schedule has of %s", async (sentence, told) => {
  const { scheduleDays } = await speak("de");
  expect(scheduleDays(sentence)).toBe(told);
});
