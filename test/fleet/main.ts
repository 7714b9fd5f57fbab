/**
 * Many devices at a broker, and everything that breaks. `--help` prints the options. Prints a line for each scenario,
 * and leaves build/fleet.json.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { must } from "../broker/case.ts";
import { Random } from "../broker/random.ts";
import { readOptions } from "../command-line.ts";
import { buildPart } from "../harness/build.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { mostOfDevice } from "../harness/process-status.ts";
import { top } from "../harness/top.ts";
import { Attempts } from "./attempts.ts";
import { fetchDebian, removeDebian } from "./brokers/debian.ts";
import { EjabberdBroker } from "./brokers/ejabberd.ts";
import type { Account, FleetBroker } from "./brokers/fleet-broker.ts";
import { MosquittoBroker } from "./brokers/mosquitto.ts";
import { RabbitMqBroker } from "./brokers/rabbitmq.ts";
import { Fleet } from "./fleet.ts";
import { brokerHost, isInside, Network, runInNamespaces } from "./namespaces.ts";
import { Observer } from "./observer.ts";
import { type Outcome, play, type Site } from "./play.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { Seal } from "./seal.ts";

const help = `Usage: npm run test:fleet -- [OPTION]...

Runs many devices at a broker, and breaks things.

  --devices N      so many devices; 50 if left out
  --broker NAME    mosquitto (if left out), rabbitmq or ejabberd: three nodes each
  --queues KIND    of rabbitmq: classic (if left out) or quorum
  --tls            encrypt the devices' connections; each device has a certificate, too
  --keep           keep the Debian of rabbitmq and ejabberd for the next run
  --scenario WORDS play only scenarios with one of these in their names, separated by commas
  --minutes M      play short scenarios in random order for so long
  --seed S         of what is random
  --help           print this help and exit
`;

const options = readOptions("test:fleet", help, {
  devices: { type: "string" },
  broker: { type: "string" },
  queues: { type: "string" },
  tls: { type: "boolean" },
  keep: { type: "boolean" },
  scenario: { type: "string" },
  minutes: { type: "string" },
  seed: { type: "string" },
});

/** s until all devices have connected after the start. */
const startTime = 120;

/** Devices whose memory is measured, and ms that they rest before. */
const sample = 100;
const restTime = 2_000;

/** The share of all devices that may try to connect to one broker in any second. */
const mostConnecting = 0.15;

const count = Number(options.devices ?? 50);
const minutes = Number(options.minutes ?? 0);
const words = (options.scenario ?? "").split(",");
const seed = Number(options.seed ?? Date.now() % 1_000_000);
const encryption = options.tls === true ? ", TLS" : "";
const queues = options.queues === "quorum" ? "quorum" : "classic";

type MakeBroker = (network: Network, accounts: readonly Account[], seal: Seal | undefined) => FleetBroker;

const brokers: Readonly<Record<string, MakeBroker>> = {
  mosquitto: (...all) => new MosquittoBroker(...all),
  rabbitmq: (...all) => new RabbitMqBroker(...all, queues),
  ejabberd: (...all) => new EjabberdBroker(...all),
};
const wanted = options.broker ?? "mosquitto";
const kind = wanted === "mosquitto" ? "mosquitto" : "cluster";

const start: Scenario = { name: "start", steps: [], within: startTime };

function fits({ name, broker = kind }: Scenario): boolean {
  return broker === kind && words.some((word) => name.includes(word));
}

/**
 * A cluster may accept a device and forget at once what it has subscribed to, where its last connection has not ended
 * on all nodes. The device finds that out after 20 s, and waits once more.
 */
function withTime(scenario: Scenario): Scenario {
  return kind === "cluster" && scenario.isQuiet !== true ? { ...scenario, within: 2 * scenario.within } : scenario;
}

/** The scenarios of this run, in their order. */
function* chosen(random: Random): Generator<Scenario> {
  const all = scenarios.filter(fits).map(withTime);
  if (minutes === 0) {
    yield* all;
    return;
  }
  const first = [...all.entries()].filter(([, { name, follows }]) => !name.includes("5 min") && follows === undefined);
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; ) {
    const [index, scenario] = first[random.below(first.length)] ?? [];
    if (index === undefined || scenario === undefined) return;
    yield scenario;
    const next = all[index + 1];
    if (next?.follows === true) yield next;
  }
}

const tell = (name: string, text: string): void => console.log(`${name.padEnd(34)} ${text}`);

function describe({ right, called, attempts, most, twice }: Outcome): string {
  const times = `right after ${right.toFixed(1).padStart(5)} s, all answer in ${called.toFixed(1).padStart(4)} s`;
  return `${times}; ${attempts} attempts, at most ${most} in a second${twice > 0 ? `; ${twice} commands twice` : ""}`;
}

/** KB of a device, on average: its keeper, the process with the nouns, and the connector. */
function memoryOf({ devices }: Fleet): readonly number[] {
  const some = devices.filter((_, index) => index % Math.ceil(devices.length / sample) === 0);
  const all = some.map(({ memory }) => memory);
  return [0, 1, 2].map((part) => Math.round(all.reduce((sum, one) => sum + (one[part] ?? 0), 0) / all.length));
}

async function main(makeBroker: MakeBroker): Promise<number> {
  const random = new Random(seed);
  const network = await Network.create();
  const seal = options.tls === true ? new Seal() : undefined;
  const fleet = new Fleet(network, count, seal);
  const broker = makeBroker(network, fleet.accounts, seal);
  await broker.start();
  const observer = Observer.connect(broker.ports, !broker.retains);
  const attempts = new Attempts(network);
  const site: Site = { network, broker, fleet, observer, attempts, random, node: 0 };
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const judge = async (scenario: Scenario, before?: () => Promise<void>): Promise<void> => {
    try {
      const since = performance.now();
      let begun = 0;
      const outcome = await play(site, scenario, async () => {
        await before?.();
        if (before !== undefined) begun = (performance.now() - since) / 1_000;
      });
      const all = { ...outcome, right: outcome.right + begun };
      must(all.right <= scenario.within, `All is right after ${all.right.toFixed(1)} s, not ${scenario.within} s.`);
      // A few devices, or the nodes of a cluster together, may be above it.
      const isJudged = count >= 500 && kind !== "cluster";
      must(!isJudged || all.most <= mostConnecting * count, `${all.most} devices tried to connect in one second.`);
      outcomes.push(all);
      tell(scenario.name, describe(all));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`${scenario.name}: ${reason}`);
      tell(scenario.name, `FAILED: ${reason}`);
    }
  };
  console.log(`${count} devices, ${broker.name} ${broker.version}${encryption}, seed ${seed}`);
  fleet.configure(broker.devicePorts.map((port) => `${brokerHost}:${port}`));
  await judge(start, () => fleet.start(broker.newcomers, ({ id }) => observer.view(id).status === "online"));
  await delay(restTime);
  const memory = failures.length === 0 ? memoryOf(fleet) : [];
  if (failures.length === 0) {
    const [, nouns = 0, connector = 0] = memory;
    const isTooMuch = (nouns + connector) * 1_024 > mostOfDevice;
    if (isTooMuch) failures.push(`A device has more than ${mostOfDevice} bytes of its own.`);
    const verdict = isTooMuch ? "FAILED: " : "";
    tell("memory of a device", `${verdict}${memory.join(" + ")} KB of its own: keeper, nouns, connector`);
    for (const scenario of chosen(random)) await judge(scenario);
  }
  attempts.end();
  const result = { broker: broker.name, version: broker.version, devices: count, seed, memory, outcomes, failures };
  writeFileSync(join(top, "build/fleet.json"), `${JSON.stringify(result, undefined, 1)}\n`);
  console.log(`\n${outcomes.length} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}

const makeBroker = brokers[wanted];
if (makeBroker === undefined || !(count > 0) || !(minutes >= 0)) {
  console.error("test:fleet: expects the name of a broker, and numbers of devices and minutes.");
  process.exit(2);
}
if (isInside()) process.exit(await main(makeBroker));
const packages = kind === "cluster" ? { debootstrap: "debootstrap" } : { mosquitto: "mosquitto" };
installHostPackages({ ip: "iproute2", setpriv: "util-linux", ...packages }, "npm run test:fleet");
buildPart("nound-product");
if (kind === "cluster") fetchDebian();
const status = runInNamespaces();
if (kind === "cluster" && options.keep !== true) removeDebian();
process.exit(status);
