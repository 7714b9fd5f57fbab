/** A part of a server that is opened, and its module loaded, for the first who needs it. */
export class LatePart<Part> {
  /** The part; undefined until it is open. */
  opened: Part | undefined;
  private readonly make: () => Part;

  constructor(make: () => Part) {
    this.make = make;
  }

  open(): Part {
    this.opened ??= this.make();
    return this.opened;
  }
}
