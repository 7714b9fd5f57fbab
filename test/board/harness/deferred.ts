/** A promise that somebody else settles: `Promise.withResolvers`, which Node 20 does not have. */

/** The promise and its two ends. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** @returns an unsettled promise. That it is rejected is no failure of the program while nobody waits for it. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
