/** Messages that are well-formed, and meant to fill the device's memory or its log. */
import { setTimeout as delay } from "node:timers/promises";
import { memoryNotJudged } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { residentMemory } from "../../harness/process-status.ts";
import { type BrokerCase, must } from "../case.ts";
import { message, PlayedBroker } from "../played-broker.ts";
import { ask, startDevice } from "../site.ts";

/** Stored messages of a device's own discovery, each with entities that no other has. */
const discoveries = 1_000;
const entitiesOfDiscovery = 120;
/** kB that the resident memory may grow by with these. */
const growth = 600;

/** With its payload it is a little less than the longest packet that the device accepts. */
const longestTopic = 65_000;
const longestLine = 1_000;

const nouns = { led: { kind: "switch", key: "led" } };

async function runDiscovery(): Promise<string> {
  const broker = await PlayedBroker.start();
  const device = await startDevice({ nouns, mqtt: { homeAssistant: true } }, broker.address);
  try {
    await broker.hearsOnline();
    const topic = "homeassistant/device/hall/config";
    const before = residentMemory(device.pid);
    broker.acknowledges = false;
    for (let count = 0; count < discoveries; count++) {
      const entities = Array.from({ length: entitiesOfDiscovery }, (_, n) => [`${count}_${n}`, { p: "switch", x: 1 }]);
      broker.send(message(topic, JSON.stringify({ cmps: Object.fromEntries(entities) }), { retain: true }));
      // The device answers HTTP between two of them, so it has read what came before.
      await ask(device, "led");
      must(broker.isConnected, `The session has ended: ${device.printed}`);
    }
    await delay(1_000);
    const grown = residentMemory(device.pid) - before;
    const written = broker.messages.filter(([to]) => to === topic);
    const longest = Math.max(...written.map(([, payload]) => payload.length));
    must(memoryNotJudged !== undefined || grown <= growth, `The memory has grown by ${grown} kB.`);
    must(written.length <= 3, `The device has written its discovery ${written.length} times.`);
    must(longest <= 65_536, `It has written a discovery of ${longest} bytes.`);
    // It acknowledges nothing any more, which ends the connection, whatever else it sends.
    await eventually("the device leaves the broker", () => !broker.isConnected);
    await device.stop();
    return `${discoveries} messages: +${grown} kB, ${written.length} discoveries of ${longest} bytes at most`;
  } finally {
    device.kill();
    broker.close();
  }
}

async function runTopics(): Promise<string> {
  const broker = await PlayedBroker.start();
  const device = await startDevice({ nouns, log: "requests" }, broker.address);
  try {
    await broker.hearsOnline();
    for (const [first, last] of [
      ["nound/hall/", "/put"],
      ["nound/hall/led/problem/", ""],
      ["", ""],
    ] as const) {
      const topic = first + "x".repeat(longestTopic - first.length - last.length) + last;
      broker.send(message(topic, "{}"), message("nound/hall/led/put", '{"led":1}', { qos: 1, messageId: 7 }));
      const pubacks = broker.pubacks + 1;
      await eventually("the next command is acknowledged", () => broker.pubacks === pubacks || !broker.isConnected);
      must(broker.isConnected, `A topic of ${longestTopic} bytes ends the session: ${device.printed.slice(-300)}`);
    }
    const { status, stderr } = await device.stop();
    must(status === 0, `The device ended with ${status}.`);
    const longest = Math.max(...stderr.split("\n").map((line) => line.length));
    must(longest <= longestLine, `A line of the log has ${longest} characters.`);
    return `the longest line of the log has ${longest} characters`;
  } finally {
    device.kill();
    broker.close();
  }
}

/** The cases. */
export const hostileMessages: readonly BrokerCase[] = [
  { name: "discovery messages with ever new entities", run: runDiscovery },
  { name: "topics of 65,000 bytes", run: runTopics },
];
