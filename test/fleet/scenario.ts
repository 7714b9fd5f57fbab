/** What a scenario is made of. */
import type { NodeAction } from "./brokers/fleet-broker.ts";

/** Whom a command reaches. */
export type Audience = "one" | "group" | "all";

/** What happens, in turn. */
export type Step =
  /** To a node of the broker: any, the one to which something has happened last, or all at once. */
  | { readonly do: "node"; readonly action: NodeAction; readonly all?: true }
  | { readonly do: "wait"; readonly seconds: number }
  /** The devices lose their network, as by an unplugged cable, or get it back. */
  | { readonly do: "cut" | "join" }
  /** A command to all, to the noun of its QoS; once in a scenario. The broker keeps it if it is retained. */
  | { readonly do: "command"; readonly qos: 0 | 1; readonly retain?: true }
  /** Some devices change a state by HTTP. */
  | { readonly do: "change" }
  /** A will of each device comes late: `offline` is published. */
  | { readonly do: "wills" }
  /** Home Assistant starts. */
  | { readonly do: "birth" }
  /** Further devices start: with the ids of others, with a wrong password, or with another's topics. */
  | { readonly do: "add"; readonly who: "twins" | "strangers" | "misnamed" }
  /** They end. */
  | { readonly do: "remove" };

/** One broker, or a cluster of them. */
export type BrokerKind = "mosquitto" | "cluster";

export interface Scenario {
  readonly name: string;
  /** The broker that it is for; any if left out. */
  readonly broker?: BrokerKind;
  /** Whether it undoes what the scenario before it has done. */
  readonly follows?: true;
  readonly steps: readonly Step[];
  /** s after the last step until all is right. */
  readonly within: number;
  /** Whom the roll call after the last step addresses; all if left out. */
  readonly call?: Audience;
  /** Whether no device may connect again, except those that are to. */
  readonly isQuiet?: true;
  /** Whether every device has to send what Home Assistant is told. */
  readonly isAnnounced?: true;
  /** Whether no device may execute the commands. */
  readonly isRefused?: true;
  /** s after which a command may still be executed; what a session lasts if left out. */
  readonly oldest?: number;
  /** What the log of each further device has to say. */
  readonly says?: RegExp;
}
