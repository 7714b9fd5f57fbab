/** examples/remote-sensor as a program of its own, and the device that it asks: both are the built binary. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, startNound } from "../harness/nound-process.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";

/** The other device. */
async function startCellar(listen: string): Promise<NoundProcess> {
  return forThisTest(
    await startNound({ listen: [listen], nouns: { cellar: { kind: "value", default: { celsius: 3.5 } } } }),
  );
}

/** @param change of the program's text. @param args after those of the application. */
async function startExample(change: (text: string) => string, args: readonly string[] = []): Promise<NoundProcess> {
  const bundle = await bundleApplication("examples/remote-sensor/src/main.ts");
  const address = await freeAddress();
  const text = readFileSync(bundle, "utf8").replace('"127.0.0.1:8080"', JSON.stringify(address));
  writeFileSync(bundle, change(text));
  const nound = endedByThisTest(new NoundProcess(args, address, { application: bundle }));
  await nound.listening();
  return nound;
}

async function becomes({ address }: NoundProcess, celsius: number | null): Promise<void> {
  await eventually(`the temperature is ${celsius}`, async () => {
    const response = await fetch(`http://${address}/cellar`);
    return (await response.text()) === JSON.stringify({ celsius });
  });
}

test("a restricted application shows what another device measures, and null while that is away", async () => {
  const other = await freeAddress();
  const cellar = await startCellar(other);
  const nound = await startExample((text) =>
    text.replaceAll("127.0.0.1:8081", other).replace(/interval: (?:1e4|10_?000)/, "interval: 50"),
  );
  await becomes(nound, 3.5);
  const headers = { "content-type": "application/json" };
  await fetch(`http://${other}/cellar`, { method: "PUT", headers, body: '{"celsius":4}' });
  await becomes(nound, 4);
  await cellar.stop();
  await becomes(nound, null);
  await startCellar(other);
  await becomes(nound, 3.5);
  expect(await nound.stop()).toEqual({ status: 0, signal: null, stdout: "", stderr: "" });
});

test("an application that has not named a server gets a sentence that says what to add", async () => {
  const other = await freeAddress();
  const nound = await startExample((text) => text.replace("connect: [cellar]", `connect: ["${other}"]`), ["--debug"]);
  await eventually("it says so", () =>
    nound.printed.includes(
      'Error: 127.0.0.1:8081 is outside the program\'s reach: add reach: { connect: ["127.0.0.1:8081"] }',
    ),
  );
});
