/** Two devices with one id: both tell, and both slow down. */
import { setTimeout as delay } from "node:timers/promises";
import { Mosquitto } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { metric, startDevice } from "../site.ts";

/** ms after which they have slowed down, and for which they are watched then. */
const slowingTime = 300_000;
const watchTime = 180_000;

const nouns = { led: { kind: "switch", key: "led" } };

async function run(): Promise<string> {
  const broker = await Mosquitto.start();
  const devices = [await startDevice({ nouns }, broker.address), await startDevice({ nouns }, broker.address)];
  const connects = (): Promise<number[]> =>
    Promise.all(devices.map((device) => metric(device, "nound_mqtt_connects_total")));
  try {
    await delay(slowingTime);
    const before = await connects();
    await delay(watchTime);
    const after = await connects();
    const rates = after.map((count, index) => ((count - (before[index] ?? 0)) * 60_000) / watchTime);
    must(
      rates.every((rate) => rate < 2),
      `They connect ${rates.join(" and ")} times a minute.`,
    );
    for (const { printed } of devices) must(/same id/.test(printed), `One does not tell of the other: ${printed}`);
    for (const device of devices) must((await device.stop()).status === 0, "A device does not end in order.");
    const seen = rates.map((rate) => rate.toFixed(1)).join(" and ");
    return `${before.join(" and ")} connects in five minutes, then ${seen} a minute`;
  } finally {
    for (const device of devices) device.kill();
    await broker.stop("SIGKILL");
  }
}

/** The case. */
export const twins: readonly BrokerCase[] = [{ name: "two devices with one id", run }];
