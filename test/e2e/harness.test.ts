/** The harness of these tests, where the machine stops the test itself or a program under test for a while. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { receivedBytes } from "../harness/address.ts";
import { allowance, isEmulated } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { NoundProcess, startNound, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, request } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

/** ms on a native binary. */
const deadline = 50;

/** Holds this process up until something has happened outside and a deadline has passed. */
function stall(hasHappened: () => boolean): void {
  const until = performance.now() + allowance(deadline) + 10;
  while (performance.now() < until || !hasHappened());
}

test("an answer that came in time counts, though the test was stopped until after its deadline", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  connection.send(get("/still"));
  const response = connection.response("GET", deadline);
  stall(() => receivedBytes(connection.localPort ?? 0) > 0);
  expectState(await response, stillState);
});

test("the end of a connection behind an answer counts, though the test was stopped until after its deadline", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  connection.send(request("GET", "/still", "Connection: close\r\n"));
  const gone = connection.gone(deadline);
  stall(() => receivedBytes(connection.localPort ?? 0) > 0);
  await gone;
  expectState(await connection.response(), stillState, "close");
});

test.skipIf(isEmulated)(
  "the end of a program counts, though the test was stopped until after its deadline",
  async () => {
    const nound = endedByThisTest(await startNound({ nouns }));
    nound.signal("SIGTERM");
    const ending = nound.ending(deadline);
    stall(() => / Z /.test(readFileSync(`/proc/${nound.pid}/stat`, "latin1")));
    expect(await ending).toEqual(cleanEnding);
  },
);

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
