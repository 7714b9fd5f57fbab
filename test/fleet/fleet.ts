/** All devices of a run, and those that a scenario adds. */
import { randomUUID } from "node:crypto";
import type { Account } from "./brokers/fleet-broker.ts";
import { Device, everyone, Launcher } from "./devices.ts";
import type { Network } from "./namespaces.ts";
import type { Audience, Step } from "./scenario.ts";
import type { Seal } from "./seal.ts";

/** Further devices that a scenario starts at most. */
const mostTwins = 500;
const mostOthers = 5;

type Kind = Extract<Step, { do: "add" }>["who"];

function account(id: string): Account {
  return { user: id, password: randomUUID() };
}

export class Fleet {
  readonly devices: readonly Device[];
  /** Those that a scenario has added, and the ids that they disturb. */
  extras: readonly Device[] = [];
  disturbed: ReadonlySet<string> = new Set();
  private readonly others: readonly Account[];
  private readonly launcher: Launcher;
  private brokers: readonly string[] = [];
  private readonly seal: Seal | undefined;
  private added = 0;

  constructor(network: Network, count: number, seal: Seal | undefined) {
    this.seal = seal;
    this.launcher = new Launcher(network);
    this.devices = Array.from({ length: count }, (_, index) => {
      const id = `d${index}`;
      return new Device({ name: id, id, ...account(id) }, index);
    });
    this.others = Array.from({ length: mostOthers }, (_, index) => account(`other${index}`));
  }

  /** Everyone whom the broker is to know. */
  get accounts(): readonly Account[] {
    return [...this.devices.map(({ identity }) => identity), ...this.others];
  }

  /** Writes the devices' files. @param brokers addresses. */
  configure(brokers: readonly string[]): void {
    this.brokers = brokers.map((address) => `${this.seal === undefined ? "mqtt" : "mqtts"}://${address}`);
    for (const device of this.devices) this.write(device);
  }

  /** Starts all devices. @param most may have started and be not connected yet. */
  start(most: number, isConnected: (device: Device) => boolean): Promise<void> {
    return this.launcher.start(this.devices, most, isConnected);
  }

  /** @param random gives a whole number below another. @returns those whom a command reaches, and its topic's name. */
  audience(whom: Audience, random: (end: number) => number): { readonly to: string; readonly who: readonly Device[] } {
    const chosen = this.devices[random(this.devices.length)];
    const to = (whom === "all" ? everyone : whom === "one" ? chosen?.id : chosen?.groups[1]) ?? "";
    return { to, who: this.devices.filter(({ id, groups }) => id === to || groups.includes(to)) };
  }

  /** Starts further devices. */
  async add(kind: Kind): Promise<void> {
    this.extras = this.identities(kind).map((identity) => {
      this.added += 1;
      const device = new Device({ ...identity, name: `x${this.added}` }, this.added);
      this.write(device);
      return device;
    });
    this.disturbed = new Set(this.extras.map(({ id }) => id));
    await this.launcher.launch(this.extras);
  }

  /** Ends them. */
  remove(): void {
    for (const device of this.extras) device.kill();
  }

  private write(device: Device): void {
    device.configure(this.brokers, this.seal?.writeDevice(device.identity.name));
  }

  private identities(kind: Kind) {
    const { devices } = this;
    switch (kind) {
      case "twins":
        return devices.slice(0, Math.min(mostTwins, Math.ceil(devices.length / 2))).map(({ identity }) => identity);
      case "strangers":
        return this.others.map(({ user }) => ({ id: user, user, password: "not this one" }));
      case "misnamed":
        return this.others.map(({ user, password }) => ({ id: `${user}s`, user, password }));
    }
  }
}
