/**
 * The listeners to the changes of one noun: they implement `watch` of the noun contract.
 *
 *     private readonly listeners = new ChangeListeners();
 *     watch(changed: () => void): () => void {
 *       return this.listeners.add(changed);
 *     }
 */

const nobody: readonly (() => void)[] = [];

/** The listeners of a noun. Most of the time there are none, and that costs nothing. */
export class ChangeListeners {
  private listeners = nobody;

  /** @returns a function that removes the listener. */
  add(changed: () => void): () => void {
    // Each call gets another function, because the same listener may be added twice.
    const listener = () => changed();
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  get isEmpty(): boolean {
    return this.listeners.length === 0;
  }

  tell(): void {
    // Without an iterator, which would need memory: the noun has changed already.
    const listeners = this.listeners;
    for (let index = 0; index < listeners.length; index++) listeners[index]?.();
  }
}
