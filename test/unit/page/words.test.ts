/** The words of the page: each language has each text, with the same places for what is put into it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { top } from "../../harness/top.ts";

const folder = join(top, "ts/page/words");

type Words = Readonly<Record<string, string>>;

const read = (name: string): Words => JSON.parse(readFileSync(join(folder, name), "utf8"));

/** @returns the places that something is put into, and how many words there are to choose from. */
function shape(text: string): string {
  return `${(text.match(/\{\d\}/g) ?? []).toSorted().join("")} ${text.split("|").length}`;
}

/** What English need not say, because the device's own sentence is in English: what a refusal means, and phrases. */
const isOfDevice = (name: string) => /^(?:status|phrase)\./.test(name);

/** A name that nound gives by itself, in English. */
const isName = (name: string) => name.startsWith("name.");

const shapes = (words: Words) =>
  Object.entries(words)
    .filter(([name]) => !isOfDevice(name) && !isName(name))
    .map(([name, text]) => [name, shape(text)]);

const ofDevice = (name: string) => Object.keys(read(name)).filter(isOfDevice).toSorted();

test.each(readdirSync(folder))("%s has each text of the English one, with the same places", (name) => {
  expect(shapes(read(name))).toEqual(shapes(read("en.json")));
  expect(Object.values(read(name)).filter((text) => text.trim() === "")).toEqual([]);
});

test("each language but English says what a refusal means, and has the words of rules", () => {
  const others = readdirSync(folder).filter((name) => name !== "en.json");
  const [first = ""] = others;
  expect(ofDevice(first)).toContain("status.409");
  expect(ofDevice(first)).toContain("phrase.when asked");
  for (const name of others) expect([name, ...ofDevice(name)]).toEqual([name, ...ofDevice(first)]);
  expect(ofDevice("en.json")).toEqual([]);
});
