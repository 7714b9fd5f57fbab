/** A client at the broker that knows what every device has published, as Home Assistant and a panel do. */
import mqtt, { type MqttClient } from "mqtt";
import { must } from "../broker/case.ts";
import { type Device, nounCount } from "./devices.ts";
import { controlHost } from "./namespaces.ts";

/** ms between two attempts to connect. */
const retryTime = 200;

/** What is known of a device. */
export interface View {
  status: string;
  readonly states: Map<string, string>;
  discovery: string;
  /** Messages since the mark that were no old ones: any, those of its status, and its discovery. */
  heard: number;
  notices: number;
  announcements: number;
}

/** Who it is at the broker. */
export const panel = { username: "panel", password: "lamp-9-heron" } as const;

export class Observer {
  private readonly client: MqttClient;
  private readonly views = new Map<string, View>();
  /** What is published once it hears the answers. */
  private readonly waiting: Parameters<Observer["publish"]>[] = [];
  private isSubscribed = false;
  /** When it last asked all devices to publish everything. */
  lastBirth = Number.NEGATIVE_INFINITY;

  private constructor(client: MqttClient, greets: boolean) {
    this.client = client;
    client.on("message", (topic, payload, { retain }) => this.take(topic, payload.toString(), retain));
    client.on("error", () => undefined);
    client.on("close", () => {
      this.isSubscribed = false;
    });
    client.on("connect", () => {
      this.views.clear();
      client.subscribe(["nound/+", "nound/+/+", "homeassistant/device/+/config"], { qos: 1 }, (error) => {
        if (error != null) return;
        this.isSubscribed = true;
        if (greets) this.birth();
        for (const message of this.waiting.splice(0)) this.publish(...message);
      });
    });
  }

  /**
   * @param ports of the brokers, tried in turn.
   * @param greets whether it asks all devices to publish everything whenever it has connected.
   */
  static connect(ports: readonly number[], greets: boolean): Observer {
    const client = mqtt.connect({
      servers: ports.map((port) => ({ host: controlHost, port, protocol: "mqtt" as const })),
      protocolVersion: 5,
      reconnectPeriod: retryTime,
      reconnectOnConnackError: true,
      connectTimeout: 5_000,
      keepalive: 20,
      ...panel,
      properties: { receiveMaximum: 65_535 },
    });
    return new Observer(client, greets);
  }

  /** @returns whether it knows the state of every noun of devices. */
  knows(devices: readonly Device[]): boolean {
    return devices.every(({ id }) => this.view(id).states.size === nounCount && this.view(id).status === "online");
  }

  view(id: string): View {
    const known = this.views.get(id);
    if (known !== undefined) return known;
    const view = { status: "", states: new Map(), discovery: "", heard: 0, notices: 0, announcements: 0 };
    this.views.set(id, view);
    return view;
  }

  /** Counts messages from now on. */
  mark(): void {
    for (const view of this.views.values()) view.heard = view.notices = view.announcements = 0;
  }

  /** Publishes a message as soon as there is a broker. */
  publish(topic: string, payload: string, qos: 0 | 1, retain = false): void {
    if (this.isSubscribed) this.client.publish(topic, payload, { qos, retain }, () => undefined);
    else this.waiting.push([topic, payload, qos, retain]);
  }

  /** Says what Home Assistant says when it has started. */
  birth(): void {
    this.lastBirth = performance.now();
    this.publish("homeassistant/status", "online", 1);
  }

  async end(): Promise<void> {
    await this.client.endAsync(true);
  }

  private take(topic: string, payload: string, retain: boolean): void {
    const [first = "", second = "", third, fourth] = topic.split("/");
    if (first === "homeassistant") {
      must(second === "device" && fourth === "config", `Something is published to ${topic}.`);
      const view = this.view(third ?? "");
      view.discovery = payload;
      if (!retain) view.announcements += 1;
      return;
    }
    const view = this.view(second);
    if (!retain) view.heard += 1;
    if (third !== undefined) {
      view.states.set(third, payload);
      return;
    }
    view.status = payload;
    if (!retain) view.notices += 1;
  }
}
