/** The last texts that came by, of a bounded number: what is among them comes again. */
export class LastSeen {
  /** To find one in 64 by comparing it with each would cost three times as much as this set and the ring. */
  private readonly texts = new Set<string>();
  private readonly ring: string[] = [];
  private next = 0;
  private readonly capacity: number;

  /** @param capacity how many are remembered. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** @returns whether the text is among the last; else it takes the place of the oldest. */
  again(text: string): boolean {
    const { texts, ring, next } = this;
    if (texts.has(text)) return true;
    const oldest = ring[next];
    if (oldest !== undefined) texts.delete(oldest);
    texts.add(text);
    ring[next] = text;
    this.next = next + 1 === this.capacity ? 0 : next + 1;
    return false;
  }

  /** Forgets them. */
  clear(): void {
    this.texts.clear();
    this.ring.length = 0;
    this.next = 0;
  }
}
