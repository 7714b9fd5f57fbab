/** Reads server-sent events (HTML standard, 9.2.6), here only their data. The device ends its lines by LF. */
export class EventParser {
  private rest = "";
  private data: string[] = [];

  /** @param text the next part of the stream, of any size. @returns the data of each event that is complete now. */
  feed(text: string): string[] {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop() ?? "";
    const events: string[] = [];
    for (const line of lines) {
      if (line === "") {
        if (this.data.length > 0) events.push(this.data.join("\n"));
        this.data = [];
      } else if (line.startsWith("data:")) {
        this.data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      }
    }
    return events;
  }
}
