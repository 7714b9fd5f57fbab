/** States that people set, after the power was cut and after an ordinary end. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";

const nouns = {
  heating: {
    kind: "value",
    boot: "restore",
    default: { wanted: 20, mode: "off" },
    shape: {
      wanted: { type: "number", minimum: 5, maximum: 30 },
      mode: { type: "choice", values: ["off", "heat"] },
    },
  },
  away: { kind: "switch", key: "on", boot: "restore" },
};

test("a set-point, a mode and a switch are what they were, whether the program was killed or ended", async () => {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const set = { wanted: 23, mode: "heat" };
  const killed = await Service.start(nouns, { stateDirectory });
  await killed.ask("PUT", "/heating", set);
  await killed.ask("PUT", "/away", { on: 1 });
  killed.process.kill();
  await killed.process.ending();
  const ended = await Service.start(nouns, { stateDirectory });
  expect(await ended.ask("GET", "/heating")).toEqual(set);
  expect(await ended.ask("GET", "/away")).toEqual({ on: 1 });
  for (const wanted of [24, 25, 26]) await ended.ask("POST", "/heating", { wanted });
  await ended.process.stop();
  const last = await Service.start(nouns, { stateDirectory });
  expect(await last.ask("GET", "/heating")).toEqual({ wanted: 26, mode: "heat" });
  await last.process.stop();

  writeFileSync(join(stateDirectory, "state-heating"), '{"wanted":99,"mode":"heat"}');
  const changed = await Service.start(nouns, { stateDirectory });
  expect(await changed.ask("GET", "/heating")).toEqual(nouns.heating.default);
  expect(changed.process.printed).toContain(
    'the state that was kept cannot be restored, so this is the default: The value of "wanted"',
  );
});
