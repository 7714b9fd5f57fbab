/** A connector that is killed: the keeper starts another one, and nothing that the device drives moves meanwhile. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto } from "../../harness/mosquitto.ts";
import { SysfsTree } from "../../harness/sysfs-tree.ts";
import { type BrokerCase, must } from "../case.ts";
import { ask, isConnected, metric, startDevice } from "../site.ts";

/** ms until the device connects again: the first time, another connector is started at once. */
const backTime = 10_000;
const brightness = "/sys/class/leds/green/brightness";

/** Kills a connector that has just started. */
async function run(): Promise<string> {
  let told = 0;
  const server = createServer((request, response) => {
    told += 1;
    request.resume();
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  let removeTree = (): void => undefined;
  const sys = new SysfsTree((remove) => {
    removeTree = remove;
  });
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put(brightness, "0\n");
  const nouns = { status: { kind: "led", device: "green" }, hook: { kind: "webhook", url } };
  const broker = await Mosquitto.start();
  const device = await startDevice({ nouns, options: { wrapper: sys.wrapper } }, broker.address);
  try {
    await eventually("the device is connected", async () => await isConnected(device));
    await ask(device, "status", { brightness: 200 });
    const [server, connector] = [device.pid, device.connector];
    // As the kernel would not write it: a new write is seen.
    sys.put(brightness, "200\n\n");
    const since = performance.now();
    process.kill(connector, "SIGKILL");
    const post = async (): Promise<boolean> => {
      const headers = { "content-type": "application/json" };
      await fetch(`http://${device.address}/hook`, { method: "POST", body: "{}", headers });
      await delay(500);
      return told > 0;
    };
    const [line] = await eventually(
      "the log tells",
      () => /connector.*has ended.*$/m.exec(device.printed) ?? undefined,
    );
    while (!(await post())) must(performance.now() - since < backTime, "The connector is not back.");
    const away = Math.round(performance.now() - since);
    const isStill = (await isConnected(device)) && (await metric(device, "nound_mqtt_connects_total")) === 1;
    must(isStill, "The connection to the broker has ended, too.");
    must(away <= backTime, `The connector is back after ${away} ms.`);
    must(device.pid === server && device.connector !== connector, "The process with the nouns is another one.");
    must(sys.cat(brightness) === "200\n\n", `The output was written to: ${sys.cat(brightness)}`);
    must((await ask(device, "status")).includes("200"), "The output has another state.");
    await broker.stop("SIGKILL");
    await broker.start();
    await eventually("the device is connected again", async () => await isConnected(device));
    return `back after ${away} ms, no output moved; ${line}`;
  } finally {
    device.kill();
    server.close();
    removeTree();
    await broker.stop("SIGKILL");
  }
}

/** The case. */
export const connectorKilled: readonly BrokerCase[] = [{ name: "a connector that is killed", run }];
