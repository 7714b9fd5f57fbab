/** Nouns in an endless loop: each is interrupted, and the service goes on. */
import { expect, test } from "vitest";
import { bundleApplication, startBundle } from "../harness/bundled-application.ts";
import { slowness } from "../harness/environment.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startApplication } from "../harness/nound-process.ts";
import { comesToRest } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forAllTests } from "../harness/served.ts";

// Processor time, of which what runs beside takes nothing; each of three dozen loops here uses it all.
const nounBusyTime = 150 * Math.min(slowness, 2);
const application = forAllTests(() =>
  // Operations that wait behind endless ones have their turns in time, however little of the processor there is.
  startApplication({ nounBusyTime, nounTimeout: 60_000 * slowness, shutdownTimeout: 300 }),
);
const impatient = forAllTests(() =>
  startApplication({ nounBusyTime, nounTimeout: 1_000 * slowness, shutdownTimeout: 300 }),
);

async function expectIntact(address: string, name: string): Promise<void> {
  const connection = await RawConnection.open(address);
  connection.send(get(`/${name}`) + get("/plain"));
  expectState(await connection.response(), { intact: true });
  expectState(await connection.response(), { plain: true });
  connection.drop();
}

test.each([
  "endless-loop",
  "endless-recursion-of-loops",
  "endless-iteration",
  "endless-match",
  "endless-promise",
  "endless-getter",
  "endless-then",
  "endless-error",
])(
  "an operation that never returns is interrupted, answered 503, and those behind it have their turns: %s",
  async (name) => {
    const connection = await RawConnection.open(application().address);
    connection.send(put(`/${name}`, {}) + post(`/${name}`) + del(`/${name}`) + get(`/${name}`) + get("/plain"));
    for (let operation = 0; operation < 3; operation++) {
      expectProblem(await connection.response(), 503, "keep");
    }
    expectState(await connection.response(), { intact: true });
    expectState(await connection.response(), { plain: true });
    connection.drop();
  },
);

test.each(["endless-loop", "endless-getter"])(
  "a request that is known byte for byte is interrupted and answered like any other: %s",
  async (name) => {
    const connection = await RawConnection.open(application().address);
    for (let round = 0; round < 4; round++) {
      connection.send(put(`/${name}`, {}));
      expectProblem(await connection.response(), 503, "keep");
    }
    // And so are several of the same at once, with another behind them.
    for (let round = 0; round < 2; round++) {
      connection.send(put(`/${name}`, {}).repeat(3) + get("/plain"));
      for (let operation = 0; operation < 3; operation++) expectProblem(await connection.response(), 503, "keep");
      expectState(await connection.response(), { plain: true });
    }
    connection.drop();
  },
);

test.each([
  "endless-later",
  "endless-much-later",
  "endless-promises",
  "endless-getter-later",
  "endless-then-later",
  "endless-error-later",
])(
  "an operation that never returns behind an await gets 503 in its time, and those behind it their turns: %s",
  async (name) => {
    const connection = await RawConnection.open(impatient().address);
    connection.send(put(`/${name}`, {}));
    // A chain of promises without an end takes memory without an end, too: whichever limit it meets first.
    expectProblem(await connection.response(), name === "endless-promises" ? [500, 503] : 503, "keep");
    await expectIntact(impatient().address, name);
    connection.drop();
    await comesToRest(impatient().pid);
  },
);

test("a timer that never returns is interrupted", async () => {
  const connection = await RawConnection.open(application().address);
  connection.send(post("/endless-timer") + get("/plain"));
  expectState(await connection.response(), {});
  expectState(await connection.response(), { plain: true });
  await expectIntact(application().address, "endless-timer");
  connection.drop();
});

test("a noun that never returns from its closing delays neither other nouns nor the program's end", async () => {
  const bundle = await bundleApplication("test/e2e/closing-application.ts");
  const closing = endedByThisTest(await startBundle(bundle));
  expect(await closing.stop()).toEqual({ ...cleanEnding, stdout: "closed" });
});
