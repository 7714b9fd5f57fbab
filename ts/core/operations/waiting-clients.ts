/**
 * The clients that wait for nouns. The connection of such a client keeps its place, so slow nouns could take all
 * places. Therefore at most a quarter of the places wait for one noun, and half of them for all nouns together. A noun
 * that is idle begins anyway.
 */
import type { Asker } from "./operation.ts";

export class WaitingClients {
  /** How many operations of each have not ended, whether they have begun or not. */
  private readonly operations = new Map<Asker, number>();
  private readonly most: number;
  private readonly mostForOne: number;

  /** @param limits the largest numbers of connections, and of operations that wait for one noun. */
  constructor({ maxConnections, maxQueued }: { readonly maxConnections: number; readonly maxQueued: number }) {
    this.most = Math.floor(maxConnections / 2);
    // One at least: a client may wait behind its own operation, which takes no further place.
    this.mostForOne = Math.min(maxQueued, Math.max(1, Math.floor(maxConnections / 4)));
  }

  /** @param queued operations that wait for the noun. @returns whether one more of this client may wait. */
  mayWait(asker: Asker, queued: number): boolean {
    if (asker.hasNoPlace) return true;
    return queued < this.mostForOne && (this.operations.size < this.most || this.operations.has(asker));
  }

  add(asker: Asker): void {
    if (!asker.hasNoPlace) this.operations.set(asker, (this.operations.get(asker) ?? 0) + 1);
  }

  remove(asker: Asker): void {
    const count = this.operations.get(asker) ?? 0;
    if (count > 1) this.operations.set(asker, count - 1);
    else this.operations.delete(asker);
  }
}
