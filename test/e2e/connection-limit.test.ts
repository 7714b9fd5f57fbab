/** Many connections at once, and the one too many. */
import { describe, expect, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { eventually, within } from "./harness/eventually.ts";
import { expectProblem, expectState } from "./harness/expected-response.ts";
import { type NoundProcess, startNound } from "./harness/nound-process.ts";
import { openDescriptors } from "./harness/process-status.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { get, put } from "./harness/request.ts";
import { forAllTests } from "./harness/served.ts";
import { stillState } from "./requests/sample.ts";

/** Opens connections and has each answered once, so that the server counts them all. */
async function openServed(nound: NoundProcess, count: number): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(nound.address)));
  for (const connection of connections) {
    connection.send(get("/still"));
  }
  for (const connection of connections) {
    expectState(await connection.response(), stillState);
  }
  return connections;
}

async function expectRefused(nound: NoundProcess): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  connection.send(put("/canary", { executed: true }));
  expectProblem(await connection.response(), 503, "close");
  await connection.closedInOrder();
  connection.drop();
}

/** Connects again and again until there is room. */
async function openWhenThereIsRoom(nound: NoundProcess): Promise<RawConnection> {
  return await eventually("a connection is served again", async () => {
    const connection = await RawConnection.open(nound.address);
    connection.send(get("/still"));
    const response = await connection.response();
    if (response.status === 200) {
      return connection;
    }
    connection.drop();
    return undefined;
  });
}

describe("by default", () => {
  const nound = forAllTests(() => startNound({ nouns }));

  test("128 connections are served at once; the 129th gets 503 and disturbs nobody", async () => {
    const before = openDescriptors(nound().pid);
    const connections = await openServed(nound(), 128);
    expect(openDescriptors(nound().pid)).toBe(before + 128);
    await expectRefused(nound());
    await expectRefused(nound());
    for (const [index, connection] of connections.entries()) {
      connection.send(put("/note", { index }));
      expectState(await connection.response(), { index });
    }
    connections.pop()?.drop();
    const late = await openWhenThereIsRoom(nound());
    late.send(get("/canary"));
    expectState(await late.response(), nouns.canary.default);
    await expectRefused(nound());
    for (const connection of [...connections, late]) {
      connection.drop();
    }
    await eventually("all descriptors are closed", () => openDescriptors(nound().pid) === before);
  });

  test("128 clients send one byte at a time, all at once, and each gets its own answer", async () => {
    const connections = await Promise.all(Array.from({ length: 128 }, () => RawConnection.open(nound().address)));
    const body = { number: 0, text: "µ" };
    await Promise.all(connections.map((connection, number) => connection.sendApart(put(`/note`, { ...body, number }))));
    for (const [number, connection] of connections.entries()) {
      expectState(await connection.response(), { ...body, number });
    }
    for (const connection of connections) {
      connection.drop();
    }
    (await openWhenThereIsRoom(nound())).drop();
  });

  test("128 clients that say nothing keep nobody waiting longer than it takes one to leave", async () => {
    const silent = await Promise.all(Array.from({ length: 128 }, () => RawConnection.open(nound().address)));
    await expectRefused(nound());
    for (const connection of silent) {
      connection.drop();
    }
    (await openWhenThereIsRoom(nound())).drop();
  });

  test("four hundred clients that connect while it is busy need not try again", async () => {
    nound().signal("SIGSTOP");
    try {
      // The kernel passes over a connection that it has no room for, and the client asks again after a second.
      const opening = Array.from({ length: 400 }, () => RawConnection.open(nound().address));
      for (const connection of await within("all are connected", Promise.all(opening), 900)) {
        connection.drop();
      }
    } finally {
      nound().signal("SIGCONT");
    }
    (await openWhenThereIsRoom(nound())).drop();
  });

  test("a thousand connections too many leave no descriptor behind", async () => {
    const held = await openServed(nound(), 128);
    const full = openDescriptors(nound().pid);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 100 }, () => expectRefused(nound())));
    }
    await eventually("only the held connections are open", () => openDescriptors(nound().pid) <= full);
    for (const connection of held) {
      connection.drop();
    }
    (await openWhenThereIsRoom(nound())).drop();
  });
});

describe("configured", () => {
  const nound = forAllTests(() => startNound({ nouns, limits: { maxConnections: 2 } }));

  test("the limit is the configured one", async () => {
    const [first] = await openServed(nound(), 2);
    await expectRefused(nound());
    first?.drop();
    await openWhenThereIsRoom(nound());
    await expectRefused(nound());
  });
});
