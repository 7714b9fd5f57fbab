/** Brokers that cannot be reached: the device starts, serves, rests and ends as it does without one. */
import { setTimeout as delay } from "node:timers/promises";
import { freeAddress } from "../../harness/address.ts";
import { eventually } from "../../harness/eventually.ts";
import { processorTicks, residentMemory } from "../../harness/process-status.ts";
import { type BrokerCase, must } from "../case.ts";
import { withResolver } from "../resolver.ts";
import { makeSilentNetwork, silentHost } from "../silent-network.ts";
import { ask, startDevice } from "../site.ts";

/** ms for which the device's processor time is watched, and ticks of 10 ms that its two processes may need together. */
const restTime = 30_000;
const restTicks = 3;
/** ms that the device may need to start, and to end. */
const startTime = 2_000;
const endTime = 2_000;

const nouns = { led: { kind: "switch", key: "led" } };

/** @param wrapper a command that becomes the device. @param says what its log has, or undefined where nothing fails. */
async function judge(broker: string, says: RegExp, wrapper: readonly string[] = []): Promise<string> {
  const begin = performance.now();
  const device = await startDevice({ nouns, options: { wrapper } }, broker);
  try {
    const started = performance.now() - begin;
    must(started <= startTime, `The start takes ${started} ms.`);
    const serve = async (): Promise<void> => {
      for (let count = 0; count < 50; count++) await ask(device, "led", { led: count % 2 });
    };
    await serve();
    await eventually(`the log has ${says}`, () => says.test(device.printed));
    await serve();
    const processes = [device.pid, device.connector];
    await delay(1_000);
    const ticks = (): number => processes.reduce((sum, pid) => sum + processorTicks(pid), 0);
    const before = ticks();
    await delay(restTime);
    const spent = ticks() - before;
    must(spent <= restTicks, `At rest it needs ${spent * 10} ms of processor time in ${restTime} ms.`);
    const memory = processes.map((pid) => residentMemory(pid));
    const since = performance.now();
    const { status } = await device.stop();
    const ended = performance.now() - since;
    must(status === 0 && ended <= endTime, `It ends with ${status} after ${ended} ms.`);
    const line = device.printed.split("\n").find((text) => says.test(text)) ?? "";
    const times = `${Math.round(started)} ms start, ${spent * 10} ms CPU, ${Math.round(ended)} ms end`;
    return `${times}, ${memory.join("+")} kB; ${line}`;
  } finally {
    device.kill();
  }
}

/** The cases. */
export const unreachable: readonly BrokerCase[] = [
  {
    name: "a broker that refuses",
    run: async () => await judge(await freeAddress(), /Connection refused/),
  },
  {
    name: "a broker whose packets vanish",
    async run() {
      makeSilentNetwork();
      return await judge(`${silentHost}:1883`, /192\.0\.2\.10:1883: .*timed out/);
    },
  },
  {
    name: "a broker with an unknown name",
    run: async () =>
      await withResolver(
        (query) => [Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x83]), query.subarray(4)])],
        async (wrapper) => await judge("broker.example:1883", /its name cannot be resolved/, wrapper),
      ),
  },
  {
    name: "a broker with a silent resolver",
    run: async () =>
      await withResolver(
        () => [],
        async (wrapper) => await judge("broker.example:1883", /broker\.example:1883: it.* cannot be/, wrapper),
      ),
  },
];
