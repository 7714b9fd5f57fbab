/** The end of something that has been begun (DOM, 3): an AbortController and its signal, without events. */

export class AbortSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  addEventListener(_type: "abort", listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Called by its controller. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = [...this.listeners];
    this.listeners.clear();
    for (const listener of listeners) listener();
  }
}

function abortError(): Error {
  const error = new Error("This operation was aborted");
  error.name = "AbortError";
  return error;
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason: unknown = abortError()): void {
    this.signal.abort(reason);
  }
}
