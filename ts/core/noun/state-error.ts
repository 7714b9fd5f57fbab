/** With a `StateError` a noun refuses a state: the client gets 422 with this error's sentence. */

/**
 * The noun refuses a state. The message is a sentence for the client: what was wrong and what would be accepted.
 *
 * @example
 * throw new StateError("The fan turns at 0 or at 30 to 100 percent, not in between.", "speed");
 */
export class StateError extends Error {
  override readonly name = "StateError";
  /** The wrong key, if there is one. */
  readonly key: string | undefined;

  /**
   * @param message a sentence for the client. It is sent as it is: no paths, no secrets.
   * @param key the wrong key.
   */
  constructor(message: string, key?: string) {
    super(message);
    this.key = key;
  }
}
