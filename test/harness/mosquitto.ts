/** A mosquitto on a free port of loopback, with or without a database on its disk. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { freePort, isListening } from "./address.ts";
import { eventually } from "./eventually.ts";
import { temporaryPath } from "./nound-process.ts";

/** Debian's folder of it is not on everyone's path. */
const mosquitto = existsSync("/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto";

/** Why it cannot run here, or undefined. */
export function mosquittoMissing(): string | undefined {
  try {
    execFileSync(mosquitto, ["-h"], { stdio: "ignore" });
    return undefined;
  } catch (error) {
    // With -h it ends with status 3.
    return (error as { status?: number | null }).status === 3 ? undefined : "mosquitto does not run here";
  }
}

/** Those that run: they end with this process, however that ends. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A broker that a test starts and ends as often as it wants, on the same port. */
export class Mosquitto {
  /**
   * Gives the lines of a further listener, with TLS, which is then `address`. For a suite that encrypts the connections
   * of all devices.
   */
  static sealedListener: ((port: number) => readonly string[]) | undefined;
  /** For clients without TLS. */
  readonly port: number;
  private readonly devicesPort: number;
  private readonly folder = temporaryPath("mosquitto");
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  private constructor(port: number, devicesPort: number) {
    this.port = port;
    this.devicesPort = devicesPort;
    mkdirSync(this.folder);
  }

  /** Starts one, and waits until it listens. @param lines further lines of its configuration. */
  static async start(lines: readonly string[] = []): Promise<Mosquitto> {
    const port = await freePort();
    const broker = new Mosquitto(port, Mosquitto.sealedListener === undefined ? port : await freePort());
    await broker.start(lines);
    return broker;
  }

  /** For devices. */
  get address(): string {
    return `127.0.0.1:${this.devicesPort}`;
  }

  async start(lines: readonly string[] = []): Promise<void> {
    const configuration = join(this.folder, "mosquitto.conf");
    const usual = [`listener ${this.port} 127.0.0.1`, "allow_anonymous true", `persistence_location ${this.folder}/`];
    // As root it would become another user, to which the folder does not belong.
    const sealed = Mosquitto.sealedListener?.(this.devicesPort) ?? [];
    writeFileSync(configuration, [...usual, "user root", ...lines, ...sealed, ""].join("\n"));
    const child = spawn(mosquitto, ["-c", configuration], { stdio: "ignore" });
    this.child = child;
    running.add(child);
    child.once("close", () => running.delete(child));
    this.ended = new Promise((resolve) => child.once("close", resolve));
    await eventually("mosquitto listens", () => isListening(this.address));
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  async stop(name: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.signal(name);
    await this.ended;
  }
}

/** A message, as a client has received it. */
export interface Received {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

/** A client that is not nound's. It keeps all that it receives, and connects again by itself. */
export class OtherClient {
  readonly messages: Received[] = [];
  private readonly client: MqttClient;
  private readonly waiting = new Map<string, () => void>();

  private constructor(client: MqttClient) {
    this.client = client;
    client.on("message", (topic, payload, { retain }) => {
      this.messages.push({ topic, payload: payload.toString(), retain });
      this.waiting.get(topic)?.();
      this.waiting.delete(topic);
    });
    client.on("error", () => undefined);
  }

  /** Connects, and subscribes to everything. */
  static async connect(port: number, options: IClientOptions = {}): Promise<OtherClient> {
    const usual: IClientOptions = { protocolVersion: 5, reconnectPeriod: 50, ...options };
    const other = new OtherClient(await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, usual));
    // A command does not wait for the acknowledgement of the one before it.
    if (other.client.stream instanceof Socket) other.client.stream.setNoDelay(true);
    await other.client.subscribeAsync("#", { qos: 1 });
    return other;
  }

  async publish(topic: string, payload: string, options: { retain?: boolean; qos?: 0 | 1 } = {}): Promise<void> {
    await this.client.publishAsync(topic, payload, { qos: 1, ...options });
  }

  /** The latest payload of a topic; undefined before the first. */
  latest(topic: string): string | undefined {
    return this.messages.findLast((message) => message.topic === topic)?.payload;
  }

  /** All payloads of a topic, in their order. */
  all(topic: string): readonly string[] {
    return this.messages.filter((message) => message.topic === topic).map(({ payload }) => payload);
  }

  /** @returns a promise of the next message to a topic. */
  next(topic: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(topic, resolve));
  }

  /** Waits until a topic has a payload. */
  async hears(topic: string, payload: string): Promise<void> {
    await eventually(`${topic} is ${payload}; it is ${this.latest(topic)}`, () => this.latest(topic) === payload);
  }

  async end(): Promise<void> {
    await this.client.endAsync(true);
  }
}

/** @returns what is retained at a broker, by topic. */
export async function retainedAt(port: number): Promise<ReadonlyMap<string, string>> {
  const client = await OtherClient.connect(port);
  await client.publish("end/of/retained", "");
  await eventually("all that is retained has come", () => client.all("end/of/retained").length > 0);
  await client.end();
  return new Map(client.messages.filter(({ retain }) => retain).map(({ topic, payload }) => [topic, payload]));
}
