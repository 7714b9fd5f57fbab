/** What a person is told about a mistake that many make in a configuration. */
import { expect, test } from "vitest";
import { TestPlatform } from "./test-platform.ts";

const relay = '"relay":{"kind":"switch","key":"on"}';

test.each([
  [
    "a wrong time and the body beside it",
    `{"nouns":{${relay},"r":{"kind":"rule","at":"25:00","then":{"PUT relay":{"on":7}}}}}`,
    [
      /r\.at: expected a time of day such as 06:30, sunset\+00:30 or \$wish\.time, found "25:00"$/,
      /r\.then\["PUT relay"\]\.on: .* must be 0 or 1\.$/,
    ],
  ],
  [
    "a noun that cannot be read, which rules may name, and one that does not exist",
    `{"nouns":{${relay},"b":{"kind":"switch"},` +
      '"r":{"kind":"rule","when":{"b":{"x":1},"rely":{"on":1}},"then":{"POST relay":{}}}}}',
    [/\$\.nouns\.b\.key: /, /r\.when\.rely: expected the name of a noun, found "rely"; did you mean "relay"\?$/],
  ],
  [
    "the description of a key that a sensor does not have",
    '{"nouns":{"cpu":{"kind":"sensor","device":"cpu","channel":"temp","keys":{"celsus":{"title":"x"}}}}}',
    [/\$\.nouns\.cpu: There is no key "celsus" to describe; it has "celsius"\.$/],
  ],
  [
    "guards with mistakes",
    '{"nouns":{"relay":{"kind":"switch","key":"on","guard":{"a":{"on":1}}},' +
      '"a":{"kind":"switch","key":"on","guard":{"relay":{"on":1}}},' +
      '"b":{"kind":"switch","key":"on","guard":{"c":{"on":2},"rely":{"on":1}}},' +
      '"c":{"kind":"switch","key":"on"},"cpu":{"kind":"sensor","device":"c","channel":"temp","guard":{"c":{"on":1}}},' +
      '"r":{"kind":"rule","when":{"c":{"on":0}},"then":{"PUT d":{"on":1},"PUT c":{"on":1},"POST d":{}}},' +
      '"d":{"kind":"switch","key":"on","guard":{"c":{"on":1}}}}}',
    [
      /\$\.nouns\.a: The guard of a is in a circle: a needs relay needs a\.$/,
      /r\.then\["PUT d"\]: expected an action that the guard of d allows, but the key "on" of c is never so when it runs$/,
      /b\.guard\.c\.on: expected 0 or 1, found 2$/,
      /b\.guard\.rely: expected the name of a noun, found "rely"; did you mean "relay"\?$/,
      /cpu\.guard: expected nothing, because clients cannot change this noun$/,
    ],
  ],
  [
    "a guard that cannot be",
    '{"nouns":{"relay":{"kind":"gpio-output","line":"GPIO17","key":"on","guard":{"a":{"on":{"changes":true}}}},' +
      '"pump":{"kind":"gpio-output","line":"GPIO18","key":"on","boot":"as-is","guard":{"a":{"on":1}}},' +
      '"a":{"kind":"switch","key":"on"}}}',
    [
      /relay\.guard\.a\.on: expected a value, or an object with "above" or "below", found an object$/,
      /pump\.boot: expected "default" beside "guard", found "as-is": a guard is met only later$/,
    ],
  ],
])("--check names %s", async (_mistake, text, sentences) => {
  const program = new TestPlatform();
  program.files.set("nound.json", text);
  await program.run("--check", "--config", "nound.json");
  expect(await program.status()).toBe(78);
  const lines = program.error.trimEnd().split("\n");
  expect(lines).toHaveLength(sentences.length);
  sentences.forEach((sentence, index) => {
    expect(lines[index]).toMatch(sentence);
  });
});

test("--check warns of a token, and of a broker, that may use a noun that does not exist", async () => {
  const program = new TestPlatform();
  program.files.set("/tokens", `panel GET RELAY,rely,c*,* ${"0".repeat(64)}\n`);
  const mqtt = '"mqtt":{"server":"127.0.0.1:1883","id":"x","may":"GET  r*,nothing"}';
  program.files.set("nound.json", `{"access":{"tokens":"/tokens"},${mqtt},"nouns":{${relay}}}`);
  await program.run("--check", "--config", "nound.json");
  expect(await program.status()).toBe(0);
  expect(program.output.split("\n").filter((line) => line.includes("no such noun"))).toEqual([
    'nound.json: the token panel may use rely, but there is no such noun; did you mean "relay"?',
    "nound.json: the token panel may use c*, but there is no such noun",
    "nound.json: the broker may use nothing, but there is no such noun",
  ]);
});

test.each([
  [["--chekc"], 'unknown option --chekc; did you mean "--check"?; see nound --help'],
  [["--relaod", "1"], 'unknown option --relaod; did you mean "--reload"?; see nound --help'],
  [["--find", "buton"], "unexpected argument buton, did you mean --find button?; see nound --help"],
])("the command line %j names the word that is meant", async (args, sentence) => {
  const program = new TestPlatform();
  await program.run(...args);
  expect(program.error).toBe(`nound: ${sentence}\n`);
});
