/**
 * The retained state of each noun equals GET after random changes by HTTP, by MQTT, by edges and by pulses, with cuts,
 * stops and restarts between them. Ten devices at ten brokers share the changes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import type { OtherClient } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { Random } from "../random.ts";
import { ask, isConnected, Site } from "../site.ts";

const sites = 10;
const roundsOfSite = 10;
const changesOfRound = 100;
const timed = ["sinceEdge"];

const nouns = {
  note: { kind: "value", default: { n: -1 } },
  "by.mqtt": { kind: "value", default: { n: -1 } },
  led: { kind: "switch", key: "led" },
  door: { kind: "gpio-input", chip: "gpiochip0", offset: 4, key: "door", edges: "both" },
  valve: { kind: "gpio-output", chip: "gpiochip0", offset: 5, key: "valve", pulse: 15 },
};

/** What a device should have in the end, of what only one client changes. */
interface Model {
  note: number;
  byMqtt: Set<number>;
  door: 0 | 1;
  edges: number;
}

async function change(site: Site, client: OtherClient | undefined, random: Random, model: Model): Promise<void> {
  const n = random.below(1_000_000);
  switch (random.below(5)) {
    case 0:
      await ask(site.device, "note", { n });
      model.note = n;
      break;
    case 1:
      if (client === undefined) break;
      await client.publish("nound/hall/by:mqtt/put", `{"n":${n}}`, { qos: n % 2 === 0 ? 0 : 1 });
      model.byMqtt.add(n);
      break;
    case 2:
      if (n % 2 === 0 || client === undefined) await ask(site.device, "led", { led: n % 3 === 0 ? 1 : 0 });
      else await client.publish("nound/hall/led/put", `{"led":${n % 3 === 0 ? 1 : 0}}`, { qos: 0 });
      break;
    case 3:
      model.door = model.door === 0 ? 1 : 0;
      model.edges += 1;
      await ask(site.device, "simulated.door", { door: model.door });
      break;
    default:
      await ask(site.device, "valve", { valve: 1 });
  }
}

/** Disturbs the way to the broker, or the broker, once. */
async function disturb(site: Site, random: Random): Promise<void> {
  switch (random.below(4)) {
    case 0:
      site.way.cut();
      break;
    case 1:
      site.broker.signal("SIGSTOP");
      await delay(random.below(1_000));
      site.broker.signal("SIGCONT");
      break;
    default:
      await site.restartBroker(random.below(2) === 0 ? "SIGKILL" : "SIGTERM", () => delay(random.below(500)));
  }
}

async function runSite(seed: number): Promise<void> {
  const random = new Random(seed);
  const lines = seed % 2 === 0 ? [] : ["persistence true", "autosave_interval 1"];
  const site = await Site.start({ nouns, lines, args: ["--simulate"] });
  const model: Model = { note: -1, byMqtt: new Set([-1]), door: 0, edges: 0 };
  try {
    await eventually("the device connects", () => isConnected(site.device));
    for (let round = 0; round < roundsOfSite; round++) {
      const cut = random.below(changesOfRound);
      let client: OtherClient | undefined = await site.client();
      for (let index = 0; index < changesOfRound; index++) {
        if (index === cut) {
          await client?.end();
          client = undefined;
          await disturb(site, random);
        }
        await change(site, client, random, model);
      }
      await client?.end();
      await site.agrees(timed);
      const [note, byMqtt, door] = await Promise.all(
        ["note", "by.mqtt", "door"].map(async (noun) => JSON.parse(await ask(site.device, noun))),
      );
      must(note.n === model.note, `note is ${note.n}, not ${model.note}`);
      must(model.byMqtt.has(byMqtt.n), `by.mqtt is ${byMqtt.n}, which nobody sent`);
      must(door.door === model.door && door.edges === model.edges, `door is ${JSON.stringify(door)}`);
    }
    await site.end();
  } catch (error) {
    site.device.kill();
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}; ${site.device.printed}`);
  }
}

async function run(): Promise<string> {
  const seed = Date.now() % 1_000_000_000;
  await Promise.all(Array.from({ length: sites }, (_, index) => runSite(seed + index)));
  const rounds = sites * roundsOfSite;
  return `${rounds * changesOfRound} changes, ${rounds} cuts, ${rounds} times equal; seeds from ${seed}`;
}

/** The case. */
export const retained: readonly BrokerCase[] = [{ name: "retained states equal GET", run }];
