/** What an editor shows the author of a noun over the names in it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DeclaredPackage } from "./declared-package.ts";
import { LanguageService } from "./language-service.ts";

const source = `import { defineNoun } from "nound";
export const noun = defineNoun({
  shape: {
    level: { type: "integer", minimum: 0, maximum: 100, unit: "%", readOnly: true },
    mode: { type: "choice", values: ["auto", "manual"], nullable: true },
    label: { type: "string", maximumLength: 9, optional: true },
  },
  default: { mode: "auto" },
  get: () => ({ level: 0, mode: "auto" }),
  set(desired) {
    const { mode: chosen } = desired;
    void chosen;
  },
  update(change) {
    void change;
  },
});
export const found = await noun.getState();
`;

let installed: DeclaredPackage;
let service: LanguageService;
let hover: (place: string) => Promise<string>;

beforeAll(async () => {
  installed = await DeclaredPackage.create();
  installed.compile(new Map([["main.ts", "export {};\n"]]));
  service = new LanguageService(installed.folder);
  await service.start();
  hover = service.open("src/noun.ts", source);
});

afterAll(() => {
  service?.stop();
  installed?.remove();
});

test.each([
  ['type: "integer"', "`integer` for whole numbers only."],
  ["minimum", "The smallest value; none if left out."],
  ["maximum:", "The largest value; none if left out."],
  ["unit", "The unit of the value"],
  ["readOnly", "True if only the noun sets the key"],
  ["values", "The possible values."],
  ["nullable", "True if the key may also be null"],
  ["maximumLength", "UTF-16 units"],
  ["optional", "True when a state may leave the key out."],
  ["shape:", "The keys of the state"],
  ["default:", "The state after a DELETE."],
  ["get:", "The current state."],
  ["set(", "Makes the state this one"],
])("%s has a sentence", async (place, sentence) => {
  expect(await hover(place)).toContain(sentence);
});

test.each([
  ["chosen }", 'const chosen: "auto" | "manual" | null'],
  ["desired)", 'readonly mode: "auto" | "manual" | null;'],
  ["change)", 'readonly mode?: "auto" | "manual" | null'],
  ["found", "readonly level: number;"],
  ["found", 'readonly mode: "auto" | "manual" | null;'],
])("%s is shown as its values: %s", async (place, type) => {
  expect(await hover(place)).toContain(type);
});
