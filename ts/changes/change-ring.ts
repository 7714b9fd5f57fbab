/** A ring of changes, with a bound in number and in bytes. To add one takes the same short time, however many come. */

import { utf8Length } from "../http/utf8.ts";
import { parseNounName } from "../noun/name.ts";

/** Bytes that the states, the names and the causes of all changes may have together. */
export const mostBytes = 16_384;

/** Bytes of the longest state that is noted. Of a longer one, it is noted that it has changed. */
export const longestState = 1_024;

interface Change {
  /** On the clock of the loop, in ms: the clock on the wall may be set later. */
  time: number;
  noun: string;
  json: string;
  by: string;
  bytes: number;
}

export class ChangeRing {
  /** How many were added. */
  count = 0;
  private readonly most: number;
  /** By their numbers modulo `most`. A place is used again. */
  private readonly places: Change[] = [];
  /** The number of the oldest one that is held. */
  private first = 0;
  private bytes = 0;
  /** From the clock of the loop to the one on the wall, in ms. */
  private offset = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** @param length bytes of the state. */
  add(time: number, noun: string, state: string, by: string, length = utf8Length(state)): void {
    const { most, count } = this;
    const json = length <= longestState ? state : "null";
    // A text with characters beyond Latin-1 takes two bytes for each.
    const bytes = noun.length + by.length + (length === json.length ? length : 2 * json.length);
    const place = this.places[count % most];
    this.count = count + 1;
    if (place === undefined) this.places.push({ time, noun, json, by, bytes });
    else {
      // Of a full ring, it is the oldest one.
      if (count - this.first === most) {
        this.bytes -= place.bytes;
        this.first += 1;
      }
      place.time = time;
      place.noun = noun;
      place.json = json;
      place.by = by;
      place.bytes = bytes;
    }
    this.bytes += bytes;
    while (this.bytes > mostBytes) this.drop();
  }

  /**
   * @param now on the clock of the loop. @param wall the same moment, in ms since 1970.
   * @param after the number of a change: only later ones.
   * @returns the changes of readable nouns as lines of JSON, oldest first.
   */
  lines(now: number, wall: number, isReadable: (noun: string) => boolean, after = 0): readonly string[] {
    // Both clocks are read in whole ms: a difference of one is none, and a change keeps its time.
    if (Math.abs(wall - now - this.offset) > 2) this.offset = wall - now;
    const lines: string[] = [];
    for (let number = Math.max(this.first, after); number < this.count; number++) {
      const { time, noun, json, by } = this.places[number % this.most] as Change;
      if (!isReadable(noun)) continue;
      const moment = new Date(time + this.offset).toISOString();
      lines.push(`{"time":"${moment}","noun":"${noun}","state":${json},"by":${JSON.stringify(by)}}`);
    }
    return lines;
  }

  /** @returns all changes, as `resume` takes them. */
  leave(): string {
    const held: (readonly [number, string, string, string])[] = [];
    for (let number = this.first; number < this.count; number++) {
      const { time, noun, json, by } = this.places[number % this.most] as Change;
      held.push([time, noun, json, by]);
    }
    return JSON.stringify(held);
  }

  /** @param left by another process. @param now no change is later. @throws SyntaxError or TypeError for other texts. */
  resume(left: string, now: number): void {
    for (const [time, noun, json, by] of JSON.parse(left) as readonly (readonly unknown[])[]) {
      // As this program writes it: a name, a flat state, a few words.
      const text = JSON.stringify(JSON.parse(String(json)));
      this.add(Math.min(Number(time), now), parseNounName(String(noun)), text, String(by).slice(0, 128));
    }
  }

  private drop(): void {
    const place = this.places[this.first % this.most] as Change;
    this.bytes -= place.bytes;
    if (this.bytes > mostBytes) place.json = ""; // its place may stay free for a while
    this.first += 1;
  }
}
