/** Many commands at once: each is performed, and the session lives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto } from "../../harness/mosquitto.ts";
import { temporaryPath } from "../../harness/nound-process.ts";
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

/** The log of a device, in a file: a pipe that is full would lose lines. */
class Log {
  readonly path = temporaryPath("log");

  /** A command that becomes the device. */
  get wrapper(): readonly string[] {
    return ["sh", "-c", 'exec "$@" 2>"$0"', this.path];
  }

  get text(): string {
    return readFileSync(this.path, "utf8");
  }

  /** How many commands the device has performed. */
  get performed(): number {
    return this.text.match(/ (?:PUT|POST|DELETE) \/note 200 \(mqtt\)$/gm)?.length ?? 0;
  }

  /** Waits until so many are, and no more. @throws Error when the session has ended. */
  async counts(expected: number): Promise<void> {
    await eventually("each command is performed", async () => {
      const failure = /^mqtt: .*$/m.exec(this.text)?.[0];
      if (failure !== undefined) throw new Error(`${this.performed} of ${expected} are performed: ${failure}`);
      await delay(50);
      return this.performed >= expected;
    });
    must(this.performed === expected, `${this.performed} are performed instead of ${expected}.`);
  }
}

async function runSession(): Promise<void> {
  const broker = await PlayedBroker.start();
  const log = new Log();
  const options = { wrapper: log.wrapper };
  const plan = { nouns, log: "requests", mqtt: { may: "PUT,POST,DELETE *", startDelay: 0 }, options } as const;
  const device = await startDevice(plan, broker.address);
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
      await log.counts(expected);
      await eventually("each command is acknowledged", () => broker.pubacks === pubacks);
    }
    must(broker.connects === 1, `The device has connected ${broker.connects} times.`);
    must(
      (await ask(device, "note")) === `{"n":${commandsOfWrite - 1}}`,
      "The last command was not the last one performed.",
    );
    const { status } = await device.stop();
    must(status === 0 && !/error/i.test(log.text), `It ends with ${status}: ${log.text.slice(-500)}`);
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
  const log = new Log();
  const plan = { nouns, log: "requests", mqtt: { startDelay: 0 }, options: { wrapper: log.wrapper } } as const;
  const device = await startDevice(plan, broker.address);
  try {
    for (const [round, qos] of ["0", "1"].entries()) {
      await eventually("the device connects", () => isConnected(device));
      const words = ["-p", `${broker.port}`, "-V", "5", "-q", qos, "-t", "nound/hall/note/put", "-l"];
      const publisher = spawn("mosquitto_pub", words, { stdio: ["pipe", "ignore", "ignore"] });
      publisher.stdin.end(Array.from({ length: commandsOfMosquitto }, (_, n) => `{"n":${n}}\n`).join(""));
      await once(publisher, "close");
      await log.counts((round + 1) * commandsOfMosquitto);
    }
    const { status } = await device.stop();
    must(status === 0 && !/error/i.test(log.text), `It ends with ${status}.`);
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
