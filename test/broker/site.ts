/** A device, its broker and a way between them that can be cut. */
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { freeAddress, freePort, portOf } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, OtherClient, retainedAt } from "../harness/mosquitto.ts";
import { configurationFile, NoundProcess, type StartOptions } from "../harness/nound-process.ts";
import { connectionTo } from "./seal.ts";

/** ms until all pulses have ended. */
const quietTime = 200;

/** A proxy of a TCP port of loopback, whose connections a test resets. */
export class Way {
  private readonly server: Server;
  private readonly open = new Set<Socket>();

  private constructor(server: Server) {
    this.server = server;
  }

  /** @param target the port that it leads to. */
  static async to(target: number): Promise<Way> {
    const way = new Way(createServer((near) => way.join(near, connectTo(target, "127.0.0.1"))));
    const port = await freePort();
    await new Promise<void>((resolve) => way.server.listen(port, "127.0.0.1", resolve));
    return way;
  }

  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The way does not listen.");
    return `127.0.0.1:${address.port}`;
  }

  /** Resets all connections, at whichever byte they are. */
  cut(): void {
    for (const socket of this.open) socket.resetAndDestroy();
  }

  /** Passes no further bytes, or all that have waited. */
  hold(on: boolean): void {
    for (const socket of this.open) {
      if (on) socket.pause();
      else socket.resume();
    }
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(one);
      one.setNoDelay(true);
      one.on("error", () => undefined);
      one.on("close", () => {
        this.open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

/** What a site is made of. */
export interface Plan {
  readonly nouns: Readonly<Record<string, object>>;
  /** Lines of the broker's configuration. */
  readonly lines?: readonly string[];
  /** Keys of the device's `mqtt`. */
  readonly mqtt?: object;
  readonly log?: "errors" | "requests";
  readonly args?: readonly string[];
  readonly options?: StartOptions;
}

/** All devices: they end with this process, however that ends. */
const devices = new Set<NoundProcess>();
process.once("exit", () => {
  for (const device of devices) device.kill();
});

/** Starts a device that serves on a free port of loopback. */
export async function startDevice(plan: Plan, broker: string | readonly string[]): Promise<NoundProcess> {
  const listen = await freeAddress();
  const configuration = {
    listen,
    log: plan.log ?? "errors",
    nouns: plan.nouns,
    mqtt: { ...connectionTo(broker), id: "hall", interval: 0, ...plan.mqtt },
  };
  const file = configurationFile(JSON.stringify(configuration));
  const device = new NoundProcess(["--config", file, ...(plan.args ?? [])], listen, plan.options);
  devices.add(device);
  await device.listening();
  return device;
}

/** Asks a device. @returns the text of the answer. @throws Error unless it is a success. */
export async function ask({ address }: NoundProcess, noun: string, state?: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  const sent = state && { method: "PUT", body: JSON.stringify(state), headers };
  const response = await fetch(`http://${address}/${noun}`, sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${noun} answers ${response.status}: ${text}`);
  return text;
}

/** @returns a number of the device's metrics. */
export async function metric(device: NoundProcess, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(await ask(device, "metrics"))?.[1]);
}

export async function isConnected(device: NoundProcess): Promise<boolean> {
  return (await metric(device, "nound_mqtt_connected")) === 1;
}

/** A broker, a way to it, a device at its end, and a client at the broker. */
export class Site {
  readonly plan: Plan;
  readonly broker: Mosquitto;
  readonly way: Way;
  readonly device: NoundProcess;

  private constructor(plan: Plan, broker: Mosquitto, way: Way, device: NoundProcess) {
    this.plan = plan;
    this.broker = broker;
    this.way = way;
    this.device = device;
  }

  /** @param before called when the broker listens and the device does not yet run. */
  static async start(plan: Plan, before?: (broker: Mosquitto) => Promise<void>): Promise<Site> {
    const broker = await Mosquitto.start(plan.lines);
    await before?.(broker);
    const way = await Way.to(portOf(broker.address));
    return new Site(plan, broker, way, await startDevice(plan, way.address));
  }

  /** Kills the broker, and starts it again. @param meanwhile done while it is down. */
  async restartBroker(name: NodeJS.Signals, meanwhile?: () => Promise<void>): Promise<void> {
    await this.broker.stop(name);
    await meanwhile?.();
    await this.broker.start(this.plan.lines);
  }

  client(): Promise<OtherClient> {
    return OtherClient.connect(this.broker.port);
  }

  /**
   * @param timed keys that change with time alone.
   * @returns what differs between the retained states and what GET gives; "" if nothing does.
   */
  async difference(timed: readonly string[] = []): Promise<string> {
    const retained = await retainedAt(this.broker.port);
    if (retained.get("nound/hall") !== "online") return "the device is not online";
    for (const noun of Object.keys(this.plan.nouns)) {
      const at = retained.get(`nound/hall/${noun.replaceAll(".", ":")}`);
      const got = await ask(this.device, noun);
      if (timeless(at ?? "null", timed) !== timeless(got, timed)) return `${noun} is ${got}, and retained is ${at}`;
    }
    return "";
  }

  /** Waits until the broker has retained what GET gives, and that a moment later too. Nothing may change meanwhile. */
  async agrees(timed: readonly string[] = []): Promise<void> {
    let last = "";
    await delay(quietTime);
    await eventually("the retained states equal GET", async () => {
      last = (await isConnected(this.device)) ? await this.difference(timed) : "the device is not connected";
      if (last !== "") await delay(quietTime);
      return last === "";
    }).catch(() => {
      throw new Error(`The broker and the device do not agree: ${last}.`);
    });
    last = await this.difference(timed);
    if (last !== "") throw new Error(`The broker and the device agree no longer: ${last}.`);
  }

  /** Ends everything. @throws Error if the device does not end in order. */
  async end(): Promise<void> {
    try {
      const { status, stderr } = await this.device.stop();
      if (status !== 0 || /error:/i.test(stderr)) throw new Error(`The device ended with ${status}: ${stderr}`);
    } finally {
      this.device.kill();
      this.way.close();
      await this.broker.stop("SIGKILL");
    }
  }
}

/** @returns the state without the keys that change with time alone. */
function timeless(json: string, timed: readonly string[]): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) => (timed.includes(key) ? undefined : value));
}
