/** config.yaml of Home Assistant's app by the Supervisor's rules. `npm run test:home` has the Supervisor itself judge. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { appConfig, appMistakes } from "../harness/app-mistakes.ts";

const file = join(import.meta.dirname, "harness/supervisor-app.schema.json");
const isValid = new Ajv().compile(JSON.parse(readFileSync(file, "utf8")));

test("the app's configuration is valid", () => {
  isValid(appConfig);
  expect(isValid.errors).toBe(null);
});

test.each(appMistakes.map((mistake) => [mistake]))("%o is refused", (mistake) => {
  expect(isValid(JSON.parse(JSON.stringify({ ...appConfig, ...mistake })))).toBe(false);
});

test("so is a word that the Supervisor does not know, which it would drop", () => {
  expect(isValid({ ...appConfig, gpios: true })).toBe(false);
});
