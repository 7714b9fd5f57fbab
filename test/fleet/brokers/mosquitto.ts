/** One mosquitto, with a password and topics for each device, as docs/fleet.md advises. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { eventually } from "../../harness/eventually.ts";
import { groupNames } from "../devices.ts";
import { brokerHost, controlHost, folder, type Network, run } from "../namespaces.ts";
import { panel } from "../observer.ts";
import type { Account, FleetBroker, NodeAction } from "./fleet-broker.ts";

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

/** @returns whether something accepts connections there. */
export function isOpen(host: string, at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, host);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

export class MosquittoBroker implements FleetBroker {
  readonly name = "mosquitto";
  readonly ports = [port];
  readonly retains = true;
  private readonly network: Network;
  private readonly store = join(folder, "mosquitto");
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(network: Network, accounts: readonly Account[]) {
    this.network = network;
    mkdirSync(this.store);
    const passwords = this.file("passwords");
    const all = [...accounts, { user: panel.username, password: panel.password }];
    writeFileSync(passwords, all.map(({ user, password }) => `${user}:${password}\n`).join(""));
    run("mosquitto_passwd", "-U", passwords);
    writeFileSync(this.file("acl"), acl);
    const lines = [
      `listener ${port} ${brokerHost}`,
      `listener ${port} ${controlHost}`,
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
        return this.begin();
      case "kill":
        this.child?.kill("SIGKILL");
        await this.ended;
        return;
      case "end":
      case "drain":
        this.child?.kill("SIGTERM");
        await this.ended;
        return;
      case "pause":
        this.child?.kill("SIGSTOP");
        return;
      case "continue":
        this.child?.kill("SIGCONT");
        return;
      case "forget":
        rmSync(join(this.store, "mosquitto.db"), { force: true });
    }
  }

  private file(name: string): string {
    return join(folder, `mosquitto.${name}`);
  }

  private async begin(): Promise<void> {
    const [command, ...words] = this.network.atBrokers(program, "-c", this.file("conf"));
    const child = spawn(command, words, { stdio: "ignore" });
    this.child = child;
    this.ended = once(child, "close");
    await eventually("mosquitto listens", () => isOpen(controlHost, port));
  }
}
