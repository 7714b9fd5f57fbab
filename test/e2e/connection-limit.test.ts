/** Many connections at once, and the one too many. */

import { describe, expect, test } from "vitest";
import { waitingConnections } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { type NoundProcess, startNound } from "../harness/nound-process.ts";
import { openDescriptors } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

/** Opens connections and has each answered once, in their order, which is then that of their last requests. */
async function openServed(nound: NoundProcess, count: number): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(nound.address)));
  // One after the other: the server sees bytes that are sent together in an order of its own.
  for (const connection of connections) {
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
  }
  return connections;
}

/** A newcomer is served at once. */
async function openServedAtOnce(nound: NoundProcess): Promise<RawConnection> {
  const connection = await RawConnection.open(nound.address);
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  return connection;
}

describe("by default", () => {
  // However long a slow machine takes for 128 requests of single bytes.
  const nound = forAllTests(() => startNound({ nouns, limits: { headersTimeout: ample, bodyTimeout: ample } }));

  test("128 connections are served at once; the 129th replaces the one that has been silent for longest", async () => {
    const before = openDescriptors(nound().pid);
    const connections = await openServed(nound(), 128);
    expect(openDescriptors(nound().pid)).toBe(before + 128);
    const [oldest, ...others] = connections;
    const late = await openServedAtOnce(nound());
    await oldest?.closedInOrder();
    for (const [index, connection] of others.entries()) {
      connection.send(put("/note", { index }));
      expectState(await connection.response(), { index });
    }
    expect(openDescriptors(nound().pid)).toBe(before + 128);
    for (const connection of [...connections, late]) {
      connection.drop();
    }
    await eventually("all descriptors are closed", () => openDescriptors(nound().pid) <= before);
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
    (await openServedAtOnce(nound())).drop();
  });

  test("four hundred clients that connect while it is busy need not try again", async () => {
    nound().signal("SIGSTOP");
    try {
      // The kernel ignores a connection that it has no room for, and the client asks again after a second. To a client
      // that was ignored, the connection may seem open.
      const connections = await Promise.all(Array.from({ length: 400 }, () => RawConnection.open(nound().address)));
      await eventually("the kernel has taken them all", () => waitingConnections(nound().address) === 400);
      for (const connection of connections) {
        connection.drop();
      }
    } finally {
      nound().signal("SIGCONT");
    }
    (await openServedAtOnce(nound())).drop();
  });

  test("a thousand connections too many leave no descriptor behind", async () => {
    const before = openDescriptors(nound().pid);
    const held: RawConnection[] = [];
    for (let round = 0; round < 10; round++) held.push(...(await openServed(nound(), 100)));
    expect(openDescriptors(nound().pid)).toBeLessThanOrEqual(before + 128);
    for (const connection of held) {
      connection.drop();
    }
    await eventually("all descriptors are closed", () => openDescriptors(nound().pid) <= before);
  });
});
