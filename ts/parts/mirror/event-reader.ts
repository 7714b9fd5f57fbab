/**
 * Reads a stream of events of another device (the HTML standard, 9.2), as nound writes it, in bytes as they come. A
 * device that is not trusted sends it: what is longer than the limit is refused before it is kept.
 *
 *     const reader = new EventReader(65_536, (data) => device.onEvent(data));
 *     reader.take("id: 1\ndata: {\"on\":1}\n\n");
 */

import { decodeUtf8 } from "../../core/http/utf8.ts";
import { ResponseReader } from "../client/response-reader.ts";

/** Lines that belong to no event: comments, and the time until the next connection. */
const ownLines = /^(?:(?::|retry:)[^\n]*\n)+/;

const limits = { headBytes: 8_192, bodyBytes: Number.MAX_SAFE_INTEGER };

export class EventReader {
  private readonly mostBytes: number;
  private readonly onData: (data: string) => void;
  private readonly head: ResponseReader;
  private unread = "";
  private isChecked = false;

  /** @param mostBytes of one event. @param onData gets the data of each event. */
  constructor(mostBytes: number, onData: (data: string) => void) {
    this.mostBytes = mostBytes;
    this.onData = onData;
    this.head = new ResponseReader(limits, true, (bytes) => this.takeEvents(bytes));
  }

  /** The status of the response; 0 before its head is complete. */
  get status(): number {
    return this.head.status;
  }

  /** Whether it has a length, and that is over. */
  get isDone(): boolean {
    return this.head.isDone;
  }

  /** @throws Error with a sentence at what no stream of nound has. */
  take(bytes: string): void {
    this.head.take(bytes);
  }

  private takeEvents(bytes: string): void {
    if (this.status !== 200) return; // the text of a refusal
    if (!this.isChecked) this.checkType();
    // A comment is a line of its own before the next event, for which it may be long.
    let text = (this.unread + bytes).replace(ownLines, "");
    // What was read before has no end: a device may send one byte at a time.
    let end = text.indexOf("\n\n", Math.max(0, text.length - bytes.length - 1));
    while (end >= 0 && end <= this.mostBytes) {
      this.takeEvent(text.slice(0, end));
      text = text.slice(end + 2).replace(ownLines, "");
      end = text.indexOf("\n\n");
    }
    if (text.length > this.mostBytes) {
      throw new Error(
        `An event has more than ${this.mostBytes} bytes: give the token the reach of the mirrored nouns only.`,
      );
    }
    this.unread = text;
  }

  private checkType(): void {
    this.isChecked = true;
    const type = this.head.field("content-type");
    if (type !== undefined && !/^text\/event-stream[\t ]*(?:;|$)/i.test(type)) {
      throw new Error("It answers a request for its events with something else.");
    }
  }

  private takeEvent(event: string): void {
    let data: string | undefined;
    for (const line of event.split("\n")) {
      if (!line.startsWith("data:")) continue;
      if (data !== undefined) throw new Error("An event has data of several lines.");
      data = line.slice("data:".length).trim();
    }
    if (data === undefined) return;
    const text = decodeUtf8(data);
    if (text === undefined) throw new Error("An event is not UTF-8.");
    this.onData(text);
  }
}
