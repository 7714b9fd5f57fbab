/** A reload: the session goes on. The device is never offline, and a command that comes meanwhile is executed. */
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { startDevice } from "../site.ts";

const reloads = 5;
/** ms after which a will that the broker had would be there. */
const willTime = 15_000;
const nouns = { note: { kind: "value", default: {} } };

async function reload(): Promise<string> {
  const broker = await Mosquitto.start();
  const client = await OtherClient.connect(broker.port);
  const device = await startDevice({ nouns, mqtt: { id: "d0" } }, broker.address);
  try {
    await client.hears("nound/d0", "online");
    for (let n = 1; n <= reloads; n++) {
      const before = device.pid;
      process.kill(device.keeper, "SIGHUP");
      await eventually("the process has ended", () => device.pid !== before);
      await client.publish("nound/d0/note/put", `{"n":${n}}`);
      await client.hears("nound/d0/note", `{"n":${n}}`);
    }
    await delay(willTime);
    const offline = client.messages.filter(({ topic, payload }) => topic === "nound/d0" && payload === "offline");
    must(offline.length === 0, `The device was offline ${offline.length} times.`);
    return `${reloads} reloads, a command during each; never offline`;
  } finally {
    device.kill();
    await client.end();
    await broker.stop("SIGKILL");
  }
}

/** The case. */
export const reloaded: readonly BrokerCase[] = [{ name: "reloads of the device", run: reload }];
