/** What the connections of one server share. */
import type { Clock } from "../native/loop.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import type { Connection } from "./connection.ts";
import type { Deadlines } from "./deadlines.ts";
import type { NextTurn } from "./next-turn.ts";
import type { ReaderContext } from "./request-reader.ts";

/** What the connections of one server share. */
export interface ConnectionContext extends ReaderContext {
  /** Bytes that a socket hands up at once at most. Where so many were, more of the request waits in the kernel. */
  readonly mostRead: number;
  readonly clock: Clock;
  /** The clock's own function: to find it in its module for each request is 300 instructions. */
  readonly now: Clock["now"];
  readonly deadlines: Deadlines;
  readonly nextTurn: NextTurn;
  /** Takes the lines of the debug log; undefined where nobody wants them. */
  readonly log: ((line: string) => void) | undefined;
  /** How many requests and connections there have been. */
  requests: number;
  readonly answered: AnswerCounts;
  /** Whether memory is scarce even after a collection, where one is due. The native function itself: every request calls it. */
  readonly isScarce: () => boolean;
  /** Frees memory that is held for clients, where memory is scarce. @returns whether there is enough now. */
  relieve(): boolean;
  /** Called when the connection is over. */
  onClosed(connection: Connection): void;
}
