/** Resident memory under load: at most 2 MB after 100,000 requests, and no more after the next 400,000. */
import { expect, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { memoryNotJudged, slowness } from "./harness/environment.ts";
import { sendLoad } from "./harness/load.ts";
import { startNound } from "./harness/nound-process.ts";
import { openDescriptors, peakResidentMemory } from "./harness/process-status.ts";
import { forThisTest } from "./harness/served.ts";
import { mixedRequests } from "./requests/mixed.ts";

test.skipIf(memoryNotJudged !== undefined)(
  `half a million requests fit in 2 MB and leave nothing behind${memoryNotJudged === undefined ? "" : ` (skipped: ${memoryNotJudged})`}`,
  { timeout: 600_000 * slowness },
  async () => {
    const nound = forThisTest(await startNound({ nouns }));
    const descriptors = openDescriptors(nound.pid);
    // More connections at once than later, so that some that happen to overlap then are not taken for growth.
    await sendLoad(nound.address, mixedRequests, 64_000, 16);
    await sendLoad(nound.address, mixedRequests, 36_000);
    const first = peakResidentMemory(nound.pid);
    expect(first, "VmHWM in kB after 100,000 requests").toBeLessThanOrEqual(2_048);
    await sendLoad(nound.address, mixedRequests, 400_000);
    const second = peakResidentMemory(nound.pid);
    expect(second, "VmHWM in kB after 500,000 requests").toBeLessThanOrEqual(2_048);
    // Four pages of slack for what the allocator rounds up; a leak of one byte a request is a hundred.
    expect(second - first, "growth in kB over 400,000 requests").toBeLessThanOrEqual(16);
    expect(openDescriptors(nound.pid)).toBeLessThanOrEqual(descriptors + 4);
  },
);
