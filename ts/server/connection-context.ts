/** What the connections of one server share. */
import type { RequestParser } from "../http/request-parser.ts";
import type { Clock } from "../native/loop.ts";
import type { Access } from "./access.ts";
import type { Answers } from "./answers.ts";
import type { Connection } from "./connection.ts";
import type { Deadlines } from "./deadlines.ts";
import type { KnownRequests } from "./known-requests.ts";
import type { OnFailure } from "./log.ts";
import type { ServerLimits } from "./options.ts";
import type { Router } from "./router.ts";

/** See the module's description. */
export interface ConnectionContext {
  readonly limits: ServerLimits;
  readonly router: Router;
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly answers: Answers;
  readonly known: KnownRequests;
  /** A parser that is never fed, and so stands between two requests for ever. */
  readonly unfed: RequestParser;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly log: ((line: string) => void) | undefined;
  readonly onFailure: OnFailure | undefined;
  /** Called once, when the connection is over. */
  onClosed(connection: Connection): void;
}
