/**
 * Heads that differ from one seen before in nothing but the value of one field that does not matter: a cookie, the number of a
 * request, a trace. What stands around that value is compared as a whole, and the value alone is read: a browser's head costs
 * a third of what its lines cost one by one, even where most of them are remembered.
 */
import { isFieldText } from "./fields.ts";
import { LastSeen } from "./last-seen.ts";
import type { RequestHead } from "./request.ts";

/** Where a head may be another one and say the same. */
export interface Variation {
  /** All that stands before the value: whole lines, and its field's name and colon. */
  readonly begin: string;
  /** All that stands behind the value, from its line's end to the empty line. */
  readonly end: string;
}

interface SimilarHead extends Variation {
  /** Bytes such a head may have. */
  readonly longest: number;
  /** What every one of them says. */
  readonly head: RequestHead;
  /** The values it was seen with lately. */
  readonly values: LastSeen;
}

/** How many are kept. To compare with one in vain costs 1,500 instructions. */
const capacity = 4;
/** The values of each that are remembered. */
const valueCapacity = 8;
/** Bytes of the longest head that is kept; a browser's has about 600. */
const longestKept = 1024;

export class SimilarHeads {
  /** A ring. */
  private readonly kept: SimilarHead[] = [];
  private next = 0;
  private lastWasRepeated = false;

  /** Whether the head that was found last had been seen before, byte for byte. */
  get repeated(): boolean {
    return this.lastWasRepeated;
  }

  /** @returns what a head says that is similar to one that was kept; undefined for other bytes, whatever they are. */
  find(bytes: string): RequestHead | undefined {
    const { kept } = this;
    for (let index = 0; index < kept.length; index++) {
      const { begin, end, longest, head, values } = kept[index] as SimilarHead;
      const valueEnd = bytes.length - end.length;
      if (valueEnd < begin.length || bytes.length > longest) continue;
      // Cut out and compared at once: `startsWith` and `endsWith` go character by character, at six times the cost.
      if (bytes.slice(valueEnd) !== end || bytes.slice(0, begin.length) !== begin) continue;
      const value = bytes.slice(begin.length, valueEnd);
      // A value of several lines is none: its CR is the first byte that no value may hold.
      if (!isFieldText(value)) continue;
      this.lastWasRepeated = values.again(value);
      return head;
    }
    return undefined;
  }

  /**
   * @param head what the head said that was well-formed and varies so.
   * @param headerBytes bytes that all its field lines may have.
   */
  keep({ begin, end }: Variation, head: RequestHead, headerBytes: number): void {
    if (begin.length + end.length > longestKept) return;
    const longest = Math.min(longestKept, begin.indexOf("\r\n") + headerBytes + 4);
    this.kept[this.next] = { begin, end, longest, head, values: new LastSeen(valueCapacity) };
    this.next = (this.next + 1) % capacity;
  }
}
