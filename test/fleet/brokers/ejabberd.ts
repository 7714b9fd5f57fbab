/** Three nodes of ejabberd, with a password and topics for each device, as docs/fleet.md advises. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../harness/eventually.ts";
import { groupNames } from "../devices.ts";
import { controlHost, type Network, run } from "../namespaces.ts";
import { panel } from "../observer.ts";
import type { Seal } from "../seal.ts";
import { inDebian, mountDebian, root } from "./debian.ts";
import type { Account, FleetBroker, NodeAction } from "./fleet-broker.ts";
import { isOpen, NodeProcess } from "./node-process.ts";

const home = "/var/lib/ejabberd";
const names = ["e0", "e1", "e2"] as const;

const own = ["nound/%u", "nound/%u/+/+", "homeassistant/device/%u/config"];

/** Who may use which topics. */
const rights = {
  access_publish: [...own, "nound/%u/+"],
  access_subscribe: [...own, ...groupNames.map((name) => `nound/${name}/+/+`), "homeassistant/status"],
};

const listener = (port: number, more = ""): string =>
  `  - { port: ${port}, ip: "0.0.0.0", module: mod_mqtt, backlog: 1000${more} }\n`;

const configuration = (top: string, listeners: string): string => `${top}loglevel: error
hosts: [localhost]
auth_method: internal
acl:
  panel: { user: ${panel.username} }
access_rules:
  panel: { allow: panel }
listen:
${listeners}modules:
  mod_mqtt:
    match_retained_limit: infinity
    max_queue: infinity
${Object.entries(rights)
  .map(([right, topics]) => `    ${right}: { ${topics.map((topic) => `"${topic}": all, `).join("")}"#": panel }\n`)
  .join("")}`;

export class EjabberdBroker implements FleetBroker {
  readonly name = "ejabberd";
  readonly ports = names.map((_, index) => 1_883 + index);
  readonly devicePorts: readonly number[];
  readonly retains = false;
  readonly newcomers = 800;
  readonly version: string;
  private readonly network: Network;
  private readonly nodes = names.map(() => new NodeProcess());
  /** Nodes that have stored something. */
  private readonly known = new Set<number>();

  constructor(network: Network, accounts: readonly Account[], seal: Seal | undefined) {
    this.network = network;
    this.devicePorts = seal === undefined ? this.ports : names.map((_, index) => seal.port + index);
    mountDebian([home, "/var/log", "/etc/ejabberd"]);
    writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n");
    const users = [...accounts, { user: panel.username, password: panel.password }];
    const terms = users.map(({ user, password }) => `{<<"${user}">>, <<"${password}">>}.\n`);
    writeFileSync(join(root, home, "accounts"), terms.join(""));
    const files = seal?.writeBroker(join(root, "etc/ejabberd"), "/etc/ejabberd");
    for (const [index, name] of names.entries()) {
      const parts =
        files === undefined
          ? { top: "", listener: "" }
          : {
              top: `certfiles: ["${files.certificate}", "${files.key}"]\nca_file: "${files.authority}"\n`,
              listener: listener(this.devicePorts[index] ?? 0, ", tls: true, tls_verify: true"),
            };
      const file = join(root, "etc/ejabberd", `${name}.yml`);
      writeFileSync(file, configuration(parts.top, listener(this.ports[index] ?? 0) + parts.listener));
    }
    this.version = /^Version: ([0-9.]+)/m.exec(run("chroot", root, "dpkg", "-s", "ejabberd"))?.[1] ?? "";
  }

  async start(): Promise<void> {
    await Promise.all(names.map((_, node) => this.act(node, "start")));
  }

  async act(node: number, action: NodeAction): Promise<void> {
    const process = this.nodes[node];
    if (process === undefined) throw new Error(`There is no node ${node}.`);
    switch (action) {
      case "start":
        return this.begin(node, process);
      case "drain":
        return process.act("end");
      case "forget":
        this.known.delete(node);
        return rmSync(join(root, home, names[node] ?? ""), { recursive: true, force: true });
      default:
        return process.act(action);
    }
  }

  private async begin(node: number, process: NodeProcess): Promise<void> {
    const name = names[node] ?? "";
    mkdirSync(join(root, home, name), { recursive: true });
    const environment = {
      HOME: home,
      ERL_LIBS: "/usr/lib/x86_64-linux-gnu",
      EJABBERD_CONFIG_PATH: `/etc/ejabberd/${name}.yml`,
      EJABBERD_LOG_PATH: `/var/log/${name}.log`,
    };
    const words = ["+K", "true", "+P", "250000", "-sname", `${name}@localhost`, "-setcookie", "fleet", "-noinput"];
    const database = ["-mnesia", "dir", `"${home}/${name}"`, "-s", "ejabberd"];
    await process.start(inDebian(this.network, environment, "erl", ...words, ...database), this.ports[node] ?? 0);
    if (this.known.has(node)) return;
    if (node === 0) {
      // A table that a node has begun to copy may lose what is written to it.
      await eventually("the others have joined", () => this.known.size === names.length - 1);
      this.register();
    } else {
      await eventually("the first node is open", () => isOpen(controlHost, this.ports[0] ?? 0));
      // The port is open before ejabberd has started. It cannot be joined, which restarts it, while it starts.
      this.call(node, "application, ensure_started, [ejabberd]");
      this.call(node, "ejabberd_cluster, join, ['e0@localhost']");
    }
    this.known.add(node);
  }

  private register(): void {
    const each = 'ejabberd_auth, try_register, [User, <<"localhost">>, Password]';
    this.evaluate(
      `{ok, All} = file:consult("${home}/accounts"), ` +
        `[ok = rpc:call('e0@localhost', ${each}) || {User, Password} <- All]`,
    );
  }

  private call(node: number, what: string): void {
    this.evaluate(`ok = rpc:call('${names[node]}@localhost', ${what})`);
  }

  private evaluate(text: string): void {
    const words = ["-sname", "control@localhost", "-setcookie", "fleet", "-noinput", "-eval", `${text}, halt().`];
    const [command, ...all] = inDebian(this.network, { HOME: home, ERL_CRASH_DUMP: "/dev/null" }, "erl", ...words);
    run(command, ...all);
  }
}
