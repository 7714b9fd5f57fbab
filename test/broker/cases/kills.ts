/**
 * The broker is killed and site again at random moments. All states and `online` come back in time, and no command is
 * executed twice, late, or from the broker's store. Ten devices at ten brokers share the kills.
 */
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { OtherClient } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { Random } from "../random.ts";
import { ask, isConnected, Site } from "../site.ts";

const sites = 10;
const killsOfSite = 5;
const commandsOfKill = 8;

/** ms: the longest wait before a connect, and the connect. */
const backTime = 70_000;
/** ms after which a command is given up that a broker was killed with. */
const sendTime = 5_000;
/** ms that a session keeps a command, and until this test sees its execution. */
const commandTime = 15_000 + 1_000;

const commands = Array.from({ length: killsOfSite * commandsOfKill }, (_, index) => `c${index}`);
const value = { kind: "value", default: {} };
const nouns = { note: value, stored: value, ...Object.fromEntries(commands.map((name) => [name, value])) };

/** Notes when each command was executed, by the device's log. */
class Executions {
  readonly times = new Map<string, number[]>();
  private readonly timer: NodeJS.Timeout;
  private seen = 0;

  constructor(site: Site) {
    this.timer = setInterval(() => this.look(site), 20);
  }

  look({ device: { printed } }: Site): void {
    const end = printed.lastIndexOf("\n") + 1;
    for (const [, name = ""] of printed.slice(this.seen, end).matchAll(/ PUT \/(\w+) 200 \(mqtt\)$/gm)) {
      this.times.set(name, [...(this.times.get(name) ?? []), performance.now()]);
    }
    this.seen = end;
  }

  stop(site: Site): void {
    clearInterval(this.timer);
    this.look(site);
  }
}

/** Sends commands of QoS 0 and 1 at random moments, whether there is a broker or not. */
async function command(site: Site, names: readonly string[], random: Random, sent: Map<string, number>): Promise<void> {
  for (const [index, name] of names.entries()) {
    await delay(random.below(250));
    const send = async (): Promise<void> => {
      const client = await OtherClient.connect(site.broker.port, { reconnectPeriod: 0, connectTimeout: sendTime });
      sent.set(name, performance.now());
      await client.publish(`nound/hall/${name}/put`, '{"n":1}', { qos: index % 2 === 0 ? 0 : 1 });
      await client.end();
    };
    // The broker may be down, and the answers of a killed one never come.
    await Promise.race([send().catch(() => undefined), delay(sendTime)]);
  }
}

/** What a site has seen: ms until all was back, commands, and those of QoS 1 that came again, or late. */
interface Seen {
  readonly longest: number;
  readonly executed: number;
  readonly again: number;
  readonly late: number;
}

async function runSite(lines: readonly string[], seed: number): Promise<Seen> {
  const random = new Random(seed);
  const site = await Site.start({ nouns, lines, log: "requests" }, async (broker) => {
    const client = await OtherClient.connect(broker.port);
    await client.publish("nound/hall/stored/put", '{"n":1}', { retain: true });
    await client.end();
  });
  const sent = new Map<string, number>();
  const executions = new Executions(site);
  const hasDatabase = lines.length > 0;
  let longest = 0;
  let late = 0;
  try {
    await eventually("the device connects", () => isConnected(site.device));
    for (let kill = 0; kill < killsOfSite; kill++) {
      const names = commands.slice(kill * commandsOfKill, (kill + 1) * commandsOfKill);
      const commanding = command(site, names, random, sent);
      await delay(random.below(1_000));
      await site.restartBroker("SIGKILL", async () => {
        await ask(site.device, "note", { kill });
        await delay(random.below(500));
      });
      const since = performance.now();
      await commanding;
      await site.agrees();
      const took = performance.now() - since;
      must(took <= backTime, `All is back after ${Math.round(took)} ms.`);
      longest = Math.max(longest, took);
    }
    await site.agrees();
    executions.stop(site);
    must(!executions.times.has("stored"), "A command of the broker's store was executed.");
    for (const [name, times] of executions.times) {
      const isOnce = (commands.indexOf(name) % commandsOfKill) % 2 === 0;
      must(!isOnce || times.length === 1, `${name} was sent once with QoS 0, and executed ${times.length} times.`);
      // A database that is older than the kill has sessions as they were, and the messages of QoS 1 in them.
      const age = (times[0] ?? 0) - (sent.get(name) ?? 0);
      if (age > commandTime) late += 1;
      must(age <= commandTime || (hasDatabase && !isOnce), `${name} was executed after ${Math.round(age)} ms.`);
    }
    must(executions.times.size > 0, "No command was executed.");
    await site.end();
    const executed = executions.times.size;
    const again = [...executions.times.values()].filter(({ length }) => length > 1).length;
    return { longest, executed, again, late };
  } catch (error) {
    site.device.kill();
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    executions.stop(site);
  }
}

function killed(name: string, lines: readonly string[]): BrokerCase {
  return {
    name,
    async run() {
      const seed = Date.now() % 1_000_000_000;
      const seen = await Promise.all(Array.from({ length: sites }, (_, index) => runSite(lines, seed + index)));
      const longest = (Math.max(...seen.map((one) => one.longest)) / 1_000).toFixed(1);
      const sum = (key: "executed" | "again" | "late"): number => seen.reduce((count, one) => count + one[key], 0);
      const commanded = `${sum("executed")} commands, with QoS 1 ${sum("again")} twice and ${sum("late")} late`;
      return `${sites * killsOfSite} kills, back after ${longest} s at most; ${commanded}; seeds from ${seed}`;
    },
  };
}

/** The cases. */
export const kills: readonly BrokerCase[] = [
  killed("kills of a broker without a database", []),
  killed("kills of a broker with a database", ["persistence true", "autosave_interval 1"]),
];
