/**
 * The simulated twin of `nound:storage`: texts that survive until the process ends.
 *
 *     const store = new SimulatedStorage().openStore("/var/lib/nound");
 *     store.write("output-pump", "1");
 */
import type { Storage, Store } from "../storage.ts";

/** A folder of texts. */
export class SimulatedStore implements Store {
  readonly texts = new Map<string, string>();
  /** How often something was written. */
  writes = 0;
  /** The error that writing throws; undefined for none. */
  failure: Error | undefined;

  read(name: string): string | undefined {
    return this.texts.get(name);
  }

  write(name: string, text: string): void {
    this.writes += 1;
    if (this.failure !== undefined) throw this.failure;
    this.texts.set(name, text);
  }

  names(): readonly string[] {
    return [...this.texts.keys()];
  }

  remove(name: string): void {
    if (this.failure !== undefined) throw this.failure;
    this.texts.delete(name);
  }
}

export class SimulatedStorage implements Storage {
  /** The error that opening a folder throws; undefined for none. */
  failure: Error | undefined;
  private readonly stores = new Map<string, SimulatedStore>();

  /** @returns the folder's texts, the same for each call with the same path. */
  openStore(path: string): SimulatedStore {
    if (this.failure !== undefined) throw this.failure;
    const store = this.stores.get(path) ?? new SimulatedStore();
    this.stores.set(path, store);
    return store;
  }
}
