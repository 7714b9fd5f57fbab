/** The text of a document. It is written a little in each turn of the loop, because a thousand nouns take a second. */
import { utf8Length } from "../../core/http/utf8.ts";
import type { Hash } from "../../native/hash.ts";
import { entityTagOf } from "./entity-tag.ts";

/** Characters of a part. Of a client that takes its answer slowly, about as many wait in the server. */
const partLength = 16_384;

export class DocumentText {
  /** The text that was written so far. */
  readonly parts: string[] = [];
  /** The length of all parts, in bytes of UTF-8. */
  bytes = 0;
  private part = "";
  /** The hashes of all parts; in the end, their hash. */
  private digest = "";
  /** Undefined once all is written. */
  private texts: Iterator<string> | undefined;
  private readonly hash: Hash | undefined;

  /** @param texts are joined to the text. @param hash in ASCII; undefined if the text needs no entity tag. */
  constructor(texts: Iterator<string>, hash?: Hash) {
    this.texts = texts;
    this.hash = hash;
  }

  /**
   * Writes on, until there is no time left or the text is complete.
   * @returns whether it is complete. @throws what a noun's code throws. The text cannot be completed then.
   */
  write(hasTime: () => boolean): boolean {
    const { texts } = this;
    if (texts === undefined) return true;
    do {
      const next = texts.next();
      if (next.done === true) return this.complete();
      this.part += next.value;
      if (this.part.length >= partLength) this.endPart();
    } while (hasTime());
    return false;
  }

  /** @param begin the text in front of this one. @returns the strong entity tag of both together. */
  tagWith(begin: string): string {
    return entityTagOf(begin + this.digest, this.hash);
  }

  private endPart(): void {
    if (this.hash !== undefined) this.digest += this.hash.sha256(this.part);
    this.bytes += utf8Length(this.part);
    this.parts.push(this.part);
    this.part = "";
  }

  private complete(): true {
    this.endPart();
    if (this.hash !== undefined) this.digest = this.hash.sha256(this.digest);
    this.texts = undefined;
    return true;
  }
}
