/** Three nodes of RabbitMQ, with a password and topics for each device, as docs/fleet.md advises. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { groupNames } from "../devices.ts";
import { type Network, run } from "../namespaces.ts";
import { panel } from "../observer.ts";
import type { Seal } from "../seal.ts";
import { inDebian, mountDebian, root } from "./debian.ts";
import type { Account, FleetBroker, NodeAction } from "./fleet-broker.ts";
import { NodeProcess } from "./node-process.ts";

const programs = "/usr/lib/rabbitmq/bin";
const home = "/var/lib/rabbitmq";
const names = ["n0", "n1", "n2"] as const;

/** ms until a drained node has published the wills of its devices. */
const willTime = 15_000;

/** As `rabbitmqctl hash_password` does it. */
function hash(password: string): string {
  const salt = randomBytes(4);
  return Buffer.concat([salt, createHash("sha256").update(salt).update(password).digest()]).toString("base64");
}

/** Users, and what each may do. A topic's levels are separated by dots there. */
function definitions(accounts: readonly Account[]): object {
  const mine = `(nound\\.({username}|${groupNames.join("|")})|homeassistant\\.device\\.{username}\\.config)`;
  const every = {
    vhost: "/",
    configure: "^mqtt-(sub|will)",
    write: "^(mqtt-(sub|will)|amq\\.(topic|default))",
    read: "^(mqtt-(sub|will)|amq\\.topic)",
  };
  const own = {
    vhost: "/",
    exchange: "amq.topic",
    write: `^${mine.replace(`({username}|${groupNames.join("|")})`, "{username}")}(\\..*)?$`,
    read: `^(${mine}(\\..*)?|homeassistant\\.status)$`,
  };
  const everything = { vhost: "/", exchange: "amq.topic", write: ".*", read: ".*" };
  const users = [...accounts, { user: panel.username, password: panel.password }];
  return {
    vhosts: [{ name: "/" }],
    users: users.map(({ user, password }) => ({
      name: user,
      password_hash: hash(password),
      hashing_algorithm: "rabbit_password_hashing_sha256",
      tags: [],
    })),
    permissions: users.map(({ user }) => ({ user, ...every })),
    topic_permissions: [...accounts.map(({ user }) => ({ user, ...own })), { user: panel.username, ...everything }],
  };
}

const sealed = ({ authority, certificate, key }: ReturnType<Seal["writeBroker"]>, port: number): readonly string[] => [
  `mqtt.listeners.ssl.default = ${port}`,
  `ssl_options.cacertfile = ${authority}`,
  `ssl_options.certfile = ${certificate}`,
  `ssl_options.keyfile = ${key}`,
  "ssl_options.verify = verify_peer",
  "ssl_options.fail_if_no_peer_cert = true",
];

export class RabbitMqBroker implements FleetBroker {
  readonly name: string;
  readonly ports = names.map((_, index) => 1_883 + index);
  readonly devicePorts: readonly number[];
  readonly retains = false;
  // For each it makes a queue, on three nodes.
  readonly newcomers = 200;
  readonly version: string;
  private readonly network: Network;
  private readonly nodes = names.map(() => new NodeProcess());
  private readonly drained = new Set<number>();
  private readonly queues: "classic" | "quorum";
  private hasKhepri = false;

  /** @param queues that keep the messages of a session. */
  constructor(network: Network, accounts: readonly Account[], seal: Seal | undefined, queues: "classic" | "quorum") {
    this.network = network;
    this.devicePorts = seal === undefined ? this.ports : names.map((_, index) => seal.port + index);
    this.queues = queues;
    this.name = `RabbitMQ, ${queues} queues`;
    mountDebian([home, "/var/log", "/etc/rabbitmq"]);
    writeFileSync(join(root, home, ".erlang.cookie"), "fleet", { mode: 0o400 });
    writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n");
    const etc = join(root, "etc/rabbitmq");
    writeFileSync(join(etc, "enabled_plugins"), "[rabbitmq_mqtt].\n");
    writeFileSync(join(etc, "definitions.json"), JSON.stringify(definitions(accounts)));
    const files = seal?.writeBroker(etc, "/etc/rabbitmq");
    for (const [index, name] of names.entries()) {
      const lines = [
        `listeners.tcp.default = 127.0.0.1:${5_672 + index}`,
        `mqtt.listeners.tcp.default = ${this.ports[index]}`,
        ...(files === undefined ? [] : sealed(files, this.devicePorts[index] ?? 0)),
        "mqtt.allow_anonymous = false",
        // A session in a classic queue is on one node alone, and no other node accepts its device while that is away.
        queues === "classic" ? "mqtt.max_session_expiry_interval_seconds = 0" : "mqtt.durable_queue_type = quorum",
        "load_definitions = /etc/rabbitmq/definitions.json",
        "cluster_formation.peer_discovery_backend = classic_config",
        ...names.map((peer, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${peer}@localhost`),
        "log.console = false",
        "log.file.level = warning",
      ];
      writeFileSync(join(etc, `${name}.conf`), `${lines.join("\n")}\n`);
    }
    this.version = /^Version: ([0-9.]+)/m.exec(run("chroot", root, "dpkg", "-s", "rabbitmq-server"))?.[1] ?? "";
  }

  async start(): Promise<void> {
    // They wait for one another, and make a cluster.
    await Promise.all(names.map((_, node) => this.act(node, "start")));
  }

  async act(node: number, action: NodeAction): Promise<void> {
    const process = this.nodes[node];
    if (process === undefined) throw new Error(`There is no node ${node}.`);
    switch (action) {
      case "start":
        if (this.drained.delete(node)) this.control(node, "rabbitmq-upgrade", "revive");
        else await this.begin(node, process);
        return;
      case "drain":
        this.drained.add(node);
        this.control(node, "rabbitmq-upgrade", "drain");
        return;
      case "end":
        // One that ends at once keeps the wills of its devices, and the others refuse these until it is back.
        this.control(node, "rabbitmq-upgrade", "drain");
        await delay(willTime);
        return process.act("end");
      case "forget":
        this.hasKhepri = false;
        return rmSync(join(root, home, names[node] ?? ""), { recursive: true, force: true });
      default:
        return process.act(action);
    }
  }

  private async begin(node: number, process: NodeProcess): Promise<void> {
    const name = names[node] ?? "";
    mkdirSync(join(root, home, name), { recursive: true });
    const environment = {
      ...this.environment(node),
      RABBITMQ_CONFIG_FILE: `/etc/rabbitmq/${name}.conf`,
      RABBITMQ_DIST_PORT: String(25_672 + node),
      RABBITMQ_MNESIA_BASE: `${home}/${name}`,
      RABBITMQ_LOG_BASE: "/var/log",
      RABBITMQ_ENABLED_PLUGINS_FILE: "/etc/rabbitmq/enabled_plugins",
      // Makes the process of the script that of the node.
      NOTIFY_SOCKET: "/run/none",
    };
    const command = inDebian(this.network, environment, `${programs}/rabbitmq-server`, "-noinput");
    await process.start(command, this.ports[node] ?? 0);
    if (node === 0 && this.queues === "classic" && !this.hasKhepri) this.enableKhepri();
  }

  /** Mnesia, the default of 4.0, loses the way to some queues of a shared topic when many come and go at once. */
  private enableKhepri(): void {
    for (const node of names.keys()) this.control(node, "rabbitmqctl", "await_startup");
    this.control(0, "rabbitmqctl", "await_online_nodes", String(names.length));
    this.control(0, "rabbitmqctl", "enable_feature_flag", "--opt-in", "khepri_db");
    this.hasKhepri = true;
  }

  private environment(node: number): Readonly<Record<string, string>> {
    return { HOME: home, LANG: "C.UTF-8", RABBITMQ_NODENAME: `${names[node]}@localhost` };
  }

  private control(node: number, program: string, ...words: readonly string[]): void {
    const [command, ...all] = inDebian(this.network, this.environment(node), `${programs}/${program}`, ...words);
    run(command, ...all);
  }
}
