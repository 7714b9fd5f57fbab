/** Checks the examples and tables of docs/configuration.md, docs/nouns.md, docs/hardware.md and docs/rules.md against the program. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultLimits } from "../../../ts/core/server/options.ts";
import { defaultProcessLimits } from "../../../ts/platform/process-limits.ts";
import { exitStatus } from "../../../ts/platform/start-error.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { helpText } from "../../../ts/program/daemon/help.ts";
import { type Json, parseJson } from "../../../ts/settings/json.ts";
import { isObject } from "../../../ts/settings/setting.ts";

/** A page, its tables without the spaces that align their columns. */
function readPage(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8").replace(/ +\|/g, " |");
}

const page = readPage("configuration");
const nounsPage = readPage("nouns");
const hardwarePage = readPage("hardware");
const rulesPage = readPage("rules");

/** The JSON examples: whole configurations, and single nouns, which have a kind. */
const examples = [...`${page}${nounsPage}${hardwarePage}${rulesPage}`.matchAll(/```json\n(.*?)```/gs)].map(([, text]) =>
  parseJson(text ?? ""),
);

test("every example is read as it stands", () => {
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) {
    const isNoun = isObject(example) && "kind" in example;
    const configuration: Json = isNoun ? { nouns: { example } } : example;
    expect(() => readConfiguration(configuration), JSON.stringify(example)).not.toThrow();
  }
});

const { maxConnections, tlsConnections, maxStreams, bodyBytes, nounTimeout } = defaultLimits;
const { memoryBytes } = defaultProcessLimits;
const limits = { maxConnections, tlsConnections, maxStreams, bodyBytes, nounTimeout, memoryBytes };

test.each(Object.entries(limits))("the limit %s has its row, with its default and its range", (name, value) => {
  const row = new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| ${value} \\| ([0-9]+) to ([0-9]+) \\|$`, "m").exec(page);
  const [minimum, maximum] = [Number(row?.[1]), Number(row?.[2])];
  const read = (limit: number) => readConfiguration(withLimit(name, limit));
  expect(() => read(minimum)).not.toThrow();
  expect(() => read(maximum)).not.toThrow();
  expect(() => read(minimum - 1)).toThrow(`expected a whole number from ${minimum} to ${maximum}`);
  expect(() => read(maximum + 1)).toThrow(`expected a whole number from ${minimum} to ${maximum}`);
});

function withLimit(name: string, limit: number): Json {
  return { limits: { [name]: limit }, nouns: { led: { kind: "switch", key: "led" } } };
}

test("every option of the help and every exit status is on the page", () => {
  for (const [option] of helpText().matchAll(/--[a-z]+/g)) {
    expect(page).toContain(`\`${option}`);
  }
  for (const status of Object.values(exitStatus)) {
    expect(page).toContain(`| ${status} |`);
  }
});
