/** The limits a server keeps, each an option. The defaults are those of docs/wire-contract.md. */

/**
 * Every limit of a server. Sizes in bytes, times in ms.
 *
 * @example
 * const limits: Partial<ServerLimits> = { connections: 32, operationTime: 10_000 };
 * const server = new Server({ limits });
 */
export interface ServerLimits {
  /** Bytes a request target may have. */
  readonly targetBytes: number;
  /** Bytes the header section may have: all field lines with their line ends. */
  readonly headerBytes: number;
  /** Field lines the header section may have. */
  readonly headerFields: number;
  /** Bytes a body may have. */
  readonly bodyBytes: number;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
  /** ms from the first byte of a head to its end; for the first head of a connection, from the accept. */
  readonly headTime: number;
  /** ms from the end of a head to the end of its body. */
  readonly bodyTime: number;
  /** ms a connection may be idle between requests. */
  readonly idleTime: number;
  /** ms the peer may take to accept an answer. */
  readonly answerTime: number;
  /** Connections at once. */
  readonly connections: number;
  /** Requests of one connection that may wait for their answers; then reading pauses. */
  readonly pipeline: number;
  /** ms a noun may take for an operation, the wait for its turn included. */
  readonly operationTime: number;
  /** ms of processor time a noun may use before it returns; then it is interrupted. One limit for all servers of a process. */
  readonly busyTime: number;
  /** Bytes of memory the script may have. One limit for all servers of a process. */
  readonly memoryBytes: number;
  /** ms `close` waits for requests in flight. */
  readonly closeTime: number;
}

/**
 * What is kept unless an option says otherwise.
 *
 * @example
 * const server = new Server({ limits: { idleTime: 2 * defaultLimits.idleTime } });
 */
export const defaultLimits: ServerLimits = {
  targetBytes: 256,
  headerBytes: 4096,
  headerFields: 32,
  bodyBytes: 4096,
  statePairs: 64,
  headTime: 10_000,
  bodyTime: 10_000,
  idleTime: 60_000,
  answerTime: 10_000,
  connections: 128,
  pipeline: 16,
  operationTime: 5_000,
  busyTime: 1_000,
  memoryBytes: 33_554_432,
  closeTime: 5_000,
};

/**
 * @param chosen limits that differ from the defaults.
 * @returns every limit.
 * @throws RangeError naming a limit that is not a positive whole number.
 */
export function completeLimits(chosen: Partial<ServerLimits>): ServerLimits {
  const limits = { ...defaultLimits, ...chosen };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`The limit ${name} must be a positive whole number.`);
    }
  }
  return limits;
}
