/** What a person is told about a mistake that many make in a configuration. */
import { expect, test } from "vitest";
import { TestPlatform } from "./test-platform.ts";

const pump = (rest: string) => `{"nouns":{"pump":{${rest}}}}`;

test.each([
  ["a kind with letters left out", pump('"kind":"gpio-ouput"'), /found "gpio-ouput"; did you mean "gpio-output"\?$/],
  ["a key with letters swapped", '{"nuons":{}}', /\$\.nuons: unknown key; .*; did you mean "nouns"\?/],
  [
    "a number for a line's name",
    pump('"kind":"gpio-output","line":23,"key":"on"'),
    /\$\.nouns\.pump\.line: expected the line's name in quotes, such as "GPIO23", found 23; a line without a name is /,
  ],
  [
    "a missing comma",
    '{\n  "listen": "127.0.0.1:8080"\n  "nouns": {}\n}\n',
    /line 2, column 29: expected "," here, because a string follows on the next line$/,
  ],
  ["a comma too many", '{\n  "nouns": {},\n}\n', /line 2, column 14: expected no "," here, because "}" follows$/],
  ["YAML", "nouns:\n  led:\n", /line 1, column 1: this is not JSON, which begins with "\{", found "nouns"$/],
  ["an empty file", "", /line 1, column 1: this is not JSON: the file is empty$/],
])("%s is named with what to write", async (_mistake, text, sentence) => {
  const program = new TestPlatform();
  program.files.set("nound.json", text);
  await program.run("--config", "nound.json");
  expect(await program.status()).toBe(78);
  expect(program.error.trimEnd()).toMatch(sentence);
});
