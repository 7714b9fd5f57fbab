/**
 * A small program that does at a broker what Home Assistant does: it reads discovery, subscribes to the topics of each
 * entity with QoS 0, says that it has started and, by its will, that it has ended, and remembers its entities.
 */
import mqtt, { type MqttClient } from "mqtt";
import { eventually } from "../eventually.ts";
import { checkDiscovery, componentsOf } from "./checker.ts";
import { Entity, type Service } from "./entities.ts";
import { Templates } from "./templates.ts";

const statusTopic = "homeassistant/status";

export class HomeAssistant {
  /** By component and device; they stay over a restart. */
  readonly entities = new Map<string, Entity>();
  /** What it would refuse, drop or warn of. */
  readonly complaints: string[] = [];
  /** Ids of entities that have come and gone, in their order. */
  readonly history: string[] = [];
  private readonly port: number;
  private readonly templates = new Templates();
  private client: MqttClient | undefined;
  /** Messages are handled one after the other. */
  private work: Promise<void> = Promise.resolve();

  constructor(port: number) {
    this.port = port;
  }

  /** Connects, now and whenever the broker comes back, and says each time that it is online. */
  async start(): Promise<void> {
    const will = { topic: statusTopic, payload: Buffer.from("offline"), qos: 0 as const, retain: false };
    const options = { protocolVersion: 5 as const, reconnectPeriod: 200, resubscribe: false, will };
    const client = mqtt.connect(`mqtt://127.0.0.1:${this.port}`, options);
    this.client = client;
    client.on("error", () => undefined);
    client.on("message", (topic, payload, { retain }) => {
      this.work = this.work.then(() => this.receive(topic, payload.toString(), retain));
    });
    client.on("connect", () => {
      const topics = [...this.entities.values()].flatMap((entity) => entity.topics);
      client.subscribe(["homeassistant/device/+/config", ...new Set(topics)], { qos: 0 });
      client.publish(statusTopic, "online");
    });
    await eventually("Home Assistant is connected", () => client.connected);
  }

  /** Ends without a word: the broker publishes its will. Its entities know nothing any more. */
  async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    // As after a crash.
    client?.stream.destroy();
    await client?.endAsync(true);
    await this.work;
    for (const entity of this.entities.values()) entity.forget();
  }

  async end(): Promise<void> {
    await this.stop();
    this.templates.end();
  }

  /** @param id of the component: `switch:lamp/on`. @throws Error for an unknown one. */
  entity(id: string, device = "hall"): Entity {
    const entity = this.entities.get(`${device} ${id}`);
    if (entity === undefined) throw new Error(`There is no ${id}; there is ${[...this.entities.keys()].join(", ")}.`);
    return entity;
  }

  /** @returns what is shown for an entity. */
  shown(id: string, device = "hall"): string | number | undefined {
    const entity = this.entities.get(`${device} ${id}`);
    if (entity === undefined) return undefined;
    return entity.isAvailable ? entity.state : "unavailable";
  }

  /** Waits until an entity shows something; undefined for one that is gone. */
  async shows(id: string, value: string | number | undefined, device = "hall"): Promise<void> {
    await eventually(
      `${id} shows ${value}; it shows ${this.shown(id, device)}`,
      () => this.shown(id, device) === value,
    );
  }

  /** Does what a person does to an entity. */
  async call(id: string, service: Service, device = "hall"): Promise<void> {
    const { topic, payload } = await this.entity(id, device).call(service);
    this.client?.publish(topic, payload, { qos: 1 });
  }

  private async receive(topic: string, payload: string, retain: boolean): Promise<void> {
    const [, device] = /^homeassistant\/device\/([^/]+)\/config$/.exec(topic) ?? [];
    if (device !== undefined) this.discover(device, topic, payload);
    else {
      for (const entity of this.entities.values()) {
        if (entity.topics.includes(topic)) await entity.receive(topic, payload, retain);
      }
    }
  }

  private discover(device: string, topic: string, payload: string): void {
    if (payload === "") return;
    this.complaints.push(...checkDiscovery(topic, payload));
    for (const component of componentsOf(payload)) {
      const key = `${device} ${component.id}`;
      const known = this.entities.get(key);
      if (component.config === undefined) {
        if (this.entities.delete(key)) this.history.push(`- ${key}`);
      } else if (known === undefined) {
        const entity = new Entity(component, component.config, this.templates);
        this.entities.set(key, entity);
        this.history.push(`+ ${key}`);
        this.client?.subscribe([...entity.topics], { qos: 0 });
      } else if (JSON.stringify(known.config) !== JSON.stringify(component.config)) {
        this.history.push(`~ ${key}`);
      }
    }
  }
}
