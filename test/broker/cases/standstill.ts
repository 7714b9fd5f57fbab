/**
 * A device that stands still (SIGSTOP), as in a suspended machine or a frozen container: a command that was sent
 * meanwhile is stale, and is never executed.
 */
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { isConnected, startDevice } from "../site.ts";

const devices = 20;
/** ms that a device stands still: most up to 15 s, and some so long that the broker publishes its will. */
const standstill = (index: number): number => (index % 4 === 3 ? 40_000 : 6_000 + 450 * index);

/** ms that is no standstill. */
const shortStop = 4_000;

const value = { kind: "value", default: {} };
const nouns = { fresh: value, stale: value };

async function runDevice(broker: Mosquitto, client: OtherClient, index: number): Promise<boolean> {
  const id = `hall-${index}`;
  const device = await startDevice({ nouns, log: "requests", mqtt: { id, keepAlive: 5_000 } }, broker.address);
  const performed = (noun: string): boolean => device.printed.includes(` PUT /${noun} 200 (mqtt)`);
  try {
    await eventually("the device connects", () => isConnected(device));
    device.signal("SIGSTOP");
    await delay(100);
    await client.publish(`nound/${id}/stale/put`, "{}", { qos: index % 2 === 0 ? 0 : 1 });
    await delay(standstill(index) - 100);
    device.signal("SIGCONT");
    // The fresh one is sent until it arrives, because the device may be away once more.
    await eventually("the next command is executed", async () => {
      if (await isConnected(device)) await client.publish(`nound/${id}/fresh/put`, "{}", { qos: 0 });
      await delay(200);
      return performed("fresh");
    });
    const wasLate = performed("stale");
    const { status } = await device.stop();
    must(status === 0, `The device ended with ${status}: ${device.printed}`);
    return wasLate;
  } finally {
    device.kill();
  }
}

async function run(): Promise<string> {
  const broker = await Mosquitto.start();
  const client = await OtherClient.connect(broker.port);
  try {
    const runs = Array.from({ length: devices }, (_, index) => runDevice(broker, client, index));
    const late = (await Promise.all(runs)).filter(Boolean).length;
    must(late === 0, `${late} of ${devices} commands were executed after a standstill.`);
    return `${late} of ${devices} commands were executed late`;
  } finally {
    await client.end();
    await broker.stop("SIGKILL");
  }
}

/** A short stop, as of a debugger or a busy machine, costs nothing: the session goes on, and the command counts. */
async function runShort(): Promise<string> {
  const broker = await Mosquitto.start();
  const client = await OtherClient.connect(broker.port);
  const runShortly = async (index: number): Promise<boolean> => {
    const id = `hall-${index}`;
    const device = await startDevice({ nouns, log: "requests", mqtt: { id, keepAlive: 30_000 } }, broker.address);
    try {
      await eventually("the device connects", () => isConnected(device));
      // It has come to rest, and is stopped at any moment between two signs of life.
      await delay(3_000 + 170 * index);
      device.signal("SIGSTOP");
      await delay(100);
      await client.publish(`nound/${id}/fresh/put`, "{}", { qos: 1 });
      await delay(shortStop - 100);
      device.signal("SIGCONT");
      await eventually("the command is executed", () => / PUT \/fresh 200 \(mqtt\)|stood still/.test(device.printed));
      const { status } = await device.stop();
      must(status === 0, `The device ended with ${status}: ${device.printed}`);
      return device.printed.includes("stood still");
    } finally {
      device.kill();
    }
  };
  try {
    const ended = (await Promise.all(Array.from({ length: devices }, (_, index) => runShortly(index)))).filter(Boolean);
    must(ended.length === 0, `${ended.length} of ${devices} sessions ended.`);
    return `${devices} sessions of ${devices} go on`;
  } finally {
    await client.end();
    await broker.stop("SIGKILL");
  }
}

/** The cases. */
export const standstills: readonly BrokerCase[] = [
  { name: "a device that stands still", run },
  { name: "a device that stands still for 4 s", run: runShort },
];
