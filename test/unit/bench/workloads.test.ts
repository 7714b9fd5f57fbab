import { expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { setAdc } from "../../../ts/program/testing/device-outside.ts";
import type { JsonObject } from "../../../ts/settings/json.ts";
import { everyKind, switches } from "../../bench/nouns.ts";
import { workloads } from "../../bench/workloads.ts";

test.each(everyKind.map((noun) => [noun.name, noun] as const))(
  "%s has the state that nginx answers",
  async (name, noun) => {
    const { nouns } = readConfiguration({ nouns: { [name]: noun.configuration as JsonObject } });
    beginProgram();
    setAdc("iio:device0", "voltage0", 2_048);
    const plan = nouns.get(parseNounName(name));
    const built = plan?.build({
      name: parseNounName(name),
      openStore: () => new SimulatedStore(),
      report: () => undefined,
    });
    expect(await built?.getState()).toEqual(noun.state);
  },
);

test.each(everyKind.map(({ name }) => name))("there is a GET of %s", (name) => {
  const requests = workloads.flatMap((workload) => workload.requests);
  expect(requests.some((text) => text.startsWith(`GET /${name} `))).toBe(true);
});

test("the first of many switches is the noun that a server is asked for at its start", () => {
  expect(switches(3).map(({ name }) => name)).toEqual(["led", "led1", "led2"]);
});

test("two workloads have no name in common", () => {
  expect(new Set(workloads.map(({ name }) => name)).size).toBe(workloads.length);
});
