/** What the page says, in English unless the browser asks for a language that the device has. */
import english from "./words/en.json" with { type: "json" };

/** The name of a text. */
export type Text = keyof typeof english;

const words: Record<string, string> = { ...english };

/** Replaces texts by those of another language. A text that it lacks stays English. */
export function speak(others: Readonly<Record<string, unknown>>): void {
  for (const [name, text] of Object.entries(others)) if (typeof text === "string") words[name] = text;
}

/** @returns a text, with the parts in the places of {0}, {1} and {2}. */
export function say(name: Text, ...parts: readonly (string | number)[]): string {
  return (words[name] ?? "").replace(/\{(\d)\}/g, (_, place: string) => String(parts[Number(place)] ?? ""));
}

/** @returns the words of a device class for off and on; undefined if it has none. */
export function classWords(deviceClass: string): readonly string[] | undefined {
  const name = `class.${deviceClass}`;
  return Object.hasOwn(words, name) ? words[name]?.split("|") : undefined;
}
