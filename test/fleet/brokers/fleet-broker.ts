/** A broker, or a cluster of them, whose nodes a scenario breaks. */

/** What happens to a node. `forget` removes what it has stored; it does not run then. */
export type NodeAction = "kill" | "end" | "pause" | "continue" | "drain" | "forget" | "start";

export interface FleetBroker {
  readonly name: string;
  /** The port of each node, for the observer. */
  readonly ports: readonly number[];
  /** The port of each node, for devices. */
  readonly devicePorts: readonly number[];
  /** Whether a client that subscribes by a wildcard gets what is retained, from whichever node. */
  readonly retains: boolean;
  /** Devices that may connect for the first time at once. */
  readonly newcomers: number;
  /** Starts all nodes. */
  start(): Promise<void>;
  /** Does something to a node, and waits until it is done. */
  act(node: number, action: NodeAction): Promise<void>;
  /** The version, for the report. */
  readonly version: string;
}

/** Who may connect: a device as itself alone. */
export interface Account {
  readonly user: string;
  readonly password: string;
}
