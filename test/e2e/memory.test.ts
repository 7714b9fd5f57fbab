/**
 * Resident memory: under 1.5 MB at rest; under load at most 2.2 MB after 50,000 requests, and no more after the next
 * 100,000. A broker with ten nouns adds at most 0.3 MB. A device with a broker and Home Assistant has at most 1.43
 * MB of its own, its connector's included. `npm run soak` sends five million.
 */

import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { Configuration } from "../harness/configuration.ts";
import { memoryNotJudged, slowness } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { sendLoad } from "../harness/load.ts";
import { mixedRequests } from "../harness/mixed-requests.ts";
import { Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";
import { startNound } from "../harness/nound-process.ts";
import {
  mostOfDevice,
  openDescriptors,
  ownMemory,
  peakResidentMemory,
  residentMemory,
} from "../harness/process-status.ts";
import { forThisTest } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

const reason = memoryNotJudged === undefined ? "" : ` (skipped: ${memoryNotJudged})`;

test.skipIf(memoryNotJudged !== undefined)(
  `the server of a switch that was asked once has one thread and less than 1.5 MB at rest${reason}`,
  async () => {
    const nound = forThisTest(
      await startNound({ nouns: { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } }),
    );
    expect((await fetch(`http://${nound.address}/led`)).status).toBe(200);
    // At rest, the loop has released the pages of the stack.
    await eventually("1.5 MB", () => residentMemory(nound.pid) * 1_024 < 1_500_000);
    expect(readdirSync(`/proc/${nound.pid}/task`)).toHaveLength(1);
  },
);

test.skipIf((memoryNotJudged ?? mosquittoMissing()) !== undefined)(
  `a broker adds at most 0.3 MB to what the process with ten nouns has of its own${reason}`,
  async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop("SIGKILL"));
    const listener = await OtherClient.connect(broker.port);
    onTestFinished(() => listener.end());
    const names = Array.from({ length: 10 }, (_, index) => `switch${index}`);
    const ten = Object.fromEntries(
      names.map((name) => [name, { kind: "switch", key: "on", values: [0, 1], default: 0 } as const]),
    );
    const memoryOf = async (configuration: Configuration, ready: () => Promise<unknown>): Promise<number> => {
      const nound = forThisTest(await startNound(configuration));
      expect((await fetch(`http://${nound.address}/switch0`)).status).toBe(200);
      await ready();
      // Not the resident memory: the kernel maps pages of the program's file 64 KB at a time.
      return ownMemory(nound.pid) * 1_024;
    };
    const alone = await memoryOf({ nouns: ten }, async () => {});
    const mqtt = { server: broker.address, id: "ten" };
    const connected = await memoryOf({ nouns: ten, mqtt }, () => listener.hears("nound/ten", "online"));
    expect(connected - alone).toBeLessThanOrEqual(300_000);
  },
);

test.skipIf((memoryNotJudged ?? mosquittoMissing()) !== undefined)(
  `a device with a broker and Home Assistant has at most 1.43 MB of its own at rest${reason}`,
  async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop("SIGKILL"));
    const listener = await OtherClient.connect(broker.port);
    onTestFinished(() => listener.end());
    const value = { kind: "value", default: { n: 0 } } as const;
    const relay = { kind: "switch", key: "on", values: [0, 1], default: 0 } as const;
    const nouns = { relay, note: value, job: value };
    // A word of an earlier version, "groups", costs no memory.
    const mqtt = { server: broker.address, id: "device", groups: ["all", "g0"], homeAssistant: true };
    const nound = forThisTest(await startNound({ nouns, mqtt }));
    expect((await fetch(`http://${nound.address}/relay`)).status).toBe(200);
    await listener.hears("nound/device/job", '{"n":0}');
    const { connector } = nound;
    const sum = () => (ownMemory(nound.pid) + ownMemory(connector)) * 1_024;
    await eventually("1.43 MB", () => sum() <= mostOfDevice);
  },
);

test.skipIf(memoryNotJudged !== undefined)(
  `150,000 requests fit in 2.2 MB and leave nothing behind${reason}`,
  { timeout: 600_000 * slowness },
  async () => {
    const nound = forThisTest(await startNound({ nouns }));
    const descriptors = openDescriptors(nound.pid);
    // More connections at once than later, so that some that happen to overlap then are not taken for growth.
    await sendLoad(nound.address, mixedRequests, 32_000, 16);
    await sendLoad(nound.address, mixedRequests, 18_000);
    const first = peakResidentMemory(nound.pid);
    expect(first, "VmHWM in kB after 50,000 requests").toBeLessThanOrEqual(2_163);
    await sendLoad(nound.address, mixedRequests, 100_000);
    const second = peakResidentMemory(nound.pid);
    expect(second, "VmHWM in kB after 150,000 requests").toBeLessThanOrEqual(2_163);
    // Four pages of slack for what the allocator rounds up; a leak of one byte a request is 25.
    expect(second - first, "growth in kB over 100,000 requests").toBeLessThanOrEqual(16);
    expect(openDescriptors(nound.pid)).toBeLessThanOrEqual(descriptors + 4);
  },
);
