/** `offline`: in time when a device has vanished, and not at all when its connection is cut or stands still for 2 s. */
import { setTimeout as delay } from "node:timers/promises";
import { portOf } from "../../harness/address.ts";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../../harness/mosquitto.ts";
import type { NoundProcess } from "../../harness/nound-process.ts";
import { type BrokerCase, must } from "../case.ts";
import { isConnected, startDevice, Way } from "../site.ts";

/** s */
const keepAlive = 5;
/** ms within which a device that has vanished is offline. mosquitto looks for silent clients every five seconds. */
const offlineTime = 1_000 * (1.5 * keepAlive + 10) + 6_000;
/** ms of an outage, and until a will that was wrongly left to the broker is there. */
const outage = 2_000;
const willTime = 25_000;

const nouns = { led: { kind: "switch", key: "led" } };

/** A broker, a client that hears all, and devices that are online. */
async function withDevices(
  count: number,
  act: (devices: readonly NoundProcess[], client: OtherClient, way: Way) => Promise<string>,
): Promise<string> {
  const broker = await Mosquitto.start();
  const client = await OtherClient.connect(broker.port);
  const way = await Way.to(portOf(broker.address));
  const ids = Array.from({ length: count }, (_, index) => `d${index}`);
  const configured = (id: string) => ({ nouns, mqtt: { id, keepAlive: 1_000 * keepAlive } });
  const devices = await Promise.all(ids.map((id) => startDevice(configured(id), way.address)));
  try {
    for (const id of ids) await client.hears(`nound/${id}`, "online");
    return await act(devices, client, way);
  } finally {
    for (const device of devices) device.kill();
    await client.end();
    way.close();
    await broker.stop("SIGKILL");
  }
}

/** One device is killed, and one stands still with its connection open. */
function vanish(): Promise<string> {
  return withDevices(2, async ([killed, still], client) => {
    const since = performance.now();
    killed?.kill();
    still?.signal("SIGSTOP");
    const times: number[] = [];
    for (const id of ["d0", "d1"]) {
      await client.hears(`nound/${id}`, "offline");
      times.push(performance.now() - since);
    }
    must(Math.max(...times) <= offlineTime, `They are offline after ${times.join(" and ")} ms.`);
    const [first, then] = times.map((time) => (time / 1_000).toFixed(1));
    return `offline ${first} s after SIGKILL, ${then} s after SIGSTOP`;
  });
}

/** @param disturb disturbs the way to the broker. */
function remain(disturb: (way: Way) => Promise<void>): Promise<string> {
  return withDevices(10, async (devices, client, way) => {
    await disturb(way);
    await delay(willTime);
    await eventually("all are connected", async () => (await Promise.all(devices.map(isConnected))).every(Boolean));
    const offline = client.messages.filter(
      ({ topic, payload }) => topic.startsWith("nound/d") && payload === "offline",
    );
    must(offline.length === 0, `${offline.length} of ${devices.length} devices were told to be offline.`);
    return `${devices.length} devices, none of them offline`;
  });
}

/** The cases. */
export const will: readonly BrokerCase[] = [
  { name: "devices that vanish", run: vanish },
  { name: "connections that are cut", run: () => remain(async (way) => way.cut()) },
  {
    name: "connections that stand still for 2 s",
    run: () =>
      remain(async (way) => {
        way.hold(true);
        await delay(outage);
        way.hold(false);
      }),
  },
];
