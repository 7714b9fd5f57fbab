/** A debug log that nobody reads: the server serves anyway. */

import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { missing, python } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { type NoundProcess, startNound, temporaryPath } from "../harness/nound-process.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { endedByThisTest } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

/** The reading end of a FIFO that nobody reads from unless told to. */
class StalledReader {
  readonly path = temporaryPath("log");
  readonly #fd: number;

  constructor() {
    const { status } = spawnSync("mkfifo", [this.path]);
    expect(status).toBe(0);
    this.#fd = openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(this.#fd));
  }

  /** @returns the lines that are there. All of them are whole. */
  lines(): string[] {
    let text = "";
    const bytes = Buffer.alloc(65_536);
    try {
      for (let count = 1; count > 0; ) {
        count = readSync(this.#fd, bytes);
        text += bytes.toString("latin1", 0, count);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    expect(text.endsWith("\n")).toBe(true);
    return text.slice(0, -1).split("\n");
  }
}

async function askFor(nound: NoundProcess, requests: number): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  for (let sent = 0; sent < requests; sent++) {
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
  }
  connection.drop();
}

const requests = 3_000;
const dropped = /^\((\d+) lines dropped here, because nobody read them\)$/;

test("the server serves on while nobody reads its log, and says how much of it was lost", async () => {
  const reader = new StalledReader();
  const wrapper = ["sh", "-c", 'exec "$@" 2> "$0"', reader.path];
  const nound = endedByThisTest(await startNound({ nouns }, ["--debug"], { wrapper }));
  await askFor(nound, requests);
  const before = reader.lines();
  await askFor(nound, 1);
  const after = reader.lines();
  const lost = Number(dropped.exec(after[0] ?? "")?.[1]);
  const said = [...before, ...after.slice(1)].filter((line) => line.includes("/still"));
  // The lines of the two connections' beginning and end may be among the lost ones.
  expect(said.length + lost).toBeGreaterThanOrEqual(requests + 1);
  expect(said.length + lost).toBeLessThanOrEqual(requests + 1 + 4);
  expect(before.length).toBeGreaterThan(100);
  expect(before.filter((line) => dropped.test(line))).toEqual([]);
  expect(await nound.stop()).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

const noPython = missing(python, "--version");

test.skipIf(noPython !== undefined)(
  `a terminal whose output has stopped holds nobody up, and gets whole lines once it goes on${noPython ?? ""}`,
  async () => {
    const terminal = await Pseudoterminal.open();
    onTestFinished(() => terminal.unplug());
    const wrapper = ["sh", "-c", 'exec "$@" 2> "$0"', terminal.path];
    const nound = endedByThisTest(await startNound({ nouns }, ["--debug"], { wrapper }));
    await askFor(nound, requests);
    void terminal.received;
    const lines = await eventually("the number of lost lines is told", async () => {
      await askFor(nound, 1);
      const text = terminal.received.toString("latin1");
      return text.includes("lines dropped here") && text.endsWith("\n") && text.trimEnd().split(/\r?\n/);
    });
    const lost = lines.map((line) => Number(dropped.exec(line)?.[1] ?? 0)).reduce((sum, count) => sum + count, 0);
    expect(lost).toBeGreaterThan(requests / 2);
    // A line that was written in part is completed before any other.
    const unknown = lines.filter(
      (line) => !dropped.test(line) && !/^(127\.0\.0\.1:\d+|nound|listening|serving) /.test(line),
    );
    expect(unknown).toEqual([]);
    expect(await nound.stop()).toMatchObject({ status: 0, stdout: "", stderr: "" });
  },
);
