/** The parts that the connections of one server share. */

import type { Clock } from "../../native/loop.ts";
import type { Status } from "../http/status.ts";
import type { Deadlines } from "../time/deadlines.ts";
import type { Connection } from "./connection.ts";
import type { Host } from "./host.ts";
import type { ReaderContext } from "./request-reader.ts";

export interface ConnectionContext extends ReaderContext, Host {
  /** The most bytes that a socket delivers at once. If it delivers as many, more bytes wait in the kernel. */
  readonly mostRead: number;
  /** The clock's own function, which need not be found in its module for each request. */
  readonly now: Clock["now"];
  readonly deadlines: Deadlines<Connection>;
  /** The requests and connections so far, encrypted ones included; and the answers with a state that left alone. */
  readonly counted: { requests: number; alone: number };
  /** The other answers. */
  readonly answered: Record<Status, number>;
  /** ms that a connection waits at most, by what it waits for. */
  readonly times: readonly number[];
  /** Whether memory is scarce, even after a garbage collection: the native function, as every request calls it. */
  readonly isScarce: () => boolean;
  /** Called when the connection is over. */
  onClosed(connection: Connection): void;
}
