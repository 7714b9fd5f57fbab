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

/** What a refusal means, which English need not say: the device's own sentence is in English. */
const isOfRefusal = (name: string) => name.startsWith("status.");

/** A name that nound gives by itself, in English. */
const isName = (name: string) => name.startsWith("name.");

const shapes = (words: Words) =>
  Object.entries(words)
    .filter(([name]) => !isOfRefusal(name) && !isName(name))
    .map(([name, text]) => [name, shape(text)]);

const refusals = (name: string) => Object.keys(read(name)).filter(isOfRefusal);

test.each(readdirSync(folder))("%s has each text of the English one, with the same places", (name) => {
  expect(shapes(read(name))).toEqual(shapes(read("en.json")));
  expect(Object.values(read(name)).filter((text) => text.trim() === "")).toEqual([]);
});

test("each language but English says what a refusal means", () => {
  const others = readdirSync(folder).filter((name) => name !== "en.json");
  const [first = ""] = others;
  expect(refusals(first)).toContain("status.409");
  for (const name of others) expect([name, ...refusals(name)]).toEqual([name, ...refusals(first)]);
  expect(refusals("en.json")).toEqual([]);
});
