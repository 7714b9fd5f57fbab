/** Rules at times of day, where the time zone is not known or the clock shows a moment that has passed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";

const nouns = {
  lamp: { kind: "switch", key: "on" },
  // biome-ignore lint/suspicious/noThenProperty: the word of a rule
  evening: { kind: "rule", at: "22:30", days: "sun-thu", then: { "PUT lamp": { on: 1 } } },
};

async function start(configuration: object, environment: Readonly<Record<string, string>>): Promise<NoundProcess> {
  const listen = await freeAddress();
  const file = configurationFile(JSON.stringify({ listen, log: "errors", ...configuration }));
  const nound = new NoundProcess(["--config", file], listen, { environment });
  onTestFinished(() => nound.kill());
  await nound.listening();
  return nound;
}

test.each(["Europe/Brelin", "CEST", "CET-1CEST"])(
  "--check and the log say that local time is not that of TZ=%s, and what helps",
  async (zone) => {
    const environment = { TZ: zone };
    const file = configurationFile(JSON.stringify({ nouns }));
    const check = new NoundProcess(["--check", "--config", file], "", { environment });
    const sentence = new RegExp(`the time zone TZ=${zone} .*,M3\\.5\\.0,M10\\.5\\.0/3`);
    expect(await check.ending()).toMatchObject({ status: 0, stdout: expect.stringMatching(sentence) as string });
    const nound = await start({ nouns }, environment);
    await eventually("the log says it", () => sentence.test(nound.printed));
  },
);

test.each([
  ["2026-07-01T12:00:00Z", -120],
  ["2026-12-01T12:00:00Z", -60],
])("a zone as POSIX writes it needs no file: at %s", async (moment, offset) => {
  const zone = { environment: { TZ: "CET-1CEST,M3.5.0,M10.5.0/3" } };
  const program = configurationFile(`
    import { exit } from "nound:loop";
    import { printOutput } from "nound:system";
    printOutput(String(new Date("${moment}").getTimezoneOffset()));
    exit(0);
  `);
  const ended = await new NoundProcess([], "", { application: program, ...zone }).ending();
  expect(ended).toMatchObject({ status: 0, stdout: String(offset), stderr: "" });
});

test("the log says that rules wait while the clock shows a date before the last one seen", async () => {
  const stateDirectory = temporaryPath("states");
  const date = join(stateDirectory, "tls-date");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const later = Math.floor(Date.now() / 1_000) + 365 * 86_400;
  writeFileSync(date, `${later}\n`, { mode: 0o600 });
  const nound = await start({ nouns, stateDirectory }, {});
  // A machine whose clock a time server sets drops the date instead.
  const isDropped = () => Number(readFileSync(date, "utf8")) < later;
  await eventually(
    "one of them",
    () => nound.printed.includes('rules with "at" and schedules wait: the clock shows') || isDropped(),
  );
});
