/** Nouns that take all the memory there is: their operation fails, and the service goes on. */
import { describe, expect, test } from "vitest";
import { memoryNotJudged, slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startApplication } from "../harness/nound-process.ts";
import { peakResidentMemory } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forAllTests } from "../harness/served.ts";

const hoarding = [
  "hoarding-much",
  "hoarding-little",
  "hoarding-text",
  "hoarding-promise",
  "hoarding-later",
  "hoarding-cycles", // last: only a collection frees what it left, and there is one a second at most
];
const memoryBytes = 8_388_608;

/** How a process comes to have no more memory: by the option, or by the kernel's word. */
const scarcities = [
  { by: "memoryBytes", limits: { memoryBytes }, options: {} },
  // The sanitizers reserve terabytes of addresses, and a runner has addresses of its own.
  ...(memoryNotJudged === undefined
    ? [{ by: "the kernel", limits: {}, options: { wrapper: ["prlimit", "--as=16777216"] } }]
    : []),
];

describe.each(scarcities)("with memory limited by $by", ({ by, limits, options }) => {
  const application = forAllTests(() =>
    startApplication({ ...limits, nounTimeout: 30_000 * slowness, nounBusyTime: 20_000 * slowness }, [], options),
  );

  test.each(hoarding)("an operation without memory is answered 500, and the next is served: %s", async (name) => {
    const bystander = await RawConnection.open(application().address);
    bystander.send(get("/plain"));
    expectState(await bystander.response(), { plain: true });
    const changes = [put(`/${name}`, {}), post(`/${name}`), del(`/${name}`)];
    // Until the cycles are collected, a request for which there is no memory ends its connection.
    const isAlone = name === "hoarding-cycles";
    for (const sent of isAlone ? changes : [changes.join("")]) {
      const changing = await RawConnection.open(application().address);
      changing.send(sent);
      for (let count = isAlone ? 1 : changes.length; count > 0; count--) {
        expectProblem(await changing.response(), 500, "keep");
      }
      changing.drop();
      if (!isAlone) continue;
      await eventually("the cycles are collected", async () => {
        const next = await RawConnection.open(application().address);
        next.send(get(`/${name}`));
        const answer = await next.response().catch(() => undefined);
        next.drop();
        return answer?.status === 200;
      });
    }
    const connection = await RawConnection.open(application().address);
    connection.send(get(`/${name}`));
    expectState(await connection.response(), { intact: true });
    bystander.send(get("/plain"));
    expectState(await bystander.response(), { plain: true });
    connection.drop();
    bystander.drop();
  });

  test.skipIf(memoryNotJudged !== undefined || by !== "memoryBytes")("no more was ever resident than allowed", () => {
    expect(peakResidentMemory(application().pid), "kB").toBeLessThan(memoryBytes / 1_024 + 3_000);
  });
});

/**
 * A few bytes more or less decide which allocation is the first to fail: none of these may leave the program without an
 * end.
 */
const moreBytes = Array.from({ length: 12 }, (_, index) => index * 128);

test.each(["hoarding-for-good", "hoarding-timers"])(
  "a program whose memory a noun has taken for good keeps its limit, serves the others, ends in order: %s",
  async (name) => {
    for (const more of moreBytes) {
      const limits = {
        memoryBytes: memoryBytes + more,
        nounTimeout: 30_000 * slowness,
        nounBusyTime: 20_000 * slowness,
      };
      const application = endedByThisTest(await startApplication(limits));
      const connection = await RawConnection.open(application.address);
      connection.send(put(`/${name}`, {}));
      expectProblem(await connection.response(), 500, "keep");
      connection.send(get("/plain"));
      expectState(await connection.response(), { plain: true });
      connection.send(put(`/${name}`, {}));
      expectProblem(await connection.response(), 500, "keep");
      if (memoryNotJudged === undefined) {
        expect(peakResidentMemory(application.pid), "kB").toBeLessThan(memoryBytes / 1_024 + 5_000);
      }
      expect(await application.stop(), `with ${more} bytes more`).toEqual(cleanEnding);
      connection.drop();
    }
  },
);
