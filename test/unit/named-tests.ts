/** The tests that a page of docs/ names: `` `unit/http/host.test.ts` "a title", "another" ``. */
import { existsSync, readFileSync } from "node:fs";

const top = new URL("../", import.meta.url);

/** @returns the tests that a text names, as files below test/ and titles. */
export function testsIn(text: string): readonly (readonly [file: string, title: string])[] {
  return [...text.matchAll(/`([^`]+)`((?:,? "[^"]+")+)/g)].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => [file, title] as const),
  );
}

/** @returns whether a file below test/ exists. */
export function isTestFile(file: string): boolean {
  return existsSync(new URL(file, top));
}

/** @returns whether a file below test/ has this title, as a whole string. */
export function hasTitle(file: string, title: string): boolean {
  if (!isTestFile(file)) return false;
  const source = readFileSync(new URL(file, top), "utf8");
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${title}${quote}`));
}
