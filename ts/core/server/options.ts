/** The limits of a server, each an option. The defaults are those of docs/wire-contract.md. */

/**
 * Every limit of a server. Sizes in bytes, times in ms.
 *
 * @example
 * const limits: Partial<ServerLimits> = { maxConnections: 32, nounTimeout: 10_000 };
 * const server = new Server({ limits });
 */
export interface ServerLimits {
  /** The largest size of a request target, in bytes. */
  readonly targetBytes: number;
  /** The largest size of the header section, in bytes: all field lines with their line ends. */
  readonly headerBytes: number;
  /** The largest number of field lines. */
  readonly headerFields: number;
  /** The largest size of a body, in bytes. */
  readonly bodyBytes: number;
  /** The largest number of key and value pairs of a state. */
  readonly statePairs: number;
  /** The largest size of a state that clients set, in bytes as JSON. If left out: four times `bodyBytes`. */
  readonly stateBytes: number;
  /** ms from the first byte of a head to its end; for the first head of a connection, from the accept. */
  readonly headersTimeout: number;
  /** ms from the end of a head to the end of its body. */
  readonly bodyTimeout: number;
  /** ms a connection may be idle between requests. */
  readonly keepAliveTimeout: number;
  /** ms the peer may take to accept an answer. */
  readonly sendTimeout: number;
  /** The largest number of connections at once. */
  readonly maxConnections: number;
  /** The largest number of encrypted connections at once, streams included; at most 256, whatever is set. */
  readonly tlsConnections: number;
  /** ms a noun may take for an operation, the wait for its turn included. */
  readonly nounTimeout: number;
  /** Operations that may wait for one noun; at most a quarter of `maxConnections`, whatever is set. */
  readonly maxQueued: number;
  /** The largest number of streams of events at once. `maxConnections` does not count them. */
  readonly maxStreams: number;
  /** The largest number of events per second of one noun. The last one is always sent. */
  readonly maxEventsPerSecond: number;
  /** ms of silence after which a comment is sent on a stream. */
  readonly streamInterval: number;
  /** ms `close` waits for requests in flight. */
  readonly shutdownTimeout: number;
}

/**
 * The default of every limit.
 *
 * @example
 * const server = new Server({ limits: { keepAliveTimeout: 2 * defaultLimits.keepAliveTimeout } });
 */
export const defaultLimits: ServerLimits = {
  targetBytes: 256,
  headerBytes: 4096,
  headerFields: 32,
  bodyBytes: 4096,
  statePairs: 64,
  stateBytes: 16_384,
  headersTimeout: 10_000,
  bodyTimeout: 10_000,
  keepAliveTimeout: 60_000,
  sendTimeout: 10_000,
  maxConnections: 128,
  tlsConnections: 32,
  nounTimeout: 5_000,
  maxQueued: 64,
  maxStreams: 32,
  maxEventsPerSecond: 50,
  streamInterval: 15_000,
  shutdownTimeout: 5_000,
};

/**
 * @param chosen limits of a server that differ from the defaults.
 * @returns every limit.
 * @throws as `completeLimits`.
 */
export function completeServerLimits(chosen: Partial<ServerLimits>): ServerLimits {
  const { bodyBytes = defaultLimits.bodyBytes } = chosen;
  return completeLimits({ stateBytes: 4 * bodyBytes, ...chosen }, defaultLimits);
}

/**
 * @param chosen limits that differ from the defaults.
 * @returns every limit.
 * @throws RangeError naming a limit that is not a positive whole number, or that has no default.
 */
export function completeLimits<L extends { readonly [N in keyof L]: number }>(chosen: Partial<L>, defaults: L): L {
  const limits = { ...defaults, ...chosen };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaults, name)) throw new RangeError(`There is no limit ${name}.`);
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw new RangeError(`The limit ${name} must be a positive whole number.`);
    }
  }
  return limits;
}
