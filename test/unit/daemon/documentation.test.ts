/** docs/configuration.md promises what the program does: its examples and its tables are held to that. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { helpText } from "../../../ts/daemon/command-line.ts";
import { readConfiguration } from "../../../ts/daemon/configuration.ts";
import { type Json, parseJson } from "../../../ts/daemon/json.ts";
import { nounKinds } from "../../../ts/daemon/noun-kinds.ts";
import { isObject } from "../../../ts/daemon/setting.ts";
import { exitStatus } from "../../../ts/daemon/start-error.ts";
import { defaultLimits, type ServerLimits } from "../../../ts/server/options.ts";

/** The page, its tables without the spaces that align their columns. */
const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8").replace(/ +\|/g, " |");

/** The JSON examples: whole configurations, and single nouns, which have a kind. */
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => parseJson(text ?? ""));

test("every example is read as it stands", () => {
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) {
    const isNoun = isObject(example) && "kind" in example;
    const configuration: Json = isNoun ? { nouns: { example } } : example;
    expect(() => readConfiguration(configuration), JSON.stringify(example)).not.toThrow();
  }
});

test.each(Object.keys(nounKinds))("the kind %s has its section", (kind) => {
  expect(page).toContain(`#### \`"kind": "${kind}"\``);
});

test.each(Object.entries(defaultLimits))("the limit %s has its row, with its default and its range", (name, value) => {
  const row = new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| ${value} \\| ([0-9]+) to ([0-9]+) \\|$`, "m").exec(page);
  const [minimum, maximum] = [Number(row?.[1]), Number(row?.[2])];
  const read = (limit: number) => readConfiguration(withLimit(name as keyof ServerLimits, limit));
  expect(() => read(minimum)).not.toThrow();
  expect(() => read(maximum)).not.toThrow();
  expect(() => read(minimum - 1)).toThrow(`expected a whole number from ${minimum} to ${maximum}`);
  expect(() => read(maximum + 1)).toThrow(`expected a whole number from ${minimum} to ${maximum}`);
});

function withLimit(name: keyof ServerLimits, limit: number): Json {
  return { limits: { [name]: limit }, nouns: { led: { kind: "switch", key: "led" } } };
}

test("every option of the help and every exit status is on the page", () => {
  for (const [option] of helpText.matchAll(/--[a-z]+/g)) {
    expect(page).toContain(`\`${option}`);
  }
  for (const status of Object.values(exitStatus)) {
    expect(page).toContain(`| ${status} |`);
  }
});
