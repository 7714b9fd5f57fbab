/** How long people wait for a device at a broker. The bounds are for medians, because other programs run beside it. */
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Mosquitto, OtherClient } from "../../harness/mosquitto.ts";
import type { NoundProcess } from "../../harness/nound-process.ts";
import { type BrokerCase, must } from "../case.ts";
import { ask, startDevice } from "../site.ts";

/** ms: from the start of the program to `online`, and from the return of a broker that was away for `outage`. */
const mostToOnline = 1_500;
const mostToReturn = 5_000;
const outage = 3_000;
const starts = 11;
const outages = 20;

/** Commands, ms between two of them, and ms in which 99 of 100 must be answered. */
const commands = 500;
const pause = 10;
const mostToAnswer = 20;

/** Changes that a noun may publish at once after a rest. */
const saved = 10;

const nouns = { note: { kind: "value", default: { n: -1 } } };
/** As a configuration has them that names none. */
const usual = { interval: undefined, spread: undefined };

/** @returns the value that a share of the values is not above. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

function times(values: readonly number[]): string {
  const rounded = [0.5, 0.99].map((share) => quantile(values, share).toFixed(1));
  return `median ${rounded[0]} ms, p99 ${rounded[1]} ms, load ${loadavg()[0]?.toFixed(1)}`;
}

/** Starts a broker and a client at it, runs a part of a case, and ends them. */
async function atBroker(run: (broker: Mosquitto, client: OtherClient) => Promise<string>): Promise<string> {
  const broker = await Mosquitto.start(["set_tcp_nodelay true"]);
  const client = await OtherClient.connect(broker.port);
  try {
    return await run(broker, client);
  } finally {
    await client.end();
    await broker.stop("SIGKILL");
  }
}

/** Starts a device, waits until it is online, runs a part of a case with it, and ends it. */
async function withDevice(
  broker: Mosquitto,
  client: OtherClient,
  run: (device: NoundProcess) => Promise<string>,
): Promise<string> {
  const device = await startDevice({ nouns, mqtt: usual }, broker.address);
  try {
    await client.hears("nound/hall", "online");
    return await run(device);
  } finally {
    await device.stop();
  }
}

/** @returns ms until the status of the device is `online`. */
async function timeToOnline(client: OtherClient, since: number): Promise<number> {
  while (client.latest("nound/hall") !== "online") await client.next("nound/hall");
  return performance.now() - since;
}

async function runStarts(broker: Mosquitto, client: OtherClient): Promise<string> {
  const waits: number[] = [];
  while (waits.length < starts) {
    const since = performance.now();
    const device = await startDevice({ nouns, mqtt: usual }, broker.address);
    waits.push(await timeToOnline(client, since));
    await device.stop();
    await client.hears("nound/hall", "offline");
  }
  must(quantile(waits, 0.5) <= mostToOnline, `A start takes ${times(waits)}.`);
  return `${starts} starts: ${times(waits)}`;
}

/** @returns ms until the device is online again, after its broker has been away. */
async function returnTime(): Promise<number> {
  const broker = await Mosquitto.start();
  const client = await OtherClient.connect(broker.port);
  let wait = Number.NaN;
  await withDevice(broker, client, async () => {
    await broker.stop("SIGKILL");
    await delay(outage);
    await broker.start();
    const since = performance.now();
    const other = await OtherClient.connect(broker.port);
    wait = await timeToOnline(other, since);
    await other.end();
    return "";
  });
  await client.end();
  await broker.stop("SIGKILL");
  return wait;
}

/** The outages are side by side, each with a broker of its own, because all only wait. */
async function runOutages(): Promise<string> {
  const waits = await Promise.all(Array.from({ length: outages }, () => returnTime()));
  must(quantile(waits, 0.5) <= mostToReturn, `A return takes ${times(waits)}.`);
  return `${outages} outages of ${outage} ms: ${times(waits)}`;
}

async function runCommands(client: OtherClient): Promise<string> {
  const sent: number[] = [];
  const waits: number[] = [];
  const listen = async (): Promise<void> => {
    while (waits.length < commands) {
      await client.next("nound/hall/note");
      const now = performance.now();
      // A state answers the commands before it, too.
      const { n } = JSON.parse(client.latest("nound/hall/note") ?? "") as { n: number };
      while (waits.length <= n) waits.push(now - (sent[waits.length] ?? now));
    }
  };
  const listening = listen();
  const since = performance.now();
  for (let n = 0; n < commands; n++) {
    await delay(Math.max(0, since + n * pause - performance.now()));
    sent.push(performance.now());
    await client.publish("nound/hall/note/put", `{"n":${n}}`, { qos: 0 });
  }
  await listening;
  must(quantile(waits, 0.99) <= mostToAnswer, `An answer takes ${times(waits)}.`);
  return `${commands} commands, one each ${pause} ms: ${times(waits)}`;
}

async function runBurst(client: OtherClient, device: NoundProcess): Promise<string> {
  const heard = client.all("nound/hall/note").length;
  const wanted: string[] = [];
  for (let n = 0; n < saved; n++) {
    wanted.push(`{"n":${n}}`);
    const change = client.next("nound/hall/note");
    await ask(device, "note", { n });
    // The next change follows at once, but not before this one was read.
    await Promise.race([change, delay(50)]);
  }
  await client.hears("nound/hall/note", `{"n":${saved - 1}}`);
  const missing = wanted.filter((state) => !client.all("nound/hall/note").slice(heard).includes(state));
  must(missing.length === 0, `${missing.length} of ${saved} changes of a burst were not published.`);
  return `${saved} of ${saved} changes, one after the other`;
}

/** The cases. */
export const pace: readonly BrokerCase[] = [
  { name: "pace: from the start to online", run: async () => await atBroker(runStarts) },
  { name: "pace: back after an outage", run: runOutages },
  {
    name: "pace: commands back to back",
    run: async () =>
      await atBroker((broker, client) => withDevice(broker, client, async () => await runCommands(client))),
  },
  {
    name: "pace: a burst of changes",
    run: async () =>
      await atBroker((broker, client) => withDevice(broker, client, async (device) => await runBurst(client, device))),
  },
];
