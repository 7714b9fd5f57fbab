/**
 * Entities as Home Assistant has them: what they make of messages, and what they send. After the sources that words.ts
 * names, in our own form.
 */
import type { JsonObject, ReadComponent } from "./checker.ts";
import type { Templates } from "./templates.ts";

/** What an entity publishes. */
export interface Command {
  readonly topic: string;
  readonly payload: string;
}

/** A service: what a person does to an entity. */
export type Service =
  | { readonly do: "turn_on" | "turn_off" | "press" }
  | { readonly do: "set"; readonly value: string | number };

/** What is shown for a value that is not known. */
export const unknown = "unknown";

export class Entity {
  readonly id: string;
  readonly platform: string;
  readonly config: JsonObject;
  /** As Home Assistant shows it: a text, or the number of a brightness beside "on". */
  state: string | number = unknown;
  brightness: number | undefined;
  /** The types of events that have happened. */
  readonly events: string[] = [];
  /** What Home Assistant would write to its log. */
  readonly complaints: string[] = [];
  private readonly templates: Templates;
  private readonly availabilities = new Map<string, boolean>();

  constructor({ id, platform }: ReadComponent, config: JsonObject, templates: Templates) {
    this.id = id;
    this.platform = platform;
    this.config = config;
    this.templates = templates;
  }

  /** All topics that it subscribes to. */
  get topics(): readonly string[] {
    const entries = (this.config["availability"] ?? []) as readonly JsonObject[];
    const states = ["state_topic", "brightness_state_topic"].flatMap((key) => this.text(key) ?? []);
    return [...new Set([...states, ...entries.map(({ topic }) => String(topic))])];
  }

  get isAvailable(): boolean {
    const entries = (this.config["availability"] ?? []) as readonly JsonObject[];
    return entries.every(({ topic }) => this.availabilities.get(String(topic)) === true);
  }

  /** It knows nothing any more, as after a start. */
  forget(): void {
    this.availabilities.clear();
    this.state = unknown;
  }

  async receive(topic: string, payload: string, retain: boolean): Promise<void> {
    try {
      await this.receiveAvailability(topic, payload);
      if (topic === this.text("state_topic")) await this.receiveState(payload, retain);
      if (topic === this.text("brightness_state_topic")) await this.receiveBrightness(payload);
    } catch (error) {
      this.complaints.push(String(error));
    }
  }

  /** @returns what it publishes. @throws Error for a value that Home Assistant does not let through. */
  async call(service: Service): Promise<Command> {
    if (service.do === "set") return await this.set(service.value);
    const { platform } = this;
    if (platform === "light" && service.do === "turn_on" && this.text("on_command_type") === "brightness") {
      return await this.set(this.brightness ?? 255);
    }
    const key = { turn_on: "payload_on", turn_off: "payload_off", press: "payload_press" }[service.do];
    return { topic: this.text("command_topic") ?? "", payload: this.text(key) ?? "" };
  }

  private text(key: string): string | undefined {
    const value = this.config[key];
    return typeof value === "string" ? value : undefined;
  }

  private async set(value: string | number): Promise<Command> {
    const prefix = this.platform === "light" ? "brightness_" : "";
    const sent = this.platform === "light" ? this.scaled(Number(value)) : value;
    this.check(sent);
    return {
      topic: this.text(`${prefix}command_topic`) ?? "",
      payload: await this.templates.render(this.text(`${prefix}command_template`) ?? "{{ value }}", sent),
    };
  }

  /** Not 0, which would turn it off. */
  private scaled(brightness: number): number {
    const scale = Number(this.config["brightness_scale"]);
    return Math.max(1, Math.min(scale, Math.round((brightness / 255) * scale)));
  }

  private check(value: string | number): void {
    const { min, max, options } = this.config;
    const length = Array.from(String(value)).length;
    const isRefused =
      (this.platform === "select" && !(options as readonly string[]).includes(String(value))) ||
      (this.platform === "number" && !(Number(value) >= Number(min) && Number(value) <= Number(max))) ||
      (this.platform === "text" && length > Number(max ?? 255));
    if (isRefused) throw new Error(`${this.id} does not take ${value}`);
  }

  private async receiveAvailability(topic: string, payload: string): Promise<void> {
    const entries = (this.config["availability"] ?? []) as readonly JsonObject[];
    for (const entry of entries.filter((one) => one["topic"] === topic)) {
      const { value_template: template = "{{ value }}", payload_available: on = "online" } = entry;
      const text = await this.templates.render(String(template), payload);
      if (text === on || text === (entry["payload_not_available"] ?? "offline")) {
        this.availabilities.set(topic, text === on);
      } else this.complaints.push(`the availability ${text}`);
    }
  }

  private async receiveBrightness(payload: string): Promise<void> {
    const text = await this.templates.render(this.text("brightness_value_template") ?? "{{ value }}", payload);
    if (text === "" || Number(text) === 0) return;
    this.brightness = Math.min(255, Math.round((Number(text) / Number(this.config["brightness_scale"])) * 255));
  }

  private async receiveState(payload: string, retain: boolean): Promise<void> {
    const key = this.platform === "light" ? "state_value_template" : "value_template";
    const text = await this.templates.render(this.text(key) ?? "{{ value }}", payload);
    if (this.platform === "event") this.receiveEvent(text, retain);
    else if (text !== "") this.state = this.stateOf(text);
    else if (this.platform === "text" || (this.platform === "sensor" && !this.isNumeric)) this.state = "";
  }

  private get isNumeric(): boolean {
    const { state_class: stateClass, unit_of_measurement: unit, device_class: deviceClass } = this.config;
    return stateClass !== undefined || unit !== undefined || (deviceClass !== undefined && deviceClass !== "enum");
  }

  private receiveEvent(text: string, retain: boolean): void {
    if (retain) return;
    const { event_type: type } = JSON.parse(text) as { event_type?: unknown };
    const types = this.config["event_types"] as readonly string[];
    if (types.includes(String(type))) this.events.push(String(type));
    else this.complaints.push(`the event ${text}`);
  }

  /** @returns the state that a text stands for. A wrong one is complained of and changes nothing. */
  private stateOf(text: string): string | number {
    const { payload_on: on = "ON", payload_off: off = "OFF", state_on = on, state_off = off } = this.config;
    switch (this.platform) {
      case "switch":
      case "light":
      case "binary_sensor": {
        if (text === state_on) return "on";
        if (text === state_off) return "off";
        return text === "None" ? unknown : this.complain(text);
      }
      case "number":
        if (text === "None") return unknown;
        return this.numberOf(text, Number(this.config["min"] ?? 1), Number(this.config["max"] ?? 100));
      case "select":
        if (text.toLowerCase() === "none") return unknown;
        return (this.config["options"] as readonly string[]).includes(text) ? text : this.complain(text);
      case "sensor": {
        const { options } = this.config;
        if (text === "None" || text === "{}") return unknown;
        if (this.isNumeric) return this.numberOf(text, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
        if (options !== undefined && !(options as readonly string[]).includes(text)) return this.complain(text);
        return Array.from(text).length > 255 ? this.complain(text) : text;
      }
      case "time":
        if (text === "None") return unknown;
        return /^\d\d:\d\d(:\d\d)?$/.test(text) ? text : this.complain(text);
      default:
        return Array.from(text).length > 255 ? this.complain(text) : text;
    }
  }

  private numberOf(text: string, minimum: number, maximum: number): string | number {
    const number = Number(text);
    return Number.isFinite(number) && number >= minimum && number <= maximum ? number : this.complain(text);
  }

  private complain(text: string): string | number {
    this.complaints.push(`the state ${text}`);
    return this.state;
  }
}
