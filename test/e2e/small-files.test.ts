/** Files that people and power cuts leave in another form than nound writes. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { commandOf } from "../harness/environment.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { Service } from "../harness/reloaded-service.ts";

const [program] = commandOf("nound");

test("a token that is appended behind a line without an end has a line of its own", () => {
  const file = temporaryPath("tokens");
  const append = (name: string) => {
    const words = [program, "--new-token", name, file];
    return spawnSync("sh", ["-c", '"$0" "$1" "$2" >> "$3"', ...words]).status;
  };
  writeFileSync(file, "# the hall", { mode: 0o600 });
  expect([append("first"), append("second")]).toEqual([0, 0]);
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "# the",
    ...["first GET,PUT,POST,DELETE", "second GET,PUT,POST,DELETE", ""],
  ]);
});

test("a simulation with a certificate of its own writes nothing", async () => {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  const address = await freeAddress();
  const args = ["--simulate", "--listen", address, "--listen", `https://${await freeAddress()}`];
  const rest = { args, address, stateDirectory };
  const service = await Service.start({ lamp: { kind: "switch", key: "on" } }, rest);
  expect(await service.ask("GET", "/lamp")).toEqual({ on: 0 });
  expect(readdirSync(stateDirectory)).toEqual([]);
  expect((await service.process.stop()).stderr).not.toContain("https: ");
});

test.each([
  ["is empty", ""],
  ["is not in UTF-8", Buffer.from([0xff, 0xfe])],
])("a rule whose kept state %s is disabled, and the log says so", async (_, text) => {
  const stateDirectory = temporaryPath("states");
  mkdirSync(stateDirectory, { mode: 0o700 });
  writeFileSync(join(stateDirectory, "rule-frost"), text, { mode: 0o600 });
  const actions = JSON.parse('{"then":{"PUT b":{"on":1}}}') as object;
  const frost = { kind: "rule", when: { a: { on: 1 } }, ...actions, boot: "restore" };
  const light = { kind: "switch", key: "on" };
  const service = await Service.start({ a: light, b: light, frost }, { stateDirectory });
  expect(await service.ask("GET", "/frost")).toMatchObject({ enabled: false });
  expect(service.process.printed).toContain("frost: its kept state is damaged, so nobody knows whether it was enabled");
});
