/** What the page says, in English unless the browser asks for a language that the device has. */
import { type Scalar, textOf } from "./scalar.ts";
import type { Key } from "./thing.ts";
import english from "./words/en.json" with { type: "json" };

/** Stands for what is not known, in any language. */
export const unknown = "\u2013";

/** The name of a text. */
export type Text = keyof typeof english;

const words: Record<string, string> = { ...english };

/** The languages that the device has besides English. The build puts them here, by the files of words. */
declare const languagesOfDevice: readonly string[];

/** ms to wait for the words of a language. */
const wordsTime = 3_000;

/** Ends once the page has its words, of which those of the device are some. */
export let learned: Promise<void> = Promise.resolve();

/** Learns the language that the browser wants most, of those that the device has. */
export function learn(): Promise<void> {
  learned = fetchWords();
  return learned;
}

async function fetchWords(): Promise<void> {
  const wanted = navigator.languages.map((language) => language.slice(0, 2));
  const language = wanted.find((one) => one === "en" || languagesOfDevice.includes(one)) ?? "en";
  if (language === "en") return;
  try {
    const response = await fetch(`page/${language}`, { signal: AbortSignal.timeout(wordsTime) });
    // The texts are in the order of the English ones, and after them those that English does not need, by their names.
    if (response.ok) {
      const [own, ...texts] = (await response.json()) as readonly [Record<string, string>, ...string[]];
      for (const [index, name] of Object.keys(english).entries()) words[name] = texts[index] ?? "";
      Object.assign(words, own);
    }
    document.documentElement.lang = language;
  } catch {}
}

/** @returns a name that nound gives by itself, in the language of the page. */
export function worded(name: string): string {
  return words[`name.${name}`] ?? name;
}

/** Whether the page has a name, which nound gives by itself, in its language. */
export function isWorded(name: string): boolean {
  return Object.hasOwn(words, `name.${name}`);
}

/**
 * @param text words of a sentence that the device makes, or the name of a key.
 * @returns it in the language of the page; undefined if it has none.
 */
export function phrase(text: string): string | undefined {
  const capital = text.charAt(0).toUpperCase();
  const found = words[`phrase.${text.toLowerCase()}`] ?? words[`name.${capital}${text.slice(1)}`];
  return found !== undefined && text.startsWith(capital) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
}

/** @returns why something has failed. In other languages than English, it begins with what that means. */
export function reasonText(usual: Text, reason = ""): string {
  if (reason === "") return say(usual);
  return words[`text.${reason}`] ?? (phrase("when") === undefined ? reason : `${say(usual)} ${reason}`);
}

/** @returns what a device calls an action, in the language of the page if it is one of its usual words. */
export function translated(action: string): string {
  return words[`action.${action}`] ?? action;
}

/** @returns what a refusal means; "" in English, because the device's own sentence is. */
export function refusalOf(status: number): string {
  return words[`status.${status}`] ?? "";
}

/** @returns a text, with the parts in the places of {0}, {1} and {2}. */
export function say(name: Text, ...parts: readonly (string | number)[]): string {
  return put(words[name] ?? "", parts);
}

/** @returns how many there are of something: the first of two texts is for one. */
export function count(name: Text, number: number): string {
  const [one = "", many = one] = (words[name] ?? "").split("|");
  return put(number === 1 ? one : many, [number]);
}

function put(text: string, parts: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, place: string) => String(parts[Number(place)] ?? ""));
}

/** Device classes that have the words of another one. */
const alike: { readonly [deviceClass: string]: string } = {
  garage_door: "door",
  window: "door",
  gas: "carbon_monoxide",
};

/** @returns the words of a device class for off and on; undefined if it has none. */
export function classWords(deviceClass: string): readonly string[] | undefined {
  const name = `class.${alike[deviceClass] ?? deviceClass}`;
  return Object.hasOwn(words, name) ? words[name]?.split("|") : undefined;
}

/** @returns the label of a value, or what it means in the language of the page; undefined if it has none. */
export function labelOf({ labels }: Key, value: Scalar): string | undefined {
  return textOf(labels, String(value)) ?? words[`text.${value}`] ?? words[`name.${value}`];
}

/** @returns one of two values as a word. */
export function switchText(key: Key, value: Scalar): string {
  const { deviceClass = "", values, readOnly, name } = key;
  const label = labelOf(key, value);
  if (label !== undefined) return label;
  if (typeof value === "string") return value;
  // "On" and "Off" answer the question that a key of the name `on` asks, also if nobody may set it.
  const usual = say(readOnly && name !== "on" ? "noYes" : "offOn");
  return (classWords(deviceClass) ?? usual.split("|"))[value === values[1] ? 1 : 0] ?? "";
}
