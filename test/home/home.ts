/** A Home Assistant that runs: its REST and its WebSocket interface, as its own pages use them. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { folder, run } from "../fleet/namespaces.ts";
import { freePort } from "../harness/address.ts";
import type { Mosquitto } from "../harness/mosquitto.ts";
import { integrations, newest, rootOf, type Version } from "./installation.ts";

/** JSON of an answer. */
export type Json = { readonly [key: string]: unknown };

/** An entity's state, as Home Assistant has it. */
export interface State {
  readonly entity_id: string;
  readonly state: string;
  readonly attributes: Json;
  /** When the state was made, as ISO 8601. */
  readonly last_updated: string;
}

/** An entity of the registry. */
export interface Registered {
  readonly entity_id: string;
  readonly unique_id: string;
  readonly device_id: string | null;
  readonly entity_category: string | null;
  readonly disabled_by: string | null;
  readonly original_name: string | null;
}

/** A device of the registry. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly identifiers: readonly (readonly [string, string])[];
  readonly config_entries: readonly string[];
  readonly [key: string]: unknown;
}

/** A change of a state; when Home Assistant made it, in ms since 1970, and when it was heard of, by performance.now(). */
export interface Change {
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly made: number;
  readonly at: number;
}

/** A message of the WebSocket interface. */
interface Message {
  readonly id?: number;
  readonly type: string;
  readonly success?: boolean;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly event?: { readonly event_type?: string; readonly data?: Json };
}

/** @returns a configuration of only what has been fetched. @param host where it listens; everywhere if left out. */
export const configuration = (port: number, host?: string): string =>
  [
    "homeassistant:",
    "  name: Test",
    "  unit_system: metric",
    "  time_zone: Etc/UTC",
    "  country: GB",
    "  currency: EUR",
    ...integrations
      .filter((name) => !["http", "recorder", "automation", "mqtt"].includes(name))
      .map((name) => `${name}:`),
    "http:",
    ...(host === undefined ? [] : [`  server_host: ${host}`]),
    `  server_port: ${port}`,
    "recorder:",
    "  commit_interval: 0",
    "automation: !include automations.yaml",
    "",
  ].join("\n");

/** All that run: they end with this process, however that ends. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export class Home {
  readonly version: Version;
  readonly port: number;
  /** What is known of all entities. */
  readonly states = new Map<string, State>();
  /** All changes since the first start. */
  readonly changes: Change[] = [];
  /** All other events, by type. */
  readonly events: { readonly type: string; readonly data: Json; readonly at: number }[] = [];
  /** All lines of its log. */
  readonly log: string[] = [];
  token = "";
  /** What its page keeps of a user who has logged in. */
  tokens = "";
  private readonly automations: string[] = [];
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();
  private socket: WebSocket | undefined;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private last = 0;

  private constructor(version: Version, port: number) {
    this.version = version;
    this.port = port;
  }

  /** Starts one that knows nothing, makes its first user, and connects it to a broker, as a person does. */
  static async start(version: Version, broker: Mosquitto): Promise<Home> {
    const home = new Home(version, await freePort());
    home.prepare();
    await home.run();
    await home.enter();
    // That of the first page ends after half an hour.
    home.token = await home.ask<string>("auth/long_lived_access_token", { client_name: "test", lifespan: 1 });
    // A new address is taken back after five minutes, unless its user confirms it.
    if (version === newest) await home.ask("http/config/promote");
    await home.addMqtt({ port: broker.port });
    return home;
  }

  /** Waits for one that another program has started, and makes its first user. @param log gives what it has said. */
  static async join(version: Version, port: number, log: () => string): Promise<Home> {
    const home = new Home(version, port);
    await until("Home Assistant answers", () => home.answers(), log, startTime);
    await home.enter();
    return home;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @returns whether it answers, after a moment. */
  private async answers(): Promise<boolean> {
    await delay(100);
    return fetch(`${this.url}/manifest.json`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private async enter(): Promise<void> {
    await this.onboard();
    await this.connect();
  }

  /** Starts it again, and waits until it is ready. */
  async run(): Promise<void> {
    const root = rootOf(this.version);
    const environment = ["-i", "PATH=/home-assistant/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"];
    const hass = ["/home-assistant/bin/hass", "--config", "/config", "--skip-pip", "--log-no-color"];
    const child = spawn("chroot", [root, "env", ...environment, ...hass], { stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    running.add(child);
    this.ended = new Promise((resolve) => child.once("close", resolve));
    child.once("close", () => running.delete(child));
    let rest = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        this.log.push(...lines);
      });
    }
    const answers = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`Home Assistant has ended:\n${this.log.slice(-40).join("\n")}`);
      return this.answers();
    };
    await until("Home Assistant answers", answers, () => `it has said ${this.log.slice(-40).join("\n")}`, startTime);
    if (this.token !== "") await this.connect();
  }

  /** @param name SIGTERM for an end in order. */
  async stop(name: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.socket?.close();
    this.socket = undefined;
    this.child?.kill(name);
    await this.ended;
  }

  /** Asks the REST interface. @throws Error with its answer, unless that is a success. */
  async rest(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Json);
  }

  /** Asks the WebSocket interface. @throws Error with its answer, unless that is a success. */
  async ask<T>(type: string, more: object = {}): Promise<T> {
    const id = ++this.last;
    const { socket } = this;
    if (socket === undefined) throw new Error("Home Assistant does not run.");
    const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, type, ...more }));
    const { success, result, error } = await answer;
    if (success !== true) throw new Error(`${type} ${JSON.stringify(more)}: ${error?.code} ${error?.message}`);
    return result as T;
  }

  /** Calls a service, and waits until it is done. @param target an entity, or another target. */
  async call(service: string, target: string | Json, data: object = {}): Promise<void> {
    const [domain, name] = service.split(".");
    const named = typeof target === "string" ? { entity_id: target } : target;
    await this.ask("call_service", { domain, service: name, service_data: data, target: named });
  }

  state(id: string): string | undefined {
    return this.states.get(id)?.state;
  }

  attribute(id: string, name: string): unknown {
    return this.states.get(id)?.attributes[name];
  }

  /** Waits until an entity has a state; undefined for one that is gone. */
  async shows(id: string, state: string | undefined): Promise<void> {
    await until(
      `${id} is ${state}`,
      () => this.state(id) === state,
      () => `it is ${this.state(id)}`,
    );
  }

  /** @returns all entities of its registry, by the ids that nound gave them without the device's. */
  async entities(device: string): Promise<readonly Registered[]> {
    const all = await this.ask<readonly Registered[]>("config/entity_registry/list");
    const ids = (await this.devices()).filter(({ identifiers }) => identifiers.some(([, id]) => id === device));
    return all.filter(({ device_id: id }) => ids.some((one) => one.id === id));
  }

  async devices(): Promise<readonly Device[]> {
    const all = await this.ask<readonly Device[]>("config/device_registry/list");
    return all.filter(({ identifiers }) => identifiers.some(([domain]) => domain === "mqtt"));
  }

  /** Makes an automation. @returns its entity's id. */
  async automate(id: string, automation: object): Promise<string> {
    await this.rest("POST", `/api/config/automation/config/${id}`, {
      alias: id,
      mode: "queued",
      max: 50,
      ...automation,
    });
    this.automations.push(id);
    const entity = `automation.${id}`;
    await this.shows(entity, "on");
    return entity;
  }

  /** Deletes all automations: one that waits for a device that is gone is a mistake at the next start. */
  async forget(): Promise<void> {
    for (const id of this.automations.splice(0)) await this.rest("DELETE", `/api/config/automation/config/${id}`);
  }

  /**
   * @returns what its log has that warns and has a word, each with the end of its traceback. Left out is a service for
   *   what has just become unavailable: a case that calls one before a restart may be too late.
   */
  complaints(word: RegExp, since = 0): readonly string[] {
    const lines = this.log.slice(since);
    const isMeant = (line: string): boolean =>
      /\b(?:WARNING|ERROR|CRITICAL)\b/.test(line) && word.test(line) && !/not currently available$/.test(line);
    return lines.flatMap((line, index) => {
      if (!isMeant(line)) return [];
      const rest = lines.slice(index + 1);
      const end = rest.findIndex((one) => /^\d{4}-\d\d-\d\d /.test(one));
      return [line, ...rest.slice(0, end < 0 ? rest.length : end).slice(-3)].join("\n  ");
    });
  }

  private prepare(): void {
    const config = join(folder, `home-${this.version.name}`);
    const root = rootOf(this.version);
    rmSync(config, { recursive: true, force: true });
    for (const path of [config, join(root, "config")]) mkdirSync(path, { recursive: true });
    writeFileSync(join(config, "configuration.yaml"), configuration(this.port, "127.0.0.1"));
    writeFileSync(join(config, "automations.yaml"), "[]\n");
    run("mount", "--bind", config, join(root, "config"));
    for (const name of ["proc", "sys", "dev"]) {
      if (!existsSync(join(root, name, name === "proc" ? "self" : name === "dev" ? "null" : "kernel")))
        run("mount", "--rbind", `/${name}`, join(root, name));
    }
  }

  /** Makes its first user, as its first page does. */
  private async onboard(): Promise<void> {
    const client = `${this.url}/`;
    const user = { name: "Test", username: "test", password: "lamp-9-heron", language: "en" };
    const { auth_code: code } = await this.rest("POST", "/api/onboarding/users", { client_id: client, ...user });
    const grant = new URLSearchParams({ grant_type: "authorization_code", code: String(code), client_id: client });
    const answer = await fetch(`${this.url}/auth/token`, { method: "POST", body: grant });
    const tokens = (await answer.json()) as { readonly access_token: string; readonly expires_in: number };
    this.token = tokens.access_token;
    const expires = Date.now() + tokens.expires_in * 1_000;
    this.tokens = JSON.stringify({ ...tokens, hassUrl: this.url, clientId: client, expires });
    for (const step of ["core_config", "analytics"]) {
      // It also sets up integrations that have not been fetched.
      await this.rest("POST", `/api/onboarding/${step}`, {}).catch(() => undefined);
    }
    await this.rest("POST", "/api/onboarding/integration", { client_id: client, redirect_uri: client });
  }

  /** Forgets its broker, and all that came from there. */
  async removeMqtt(): Promise<void> {
    const entries = await this.ask<readonly { entry_id: string }[]>("config_entries/get", { domain: "mqtt" });
    for (const { entry_id: id } of entries) await this.rest("DELETE", `/api/config/config_entries/entry/${id}`);
  }

  /** Goes through the dialogue of the MQTT integration. */
  async addMqtt(answers: {
    readonly broker?: string;
    readonly port: number;
    readonly username?: string;
    readonly password?: string;
  }): Promise<void> {
    const flows = "/api/config/config_entries/flow";
    let step = await this.rest("POST", flows, { handler: "mqtt", show_advanced_options: false });
    for (let count = 0; step["type"] !== "create_entry"; count++) {
      if (step["type"] !== "form" || count > 2) throw new Error(`The dialogue of MQTT: ${JSON.stringify(step)}`);
      const fields = (step["data_schema"] as readonly { readonly name: string }[]).map(({ name }) => name);
      const other = { set_client_cert: false, set_ca_cert: "off", transport: "tcp" };
      const nested = fields.includes("other_settings") && { other_settings: other };
      step = await this.rest("POST", `${flows}/${step["flow_id"]}`, { broker: "127.0.0.1", ...answers, ...nested });
    }
    await until("MQTT is loaded", async () => {
      const entries = await this.ask<readonly { state: string }[]>("config_entries/get", { domain: "mqtt" });
      return entries[0]?.state === "loaded";
    });
  }

  /** Opens the WebSocket, and hears of all changes. */
  private async connect(): Promise<void> {
    await until("Home Assistant takes a WebSocket", async () => {
      this.socket = await this.open();
      if (this.socket === undefined) await delay(100);
      return this.socket !== undefined;
    });
    if (this.last === 0) this.last = 1;
    await this.ask("subscribe_events");
    const isRunning = async () => (await this.ask<{ state: string }>("get_config")).state === "RUNNING";
    await until("Home Assistant has started", isRunning, () => this.log.slice(-20).join("\n"), startTime);
    this.states.clear();
    for (const state of await this.ask<readonly State[]>("get_states")) this.states.set(state.entity_id, state);
  }

  private open(): Promise<WebSocket | undefined> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.port}/api/websocket`);
      socket.addEventListener("error", () => resolve(undefined));
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as Message;
        if (message.type === "auth_required") socket.send(JSON.stringify({ type: "auth", access_token: this.token }));
        else if (message.type === "auth_ok") resolve(socket);
        else if (message.type === "event") this.hear(message);
        else if (message.id !== undefined) {
          this.waiting.get(message.id)?.(message);
          this.waiting.delete(message.id);
        }
      });
    });
  }

  private hear({ event }: Message): void {
    const { event_type: type = "", data = {} } = event ?? {};
    const at = performance.now();
    if (type !== "state_changed") {
      this.events.push({ type, data, at });
      return;
    }
    const {
      entity_id: id,
      old_state: before,
      new_state: now,
    } = data as unknown as {
      readonly entity_id: string;
      readonly old_state: State | null;
      readonly new_state: State | null;
    };
    if (now === null) this.states.delete(id);
    else this.states.set(id, now);
    const made = now === null ? Number.NaN : momentOf(now.last_updated);
    this.changes.push({ id, from: before?.state, to: now?.state, made, at });
  }
}

/** @returns ms since 1970. @param stamp with microseconds, which Date would drop. */
function momentOf(stamp: string): number {
  const [, seconds = "", part = "0"] = /^([^.]*?)(\.\d+)?(?:\+00:00)?$/.exec(stamp) ?? [];
  return Date.parse(`${seconds}Z`) + Number(part) * 1_000;
}

/** ms that a case waits for an event at most, and for a start of Home Assistant. */
const patience = 30_000;
const startTime = 90_000;

/** Waits until something holds, for much shorter than tests that no clock judges. @param seen what is so instead. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seen: () => string | Promise<string> = () => "",
  time = patience,
): Promise<void> {
  for (const end = performance.now() + time; performance.now() < end; await delay(2)) if (await holds()) return;
  throw new Error(`waited in vain: ${what}; ${await seen()}`);
}
