/**
 * Things that arrive together on one connection. The server is stopped meanwhile, so that it finds all of them at once.
 */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { missing, python, run } from "../harness/client-program.ts";
import { slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { type NoundProcess, startNound, temporaryPath } from "../harness/nound-process.ts";
import { openDescriptors, processorTicks } from "../harness/process-status.ts";
import { get, put, request, requestWithBody } from "../harness/request.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const noPython = missing(python, "-c", "import socket");
const title = (sentence: string): string => `${sentence}${noPython ?? ""}`;
const limits = { headersTimeout: ample, bodyTimeout: ample, keepAliveTimeout: ample, bodyBytes: 100_000 };

type Step = readonly [kind: "send" | "urgent" | "pass" | "finish" | "reset", bytes: string];

/** Lets these things arrive together. @returns what the server sent until it closed the connection. */
async function arrive(nound: NoundProcess, steps: readonly Step[]): Promise<string> {
  const script = join(import.meta.dirname, "python", "arrivals_client.py");
  return await run(python, [script, nound.address, `${nound.pid}`, get("/still")], JSON.stringify(steps));
}

function expectStill(received: string): void {
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  expect(received.endsWith(`\r\n\r\n${JSON.stringify(stillState)}`)).toBe(true);
}

const closing = request("GET", "/still", "Connection: close\r\n");
const half = closing.length >> 1;

describe.skipIf(noPython !== undefined).each([
  ["TCP", async () => await freeAddress()],
  ["a Unix socket", async () => `unix:${temporaryPath("socket")}`],
])("by %s", (_, address) => {
  const nound = forAllTests(async () => await startNound({ nouns, limits, listen: [await address()] }));

  test(title("a FIN that came with a request is noticed after its answer"), async () => {
    const received = await arrive(nound(), [
      ["send", get("/still")],
      ["finish", ""],
    ]);
    expectStill(received);
  });

  // The server takes 16 KiB at once.
  test.each([16_383, 16_384, 16_385, 32_768, 50_000])(
    title("a request of %d bytes is read to its end though nothing follows it"),
    async (length) => {
      const text = (size: number) =>
        requestWithBody("PUT", "/note", JSON.stringify({ text: "x".repeat(size) }), "Connection: close\r\n");
      const bytes = text(10_000 + length - text(10_000).length);
      expect(bytes.length).toBe(length);
      const received = await arrive(nound(), [["send", bytes]]);
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test(title("a connection that was reset behind half a request is closed at once"), async () => {
    const other = forThisTest(await startNound({ nouns, limits, listen: [await address()] }));
    const before = openDescriptors(other.pid);
    await arrive(other, [
      ["send", put("/canary", { executed: true }).slice(0, -1)],
      ["reset", ""],
    ]);
    await eventually("its descriptor is closed", () => openDescriptors(other.pid) === before);
  });
});

describe.skipIf(noPython !== undefined)("by one kind of socket", () => {
  test(title("what follows urgent data is read, and the urgent byte is not"), async () => {
    const nound = forThisTest(await startNound({ nouns, limits }));
    const received = await arrive(nound, [
      ["send", closing.slice(0, half)],
      ["urgent", "!"],
      ["send", closing.slice(half)],
    ]);
    expectStill(received);
  });

  test(title("urgent data alone takes no processor time"), async () => {
    const nound = forThisTest(await startNound({ nouns, limits: { ...limits, headersTimeout: 1_000 * slowness } }));
    const ticks = processorTicks(nound.pid);
    // Until the time for the head is over.
    await arrive(nound, [
      ["send", "G"],
      ["urgent", "!"],
    ]);
    // A server that is told of it again and again would use a hundred, or the half of them beside other programs.
    expect(processorTicks(nound.pid) - ticks, "processor time in ticks").toBeLessThan(10 * slowness);
  });

  test(title("what follows a passed descriptor is read"), async () => {
    const listen = [`unix:${temporaryPath("socket")}`];
    const nound = forThisTest(await startNound({ nouns, limits, listen }));
    const received = await arrive(nound, [
      ["pass", closing.slice(0, half)],
      ["send", closing.slice(half)],
    ]);
    expectStill(received);
  });
});
