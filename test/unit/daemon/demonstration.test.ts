import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { demonstration } from "../../../ts/program/daemon/demonstration.ts";
import { parseJson } from "../../../ts/settings/json.ts";

test("the example configuration is the demonstration", () => {
  const example = readFileSync(new URL("../../../examples/demo/nound.json", import.meta.url), "utf8");
  expect(parseJson(example)).toEqual(demonstration());
});

test("the demonstration is a configuration, and has the noun to try", () => {
  const { nouns, listen } = readConfiguration(demonstration());
  expect([...nouns.keys()]).toContain("led");
  expect(listen).toEqual(["127.0.0.1:8080"]);
});
