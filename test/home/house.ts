/** A Home Assistant, its broker, and devices that come and go. */
import { randomUUID } from "node:crypto";
import { freeAddress } from "../harness/address.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { Home, type Json, until } from "./home.ts";
import type { Version } from "./installation.ts";

/** Keys of a configuration, besides what every device here has. */
export interface Plan {
  readonly nouns: Readonly<Record<string, object>>;
  readonly mqtt?: object;
  /** Whether it has no simulated hardware: what it keeps survives then. */
  readonly isReal?: boolean;
  /** Whether it listens on all addresses. */
  readonly isPublic?: boolean;
  /** Where it listens, each time that it starts; a free address if left out. */
  readonly listen?: string;
  readonly [key: string]: unknown;
}

/** All devices: they end with this process, however that ends. */
const devices = new Set<Device>();
process.once("exit", () => {
  for (const { process: child } of devices) child.kill();
});

/** A device at the broker, with simulated hardware. */
export class Device {
  /** Its UUID, and its name at the broker. */
  id: string;
  readonly name: string;
  process: NoundProcess;
  private readonly house: House;
  private plan: Plan;

  constructor(house: House, name: string, plan: Plan, child: NoundProcess) {
    this.house = house;
    this.name = name;
    this.plan = plan;
    this.id = String(plan["id"]);
    this.process = child;
  }

  /** @returns the id in Home Assistant of the entity that nound calls `lamp/on`. */
  async entity(place: string, platform?: string): Promise<string> {
    let found: string | undefined;
    await until(`Home Assistant has ${place} of ${this.name}`, async () => {
      found = (await this.house.home.entities(this.id)).find(
        ({ unique_id: unique, entity_id: id }) =>
          unique === `${this.id}/${place}` && (platform === undefined || id.startsWith(`${platform}.`)),
      )?.entity_id;
      return found !== undefined;
    });
    return found ?? "";
  }

  /** Asks for a noun's state, or sets it. @throws Error unless the answer is a success. */
  async ask(noun: string, state?: object, method = "PUT"): Promise<Json> {
    const headers = { "content-type": "application/json" };
    const sent = state && { method, body: JSON.stringify(state), headers };
    const response = await fetch(`http://${this.process.address}/${noun}`, sent);
    const text = await response.text();
    if (!response.ok) throw new Error(`${noun} answers ${response.status}: ${text}`);
    return JSON.parse(text) as Json;
  }

  /** Waits until a noun has these values. */
  async has(noun: string, values: Json): Promise<void> {
    let seen: Json = {};
    await until(
      `${noun} has ${JSON.stringify(values)}`,
      async () => {
        seen = await this.ask(noun);
        return Object.entries(values).every(([key, value]) => seen[key] === value);
      },
      () => `it is ${JSON.stringify(seen)}`,
    );
  }

  /** Waits until it is connected to the broker. */
  async connected(): Promise<void> {
    await until(`${this.name} is connected`, () => this.isConnected());
  }

  async isConnected(): Promise<boolean> {
    const response = await fetch(`http://${this.process.address}/metrics`);
    return /^nound_mqtt_connected 1$/m.test(await response.text());
  }

  /** Presses a simulated button shortly. */
  async press(noun: string, key = "pressed"): Promise<void> {
    for (const level of [1, 0]) await this.ask(`simulated.${noun}`, { [key]: level });
  }

  /** Ends it, and starts it again. @param plan what is different. */
  async restart(plan: Partial<Plan> = {}, name: NodeJS.Signals = "SIGTERM"): Promise<void> {
    await this.end(name);
    await this.again(plan);
  }

  async again(plan: Partial<Plan> = {}): Promise<void> {
    this.plan = { ...this.plan, ...plan } as Plan;
    this.id = String(this.plan["id"]);
    this.process = await this.house.launch(this.name, this.plan);
    devices.add(this);
  }

  async end(name: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (name === "SIGKILL") this.process.kill();
    else await this.process.stop();
    devices.delete(this);
  }
}

export class House {
  readonly home: Home;
  readonly broker: Mosquitto;
  /** Whether pictures become those of the docs. */
  readonly isDocumenting: boolean;
  private count = 0;
  private readonly own: Device[] = [];
  private readonly residents: Device[] = [];

  private constructor(home: Home, broker: Mosquitto, isDocumenting: boolean) {
    this.home = home;
    this.broker = broker;
    this.isDocumenting = isDocumenting;
  }

  static async start(version: Version, isDocumenting: boolean): Promise<House> {
    const broker = await Mosquitto.start(["set_tcp_nodelay true", "max_queued_messages 10000"]);
    return new House(await Home.start(version, broker), broker, isDocumenting);
  }

  /** Starts a device. */
  async begin(plan: Plan): Promise<Device> {
    const name = `case${++this.count}`;
    const whole = { id: randomUUID(), title: `Case ${this.count}`, ...plan };
    const device = new Device(this, name, whole, await this.launch(name, whole));
    devices.add(device);
    this.own.push(device);
    return device;
  }

  /** Starts a device that stays until the last case. */
  async resident(plan: Plan): Promise<Device> {
    const device = await this.device(plan);
    this.own.splice(this.own.indexOf(device), 1);
    this.residents.push(device);
    return device;
  }

  /** Starts a device, and waits until Home Assistant knows it. */
  async device(plan: Plan): Promise<Device> {
    const device = await this.begin(plan);
    const { name } = device;
    await until(`Home Assistant knows ${name}`, async () => (await this.home.entities(device.id)).length > 0);
    return device;
  }

  async launch(name: string, { isReal = false, isPublic = false, ...plan }: Plan): Promise<NoundProcess> {
    const listen = plan.listen ?? (await freeAddress());
    const addresses = isPublic ? listen.replace("127.0.0.1", "0.0.0.0") : listen;
    const mqtt = { server: this.broker.address, id: name, interval: 0, homeAssistant: true, ...plan.mqtt };
    const file = configurationFile(JSON.stringify({ log: "errors", ...plan, listen: addresses, mqtt }));
    const child = new NoundProcess([...(isReal ? [] : ["--simulate"]), "--config", file], listen);
    await child.listening();
    return child;
  }

  /** Ends the devices of a case, and makes Home Assistant forget them. */
  async tidy(): Promise<void> {
    await this.home.forget().catch(() => undefined);
    for (const device of this.own.splice(0)) await device.end().catch(() => undefined);
    const client = await OtherClient.connect(this.broker.port);
    await until("what is retained has come", () => client.messages.length > 0).catch(() => undefined);
    const isStaying = (topic: string) =>
      this.residents.some(({ id, name }) => topic.split("/").some((level) => level === id || level === name));
    for (const { topic, retain } of client.messages)
      if (retain && !isStaying(topic)) await client.publish(topic, "", { retain: true });
    await client.end();
  }
}
