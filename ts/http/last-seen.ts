/** The last texts that came by, of a bounded number: what is among them comes again. */
export class LastSeen {
  /** A ring. */
  private readonly texts: string[] = [];
  private next = 0;
  private readonly capacity: number;

  /** @param capacity how many are remembered. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** @returns whether the text is among the last; else it takes the place of the oldest. */
  again(text: string): boolean {
    if (this.texts.includes(text)) return true;
    this.texts[this.next] = text;
    this.next = (this.next + 1) % this.capacity;
    return false;
  }

  /** Forgets them. */
  clear(): void {
    this.texts.length = 0;
    this.next = 0;
  }
}
