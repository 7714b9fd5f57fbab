/** One mosquitto, with a password and topics for each device, as docs/fleet.md advises. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { groupNames } from "../devices.ts";
import { brokerHost, controlHost, folder, type Network, run } from "../namespaces.ts";
import { panel } from "../observer.ts";
import type { Seal } from "../seal.ts";
import type { Account, FleetBroker, NodeAction } from "./fleet-broker.ts";
import { NodeProcess } from "./node-process.ts";

const program = "/usr/sbin/mosquitto";
const port = 1_883;

const acl = `pattern readwrite nound/%u
pattern write nound/%u/+
pattern write nound/%u/+/problem
pattern write nound/%u/+/event
${["%u", ...groupNames].map((name) => `pattern read nound/${name}/+/+\n`).join("")}
pattern readwrite homeassistant/device/%u/config
pattern read homeassistant/status

user ${panel.username}
topic readwrite #
`;

const sealed = ({ authority, certificate, key }: ReturnType<Seal["writeBroker"]>): readonly string[] => [
  `cafile ${authority}`,
  `certfile ${certificate}`,
  `keyfile ${key}`,
  "require_certificate true",
];

export class MosquittoBroker implements FleetBroker {
  readonly name = "mosquitto";
  readonly ports = [port];
  readonly devicePorts: readonly number[];
  readonly retains = true;
  readonly newcomers = 1600;
  private readonly network: Network;
  private readonly store = join(folder, "mosquitto");
  private readonly process = new NodeProcess();

  constructor(network: Network, accounts: readonly Account[], seal: Seal | undefined) {
    this.network = network;
    this.devicePorts = [seal?.port ?? port];
    mkdirSync(this.store);
    const passwords = this.file("passwords");
    const all = [...accounts, { user: panel.username, password: panel.password }];
    writeFileSync(passwords, all.map(({ user, password }) => `${user}:${password}\n`).join(""));
    run("mosquitto_passwd", "-U", passwords);
    writeFileSync(this.file("acl"), acl);
    const lines = [
      `listener ${port} ${controlHost}`,
      `listener ${this.devicePorts[0]} ${brokerHost}`,
      ...(seal === undefined ? [] : sealed(seal.writeBroker(folder))),
      "allow_anonymous false",
      `password_file ${passwords}`,
      `acl_file ${this.file("acl")}`,
      "persistence true",
      `persistence_location ${this.store}/`,
      "set_tcp_nodelay true",
      // For the observer, to which a message of each device comes at once.
      "max_queued_messages 0",
      "max_inflight_messages 0",
      "user root",
      "log_type none",
    ];
    writeFileSync(this.file("conf"), `${lines.join("\n")}\n`);
  }

  get version(): string {
    return /version (\S+)/.exec(run("sh", "-c", `${program} -h || true`))?.[1] ?? "";
  }

  start(): Promise<void> {
    return this.act(0, "start");
  }

  async act(_node: number, action: NodeAction): Promise<void> {
    switch (action) {
      case "start":
        return this.process.start(this.network.atBrokers(program, "-c", this.file("conf")), port);
      case "drain":
        return this.process.act("end");
      case "forget":
        return rmSync(join(this.store, "mosquitto.db"), { force: true });
      default:
        return this.process.act(action);
    }
  }

  private file(name: string): string {
    return join(folder, `mosquitto.${name}`);
  }
}
