/**
 * The listeners to the changes of one noun: what `watch` of the noun contract takes and gives.
 *
 *     private readonly listeners = new ChangeListeners();
 *     watch(changed: () => void): () => void {
 *       return this.listeners.add(changed);
 *     }
 */

const nobody: readonly (() => void)[] = [];

/** The listeners of a noun; most of the time there are none, which costs nothing. */
export class ChangeListeners {
  private listeners = nobody;

  /** @returns what takes the listener away again. */
  add(changed: () => void): () => void {
    // A function of its own for each call, as the same listener may be added twice.
    const listener = () => changed();
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  /** Tells all of them. */
  tell(): void {
    for (const listener of this.listeners) listener();
  }
}
