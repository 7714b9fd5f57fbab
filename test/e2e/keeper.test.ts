/** Which command lines have a keeper: those that may serve. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandOf } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

const unshare = ["unshare", "--pid", "--fork", "--mount-proc"];
const canCount = spawnSync("unshare", [...unshare.slice(1), "true"]).status === 0;

/** @returns the last process id of a namespace in which the program has run. */
function lastProcess(args: readonly string[], keeper: "0" | "1"): string {
  const script = '"$@" > /dev/null 2>&1; read last < /proc/sys/kernel/ns_last_pid; echo $last';
  const [command = "", ...words] = [...unshare, "sh", "-c", script, "sh", ...commandOf("nound"), ...args];
  return spawnSync(command, words, { env: { ...process.env, NOUND_KEEPER: keeper }, encoding: "utf8" }).stdout;
}

test.skipIf(!canCount)(
  `--find, --check and --new-token start no second process${canCount ? "" : " (skipped: no namespace of processes)"}`,
  () => {
    for (const args of [["--find"], ["--check", "--config", "/missing"], ["--new-token", "panel"]]) {
      expect(lastProcess(args, "1"), args.join(" ")).toBe(lastProcess(args, "0"));
    }
  },
);

test("an application's own arguments leave it its keeper, unless they ask for a check", async () => {
  const file = temporaryPath("application.js");
  writeFileSync(
    file,
    'import { printError } from "nound:system"; import { setTimer } from "nound:loop";' +
      'setTimer(() => {}, 600_000); printError("started\\n");',
    { mode: 0o644 },
  );
  const hasKeeper = async (...args: readonly string[]): Promise<boolean> => {
    const running = endedByThisTest(new NoundProcess(args, "", { application: file }));
    await eventually("it has started", () => running.printed.includes("started"));
    return running.pid !== running.keeper;
  };
  expect(await hasKeeper()).toBe(true);
  expect(await hasKeeper("--checkout", "--helpful", "--findings")).toBe(true);
  expect(await hasKeeper("x", "--", "--check")).toBe(true);
  expect(await hasKeeper("--check")).toBe(false);
});
