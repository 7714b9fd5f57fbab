/** Signals: SIGTERM and SIGINT end the service in order. */

import { describe, expect, test } from "vitest";
import { isListening } from "../harness/address.ts";
import { slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState, stateOf } from "../harness/expected-response.ts";
import { startApplication, startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const slow = { mark: "slow", delay: "gate" };

/** Starts an application that has a request under way, which `open` lets go on. No time limit ends it before. */
async function startWaiting() {
  const limits = { headersTimeout: ample, bodyTimeout: ample, nounTimeout: ample, shutdownTimeout: ample };
  const application = endedByThisTest(await startApplication(limits));
  const watcher = await RawConnection.open(application.address);
  const connection = await RawConnection.open(application.address);
  const opener = await RawConnection.open(application.address);
  connection.send(put("/one", slow));
  // Half of what opens the gate: the server waits for the rest of a request that has begun.
  const opening = post("/gate");
  opener.send(get("/plain") + opening.slice(0, -1));
  expectState(await opener.response(), { plain: true });
  await eventually("the request is under way", async () => {
    watcher.send(get("/journal"));
    const { entries } = stateOf(await watcher.response());
    return entries === "+slow";
  });
  watcher.drop();
  return { application, connection, opener, open: () => opener.send(opening.slice(-1)) };
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("ends an idle program with status 0 and without a word", async () => {
    const nound = endedByThisTest(await startNound({ nouns }));
    nound.signal(signal);
    expect(await nound.ending()).toEqual(cleanEnding);
    expect(isListening(nound.address)).toBe(false);
  });

  test("lets a request in flight finish, and accepts no new connection", async () => {
    const { application, connection, opener, open } = await startWaiting();
    application.signal(signal);
    await eventually("it listens no more", () => !isListening(application.address));
    expect(connection.unread, "the slow request is not answered yet").toBe("");
    await expect(RawConnection.open(application.address)).rejects.toThrow(/ECONNREFUSED/);
    open();
    expectState(await opener.response(), {}, "open");
    expectState(await connection.response(), slow, "open");
    await connection.closedInOrder();
    for (const client of [connection, opener]) client.drop();
    expect(await application.ending()).toEqual(cleanEnding);
  });

  test("waits for a request that never ends no longer than shutdownTimeout", async () => {
    const application = endedByThisTest(
      await startApplication({ shutdownTimeout: 300 * slowness, nounTimeout: ample }),
    );
    const connection = await RawConnection.open(application.address);
    connection.send(get("/plain") + get("/never"));
    expectState(await connection.response(), { plain: true });
    application.signal(signal);
    expect(await application.ending()).toEqual(cleanEnding);
  });

  test("sent twice still lets a request in flight finish, and ends with status 0", async () => {
    const { application, connection, opener, open } = await startWaiting();
    application.signal(signal);
    await eventually("it listens no more", () => !isListening(application.address));
    application.signal(signal);
    open();
    expectState(await opener.response(), {}, "open");
    expectState(await connection.response(), slow, "open");
    for (const client of [connection, opener]) client.drop();
    expect(await application.ending()).toEqual(cleanEnding);
  });
});

test("SIGPIPE does not end the service", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  nound.signal("SIGPIPE");
  const connection = await RawConnection.open(nound.address);
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
});

test("being stopped and continued loses nothing", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  nound.signal("SIGSTOP");
  connection.send(get("/still"));
  nound.signal("SIGCONT");
  expectState(await connection.response(), stillState);
});
