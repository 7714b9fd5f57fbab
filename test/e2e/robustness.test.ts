/** What a client may do wrong or out of malice, and one process that outlives it all. */

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hasSanitizers, isEmulated, memoryNotJudged, slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { type NoundProcess, startNound, temporaryPath } from "../harness/nound-process.ts";
import { comesToRest, openDescriptors, peakResidentMemory } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { readStates } from "../harness/states.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const noStrace = spawnSync("strace", ["-V"]).status !== 0;

const json = "Content-Type: application/json\r\n";

async function expectServes(nound: NoundProcess): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  connection.drop();
}

/** Numbers that look random and are the same in every run (a linear congruential generator). */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; value = (value * 1_664_525 + 1_013_904_223) % 2 ** 32) {
    yield value >>> 8;
  }
}

test("bytes at random get an answer or are waited for, and change nothing", async () => {
  const nound = forThisTest(
    await startNound({ nouns, limits: { headersTimeout: 200 * slowness, bodyTimeout: 200 * slowness } }),
  );
  const states = await readStates(nound);
  const random = numbers(2);
  const next = (below: number): number => (random.next().value as number) % below;
  for (let round = 0; round < 10; round++) {
    const connections = await Promise.all(Array.from({ length: 30 }, () => RawConnection.open(nound.address)));
    for (const connection of connections) {
      const noise = Array.from({ length: 1 + next(400) }, () => String.fromCharCode(next(256))).join("");
      // Half of them damage one byte of a good request instead.
      const good = put("/canary", { executed: true });
      const at = next(good.indexOf("\r\n\r\n"));
      const damage = "\0\x01\x07\x08\x0b\x0c\x0e\x1b\x1f\x7f".charAt(next(10));
      connection.send(next(2) === 0 ? noise : `${good.slice(0, at)}${damage}${good.slice(at + 1)}`);
    }
    for (const connection of connections) {
      await connection.gone();
      expect(connection.unread).toMatch(/^(?:HTTP\/1\.1 4|HTTP\/1\.1 5|$)/);
      connection.drop();
    }
  }
  expect(await readStates(nound)).toEqual(states);
});

describe("clients that vanish", () => {
  test.each([
    ["by RST", (connection: RawConnection) => connection.reset()],
    ["by FIN", (connection: RawConnection) => connection.finish()],
  ])("mid-request %s leave no descriptor behind and change nothing", async (_, vanish) => {
    const nound = forThisTest(await startNound({ nouns }));
    await expectServes(nound); // once it answers, all that it keeps open is open
    const before = openDescriptors(nound.pid);
    const states = await readStates(nound);
    const bytes = put("/canary", { executed: true });
    for (let length = 0; length < bytes.length; length++) {
      const connection = await RawConnection.open(nound.address);
      connection.send(bytes.slice(0, length));
      vanish(connection);
    }
    await eventually("all descriptors are closed", () => openDescriptors(nound.pid) <= before);
    expect(await readStates(nound)).toEqual(states);
  });

  test("behind a closing answer without ever closing themselves are closed by the server", async () => {
    const nound = forThisTest(await startNound({ nouns }));
    await expectServes(nound); // once it answers, all that it keeps open is open
    const before = openDescriptors(nound.pid);
    const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(nound.address)));
    for (const connection of connections) {
      connection.send("zqx\r\n\r\n");
      await connection.response();
      await connection.closedInOrder();
    }
    // Their own halves stay open: the server must not wait for their FIN for ever.
    await eventually("all descriptors are closed", () => openDescriptors(nound.pid) <= before);
  });
});

test("a client that never reads its answers is held back, costs little memory, ends after sendTimeout", async () => {
  const sendTimeout = 500 * slowness;
  const large = { kind: "value", default: { text: "x".repeat(3_900) } } as const;
  const nound = forThisTest(await startNound({ nouns: { ...nouns, large }, limits: { sendTimeout } }));
  await expectServes(nound); // once it answers, all that it keeps open is open
  const descriptors = openDescriptors(nound.pid);
  await eventually("only it is left", () => openDescriptors(nound.pid) <= descriptors);
  const memory = peakResidentMemory(nound.pid);
  const connection = await RawConnection.open(nound.address, false);
  const part = get("/large").repeat(1_000);
  for (let sent = 0; sent < 500; sent++) {
    connection.send(part);
  }
  await expectServes(nound);
  await connection.gone();
  expect(connection.takenBytes, "the server reads no more than it can answer").toBeLessThan(500 * part.length);
  await eventually("the server closes it", () => openDescriptors(nound.pid) <= descriptors);
  if (memoryNotJudged === undefined) {
    expect(peakResidentMemory(nound.pid) - memory, "kB more than before").toBeLessThanOrEqual(512);
  }
  await expectServes(nound);
});

describe("a client that asks for short answers one after the other, and reads none,", () => {
  const short = { kind: "value", default: { text: "x".repeat(3_000) } } as const;
  // Together more than the kernel keeps for a connection. Each is sent by itself, so that most are answered by
  // themselves.
  const requests = Array.from({ length: 6_000 }, () => get("/short"));

  test("is held back and closed after sendTimeout", async () => {
    const sendTimeout = 500 * slowness;
    const nound = forThisTest(await startNound({ nouns: { ...nouns, short }, limits: { sendTimeout } }));
    await expectServes(nound); // once it answers, all that it keeps open is open
    const descriptors = openDescriptors(nound.pid);
    const memory = peakResidentMemory(nound.pid);
    const connection = await RawConnection.open(nound.address, false);
    await connection.sendApart(requests);
    await expectServes(nound);
    await eventually("the server closes it", () => openDescriptors(nound.pid) <= descriptors);
    if (memoryNotJudged === undefined) {
      expect(peakResidentMemory(nound.pid) - memory, "kB more than before").toBeLessThanOrEqual(512);
    }
  });

  test("gets every answer whole once it reads", async () => {
    const nound = forThisTest(await startNound({ nouns: { ...nouns, short }, limits: { sendTimeout: 600_000 } }));
    const connection = await RawConnection.open(nound.address, false);
    await connection.sendApart(requests);
    await expectServes(nound);
    connection.read();
    for (const _ of requests) {
      expect((await connection.response()).body.length).toBe(short.default.text.length + '{"text":""}'.length);
    }
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
  });
});

// strace(1) says in the kernel's place that the buffer is full. LeakSanitizer has to trace the program itself.
test.skipIf(noStrace || hasSanitizers || isEmulated)(
  "a client whose only answer the kernel does not accept is closed after sendTimeout (skipped without strace)",
  async () => {
    const full = ["-e", "trace=sendto", "-e", "inject=sendto:error=EAGAIN"];
    const wrapper = ["strace", "-D", "-f", "-qq", "-o", temporaryPath("calls"), ...full];
    // Its messages to its own processes are not sent either, which the log says.
    const nound = endedByThisTest(await startNound({ nouns, limits: { sendTimeout: 500 } }, [], { wrapper }));
    const connection = await RawConnection.open(nound.address);
    connection.send(get("/still"));
    await connection.closedInOrder();
  },
);

test.each([
  ["a malformed request", "zqx\r\n\r\n"],
  ["a head without an end", "GET /still HTTP/1.1\r\nHost: localhost\r\nX-Long: "],
  ["a body that is too large", `PUT /note HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 9999999999\r\n\r\n`],
  ["a large body of another media type", "PUT /note HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n"],
])("a client that goes on sending behind %s costs little memory and is closed by the server", async (_, bytes) => {
  const nound = forThisTest(await startNound({ nouns }));
  await expectServes(nound); // once it answers, all that it keeps open is open
  const descriptors = openDescriptors(nound.pid);
  const memory = peakResidentMemory(nound.pid);
  const connection = await RawConnection.open(nound.address, false);
  connection.send(bytes);
  const part = "x".repeat(1_000_000);
  for (let sent = bytes.length + part.length; !connection.closed; sent += part.length) {
    connection.send(part);
    await eventually("the part is taken, or nobody is there", () => connection.closed || connection.takenBytes >= sent);
  }
  await eventually("all descriptors are closed", () => openDescriptors(nound.pid) <= descriptors);
  if (memoryNotJudged === undefined) {
    expect(peakResidentMemory(nound.pid) - memory, "kB more than before").toBeLessThanOrEqual(512);
  }
  await expectServes(nound);
});

test("without free descriptors, clients are still served, others wait, and no time is burnt", async () => {
  const nound = forThisTest(await startNound({ nouns }, [], { descriptors: 24 }));
  const first = await RawConnection.open(nound.address);
  first.send(get("/still"));
  expectState(await first.response(), stillState);
  // The kernel completes connections on its own, up to the listen queue's length, whether they are accepted or not.
  const others = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(nound.address)));
  await eventually("all descriptors are used", () => openDescriptors(nound.pid) >= 20);
  // A server that asks again and again would never sleep.
  await comesToRest(nound.pid);
  first.send(get("/still"));
  expectState(await first.response(), stillState);
  for (const connection of others) {
    connection.drop();
  }
  await expectServes(nound);
});
