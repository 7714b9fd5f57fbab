/** Brokers that people have beside mosquitto. Each takes no message above a size, and none to one topic. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDebian, root } from "../../fleet/brokers/debian.ts";
import { freePort, isListening } from "../../harness/address.ts";
import { eventually } from "../../harness/eventually.ts";
import { top } from "../../harness/top.ts";

/** What a broker refuses. */
export interface Refusals {
  /** Bytes of the longest packet that it takes. */
  readonly size: number;
  /** A topic to which nobody may publish. */
  readonly topic: string;
}

/** Those that log in: the device, and who watches it. Only RabbitMQ asks for the password. */
export const user = "hall";
export const password = "of-the-test";

export interface RealBroker {
  readonly name: string;
  /** Whether it has been fetched. */
  isThere(): boolean;
  /** Fetches it. @throws Error if it cannot be had. */
  fetch(): void;
  /** @returns the command that starts it. @param folder an empty one of its own. */
  command(port: number, refusals: Refusals, folder: string): Promise<readonly [string, ...string[]]>;
}

const sources = join(top, "test/broker/real");
const fetched = join(top, "build/brokers");
const run = (cwd: string, command: string, ...words: readonly string[]): void => {
  mkdirSync(cwd, { recursive: true });
  execFileSync(command, words, { cwd, stdio: ["ignore", "ignore", "pipe"], maxBuffer: 64_000_000 });
};

const hiveMq: RealBroker = {
  name: "HiveMQ CE",
  isThere: () => existsSync(join(fetched, "hivemq/done")),
  fetch() {
    const folder = join(fetched, "hivemq");
    const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
    run(folder, "mvn", "-q", "-B", "-f", join(sources, "pom.xml"), goal, `-DoutputDirectory=${folder}/lib`);
    run(folder, "javac", "-cp", `${folder}/lib/*`, "-d", folder, join(sources, "HiveMq.java"));
    writeFileSync(join(folder, "done"), "");
  },
  async command(port, { size, topic }, folder) {
    const path = `${fetched}/hivemq/lib/*:${fetched}/hivemq`;
    // Else its IPv4 addresses are IPv6 ones to the kernel.
    return [
      "java",
      "-Xmx256m",
      "-Djava.net.preferIPv4Stack=true",
      "-cp",
      path,
      "HiveMq",
      folder,
      String(port),
      String(size),
      topic,
    ];
  },
};

const mochi: RealBroker = {
  name: "mochi-mqtt",
  isThere: () => existsSync(join(fetched, "mochi/mochi")),
  fetch() {
    const folder = join(fetched, "mochi");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(sources, "mochi.go"), join(folder, "main.go"));
    if (!existsSync(join(folder, "go.mod"))) run(folder, "go", "mod", "init", "mochi");
    run(folder, "go", "get", "github.com/mochi-mqtt/server/v2/hooks/auth@v2.7.9");
    run(folder, "go", "build", "-o", "mochi", ".");
  },
  async command(port, { size, topic }) {
    return [join(fetched, "mochi/mochi"), String(port), String(size), topic];
  },
};

/** Users and rights. A topic's levels are separated by dots there. */
function definitions(topic: string): object {
  const salt = Buffer.from("salt");
  const hash = Buffer.concat([salt, createHash("sha256").update(salt).update(password).digest()]);
  const everything = { user, vhost: "/", configure: ".*", write: ".*", read: ".*" };
  const denied = topic.replaceAll("/", "\\.");
  return {
    vhosts: [{ name: "/" }],
    users: [
      {
        name: user,
        password_hash: hash.toString("base64"),
        hashing_algorithm: "rabbit_password_hashing_sha256",
        tags: [],
      },
    ],
    permissions: [everything],
    topic_permissions: [{ user, vhost: "/", exchange: "amq.topic", write: `^(?!${denied}$)`, read: ".*" }],
  };
}

/** That of a newer Debian, because the one before does not speak MQTT 5.0. */
const rabbitMq: RealBroker = {
  name: "RabbitMQ",
  isThere: () => existsSync(root),
  fetch: fetchDebian,
  async command(port, { size, topic }, folder) {
    const home = "/var/lib/rabbitmq";
    writeFileSync(join(folder, "definitions.json"), JSON.stringify(definitions(topic)));
    writeFileSync(join(folder, "enabled_plugins"), "[rabbitmq_mqtt].\n");
    const lines = [
      `listeners.tcp.default = 127.0.0.1:${await freePort()}`,
      `mqtt.listeners.tcp.default = 127.0.0.1:${port}`,
      "mqtt.allow_anonymous = false",
      `mqtt.max_packet_size_authenticated = ${size}`,
      "load_definitions = /etc/rabbitmq/definitions.json",
      "log.console = false",
      "log.file = false",
    ];
    writeFileSync(join(folder, "rabbitmq.conf"), `${lines.join("\n")}\n`);
    // Its mounts and its processes end with the first process.
    const prepare = `mount -t proc proc ${root}/proc && mount --bind /dev ${root}/dev
      for folder in ${home} /var/log /etc/rabbitmq; do mount -t tmpfs nound-broker ${root}$folder || exit; done
      cp ${folder}/* ${root}/etc/rabbitmq && echo 127.0.0.1 localhost > ${folder}/hosts
      mount --bind ${folder}/hosts ${root}/etc/hosts
      exec chroot ${root} env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=${home} \\
        RABBITMQ_NODENAME=broker@localhost RABBITMQ_DIST_PORT=${await freePort()} \\
        RABBITMQ_MNESIA_BASE=${home} RABBITMQ_LOG_BASE=/var/log \\
        RABBITMQ_ENABLED_PLUGINS_FILE=/etc/rabbitmq/enabled_plugins \\
        /usr/lib/rabbitmq/bin/rabbitmq-server`;
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", prepare];
  },
};

export const realBrokers: readonly RealBroker[] = [hiveMq, rabbitMq, mochi];

/** Those that run: they end with this process, however that ends. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a broker, and waits until it listens. @returns its port, and how it is ended. */
export async function startBroker(broker: RealBroker, refusals: Refusals, folder: string) {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const [program, ...words] = await broker.command(port, refusals, folder);
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await eventually(`${broker.name} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${broker.name} has ended at its start, with ${child.exitCode}.`);
    return isListening(`127.0.0.1:${port}`);
  });
  return {
    port,
    stop: async (): Promise<void> => {
      child.kill("SIGKILL");
      await ended;
      running.delete(child);
    },
  };
}
