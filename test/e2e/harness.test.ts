/** The harness of these tests, where the pipes of a program under test have more to say than the program. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { cleanEnding, endedByThisTest } from "../harness/served.ts";

test("a program that has ended can be stopped, though another one still has its pipes", async () => {
  const fifo = temporaryPath("fifo");
  expect(spawnSync("mkfifo", [fifo]).status).toBe(0);
  const wrapper = ["sh", "-c", 'cat "$0" & exec "$@"', fifo];
  const nound = endedByThisTest(new NoundProcess(["--version"], "", { wrapper }));
  await eventually("it has ended", () => !existsSync(`/proc/${nound.pid}`));
  const ending = nound.stop();
  writeFileSync(fifo, "and the last word");
  expect(await ending).toMatchObject({ status: 0, stdout: expect.stringMatching(/^nound \d.*\nand the last word$/) });
});

test("a character of which a read brings half is read whole", async () => {
  const wrapper = ["sh", "-c", "printf '\\303'; sleep 0.1; printf '\\244'"];
  const nound = endedByThisTest(new NoundProcess([], "", { wrapper }));
  expect(await nound.ending()).toEqual({ ...cleanEnding, stdout: "ä" });
});
