/** Many commands at once: each is performed, and the session lives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { message, PlayedBroker } from "../played-broker.ts";
import { ask, isConnected, startDevice } from "../site.ts";

const sessions = 50;
/** Sessions at once: more would only wait for the processors. */
const abreast = 10;
const commandsOfWrite = 1_000;
const commandsOfMosquitto = 8_000;

const nouns = { note: { kind: "value", default: { n: -1 } } };
const verbs = ["put", "post", "delete"] as const;

/** The verbs of a write: one alone, or all of them in turn. */
const writes = [...verbs.map((verb) => [verb] as const), verbs].flatMap((some) => [
  { some, qos: 0 as const },
  { some, qos: 1 as const },
]);

/** How many commands a device has performed, by its log. Whole lines count, each once. */
class Performed {
  count = 0;
  private seen = 0;

  /** @returns the number so far. */
  look(printed: string): number {
    const end = printed.lastIndexOf("\n") + 1;
    this.count += printed.slice(this.seen, end).match(/ (?:PUT|POST|DELETE) \/note 200 \(mqtt\)$/gm)?.length ?? 0;
    this.seen = end;
    return this.count;
  }
}

async function runSession(): Promise<void> {
  const broker = await PlayedBroker.start();
  const device = await startDevice({ nouns, log: "requests", mqtt: { may: "PUT,POST,DELETE *" } }, broker.address);
  const performed = new Performed();
  let expected = 0;
  try {
    await broker.hearsOnline();
    for (const { some, qos } of writes) {
      const pubacks = broker.pubacks + qos * commandsOfWrite;
      const commands = Array.from({ length: commandsOfWrite }, (_, n) => {
        const verb = some[n % some.length] ?? "put";
        const more = qos === 1 ? { qos, messageId: n + 1 } : { qos };
        return message(`nound/hall/note/${verb}`, verb === "delete" ? "" : `{"n":${n}}`, more);
      });
      broker.send(...commands);
      expected += commandsOfWrite;
      await eventually("each command is performed", () => {
        if (!broker.isConnected) throw new Error(`The session has ended after ${performed.look(device.printed)}.`);
        return performed.look(device.printed) >= expected && broker.pubacks >= pubacks;
      });
    }
    must(performed.count === expected, `${performed.count} commands of ${expected} were performed.`);
    must(broker.connects === 1, `The device has connected ${broker.connects} times.`);
    must(
      (await ask(device, "note")) === `{"n":${commandsOfWrite - 1}}`,
      "The last command was not the last one performed.",
    );
    const { status, stderr } = await device.stop();
    must(status === 0 && !/error/i.test(stderr), `It ends with ${status}: ${stderr.slice(-500)}`);
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    throw new Error(`${sentence} ${performed.count} of ${expected}; ${device.printed.slice(-500)}`);
  } finally {
    device.kill();
    broker.close();
  }
}

async function runWrites(): Promise<string> {
  let alive = 0;
  let first: unknown;
  for (let begun = 0; begun < sessions; begun += abreast) {
    const some = await Promise.allSettled(Array.from({ length: abreast }, () => runSession()));
    alive += some.filter(({ status }) => status === "fulfilled").length;
    first ??= some.find((one) => one.status === "rejected")?.reason;
  }
  must(alive === sessions, `${alive} of ${sessions} sessions are alive; ${String(first)}`);
  return `${sessions} sessions of ${sessions} alive, each with ${writes.length} writes of ${commandsOfWrite} commands`;
}

async function runMosquitto(): Promise<string> {
  // A mosquitto drops messages beyond its queue, which is its matter.
  const broker = await Mosquitto.start(["max_queued_messages 0"]);
  const device = await startDevice({ nouns, log: "requests" }, broker.address);
  const performed = new Performed();
  try {
    for (const [round, qos] of ["0", "1"].entries()) {
      await eventually("the device connects", () => isConnected(device));
      const words = ["-p", `${broker.port}`, "-V", "5", "-q", qos, "-t", "nound/hall/note/put", "-l"];
      const publisher = spawn("mosquitto_pub", words, { stdio: ["pipe", "ignore", "ignore"] });
      publisher.stdin.end(Array.from({ length: commandsOfMosquitto }, (_, n) => `{"n":${n}}\n`).join(""));
      await once(publisher, "close");
      const expected = (round + 1) * commandsOfMosquitto;
      await eventually("each command is performed", () => {
        const failure = /^.*mqtt: .*$/m.exec(device.printed)?.[0];
        if (failure !== undefined) throw new Error(`${performed.look(device.printed)} of ${expected}: ${failure}`);
        return performed.look(device.printed) >= expected;
      });
      must(performed.count === expected, `${performed.count} of ${expected} were performed.`);
    }
    const { status, stderr } = await device.stop();
    must(status === 0 && !/error/i.test(stderr), `It ends with ${status}.`);
    return `${commandsOfMosquitto} of ${commandsOfMosquitto} with QoS 0, and as many with QoS 1`;
  } finally {
    device.kill();
    await broker.stop("SIGKILL");
  }
}

/** The cases. */
export const bursts: readonly BrokerCase[] = [
  { name: "a burst of commands in one write", run: runWrites },
  { name: "a burst of commands by mosquitto_pub", run: runMosquitto },
];
