/** Gives each event of this run of the server another id. */
export class EventIds {
  private readonly run: string;
  private count: number;

  /**
   * @param random gives numbers from 0 up to 1. With random numbers, an id tells neither how long the server has run
   *   nor how many events it has sent.
   */
  constructor(random: () => number) {
    this.run = Math.floor(random() * 2 ** 32).toString(16);
    this.count = Math.floor(random() * 2 ** 32);
  }

  /** @returns the next id: `5f3a9c-1`. */
  next(): string {
    this.count += 1;
    return `${this.run}-${this.count}`;
  }
}
