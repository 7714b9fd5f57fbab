/// <reference path="./not-on-a-device.d.ts" />
/** The global names that an application on a device has besides those of the language: a part of the web's. */

/**
 * Writes lines to standard error: always in tests and under `npx nound dev`, else as the option `log` of the server
 * says.
 */
interface Console {
  /** Writes a line where requests are logged. */
  log(...data: readonly unknown[]): void;
  /** As `log`. */
  info(...data: readonly unknown[]): void;
  /** As `log`. */
  debug(...data: readonly unknown[]): void;
  /** As `error`. */
  warn(...data: readonly unknown[]): void;
  /** Writes a line where requests or errors are logged. */
  error(...data: readonly unknown[]): void;
}

/**
 * Writes lines to standard error: always in tests and under `npx nound dev`, else as the option `log` of the server
 * says.
 */
declare var console: Console;

/**
 * Calls back once.
 * @param delay ms until then, at least. In tests time passes by `advance` of "nound/testing".
 * @param args are passed to the callback.
 * @returns what `clearTimeout` takes.
 */
declare function setTimeout<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  delay?: number,
  ...args: Args
): number;

/** Cancels a timer of `setTimeout`. Does nothing to a timer that has fired or was cleared. */
declare function clearTimeout(timer: number | undefined): void;

/**
 * Calls back again and again. An error of the callback does not end it.
 * @param delay ms from one call to the next, 1 at least.
 * @param args are passed to the callback.
 * @returns what `clearInterval` takes.
 */
declare function setInterval<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  delay?: number,
  ...args: Args
): number;

/** Ends an interval of `setInterval`. Does nothing to an interval that has ended. */
declare function clearInterval(timer: number | undefined): void;

/** Calls back once the running code has returned. */
declare function queueMicrotask(callback: () => void): void;

/** Whether something that has been begun is to end. */
interface AbortSignal {
  readonly aborted: boolean;
  /** What the controller was given: an Error, unless it was something else. */
  readonly reason: unknown;
  /** @param listener called once, when the controller aborts. */
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
  /** @throws the reason, once it is aborted. */
  throwIfAborted(): void;
}

/** Ends something that has been begun, such as a `fetch` of "nound". */
declare class AbortController {
  readonly signal: AbortSignal;
  /** @param reason an Error with the name AbortError if left out. */
  abort(reason?: unknown): void;
}

/** Makes UTF-8 of text. */
declare class TextEncoder {
  /** `utf-8`. */
  readonly encoding: string;
  /** @returns the bytes. Half of a surrogate pair becomes U+FFFD. */
  encode(text?: string): Uint8Array<ArrayBuffer>;
  /** Puts the bytes into an array, as many whole characters as it has room for. */
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number };
}

/** Makes text of UTF-8. */
declare class TextDecoder {
  /**
   * @param label `utf-8`.
   * @throws RangeError for another encoding.
   */
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  /** `utf-8`. */
  readonly encoding: string;
  /** Whether bytes that are not UTF-8 are a TypeError instead of U+FFFD. */
  readonly fatal: boolean;
  /** Whether a byte-order mark stays in the text. */
  readonly ignoreBOM: boolean;
  /** @param options `stream: true` where more bytes follow, which may go on in the middle of a character. */
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string;
}
