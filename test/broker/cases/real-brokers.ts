/**
 * Brokers that people have, with an access control list and a limit for messages. What a broker refuses is named and
 * left out; the device is online, and everything else works.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { OtherClient } from "../../harness/mosquitto.ts";
import { temporaryPath } from "../../harness/nound-process.ts";
import { type BrokerCase, must } from "../case.ts";
import { password, type RealBroker, realBrokers, startBroker, user } from "../real/real-broker.ts";
import { ask, metric, startDevice } from "../site.ts";

/** Bytes: less than the message for Home Assistant has. */
const size = 8_192;
const denied = "nound/hall/relay07";
const discovery = "homeassistant/device/hall/config";
const names = Array.from({ length: 40 }, (_, index) => `relay${String(index).padStart(2, "0")}`);
const nouns = Object.fromEntries(names.map((name) => [name, { kind: "switch", key: "on", title: `The ${name}` }]));

/** Connections until all that is refused has been found: one for each, the first, which may end by chance, and the last. */
const mostConnects = 4;
/** ms, in which each of two refused messages is tried again at most once. */
const watched = 70_000;
const mostTrials = 2;

/** RabbitMQ listens before it knows its users. */
async function logIn(port: number): Promise<OtherClient> {
  const clients: OtherClient[] = [];
  await eventually("a client may log in", async () => {
    const client = await OtherClient.connect(port, { username: user, password }).catch(() => undefined);
    if (client !== undefined) clients.push(client);
    return client !== undefined;
  });
  return clients[0] as OtherClient;
}

async function run(broker: RealBroker): Promise<string> {
  if (!broker.isThere()) return "skipped: it cannot be had here";
  const { port, stop } = await startBroker(broker, { size, topic: denied }, temporaryPath("broker"));
  const client = await logIn(port);
  const file = temporaryPath("password");
  writeFileSync(file, password, { mode: 0o600 });
  const mqtt = { user, password: file, startDelay: 0, homeAssistant: true };
  const device = await startDevice({ nouns, mqtt }, `127.0.0.1:${port}`);
  try {
    await client.hears("nound/hall", "online");
    const heard = () => names.filter((name) => client.latest(`nound/hall/${name}`) !== undefined);
    await eventually(`39 states are there; ${heard().length} are`, () => heard().length === names.length - 1);
    const named = () => [denied, discovery].every((topic) => device.printed.includes(topic));
    await eventually(`the log names ${denied} and ${discovery}: ${device.printed}`, named);
    await client.publish("nound/hall/relay08/put", '{"on":1}');
    await client.hears("nound/hall/relay08", '{"on":1}');
    const connects = () => metric(device, "nound_mqtt_connects_total");
    const first = await connects();
    must(first <= mostConnects, `It has taken ${first} connections.`);
    await delay(watched);
    const trials = (await connects()) - first;
    must(trials <= mostTrials, `There were ${trials} more connections in ${watched} ms.`);
    await client.hears("nound/hall", "online");
    await ask(device, "relay09", { on: 1 });
    await client.hears("nound/hall/relay09", '{"on":1}');
    must(
      !client.messages.some(({ topic }) => topic === denied || topic === discovery),
      "It has taken what it refuses.",
    );
    const said = device.printed.split("\n").find((line) => line.includes(denied));
    return `online after ${first} connections, ${trials} more in ${watched / 1_000} s; "${said}"`;
  } finally {
    device.kill();
    await client.end();
    await stop();
  }
}

/** The cases. */
export const real: readonly BrokerCase[] = realBrokers.map((broker) => ({
  name: `${broker.name}, a limit and an access control list`,
  run: () => run(broker),
}));
