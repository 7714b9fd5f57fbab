/** Text and its bytes in UTF-8, as the Encoding standard says. Other encodings are missing. */

const labels = new Set(["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"]);

const replacement = 0xfffd;
const byteOrderMark = 0xfeff;

/** The number of code points that one call converts to a string. Each is an argument of the call. */
const batch = 1_024;

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}

/** Puts the bytes of a code point into an array. */
function putCodePoint(bytes: Uint8Array, position: number, codePoint: number, length: number): void {
  let rest = codePoint;
  for (let index = length - 1; index > 0; index--) {
    bytes[position + index] = 0x80 | (rest & 0x3f);
    rest >>= 6;
  }
  bytes[position] = length === 1 ? codePoint : ((0xf00 >> length) & 0xff) | rest;
}

/** Makes bytes of text. Half of a surrogate pair becomes U+FFFD. */
export class TextEncoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes = new Uint8Array(3 * text.length);
    return bytes.slice(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number } {
    let [read, written] = [0, 0];
    for (const character of text) {
      const codePoint = character.isWellFormed() ? (character.codePointAt(0) ?? 0) : replacement;
      const length = utf8Length(codePoint);
      if (written + length > bytes.length) break;
      putCodePoint(bytes, written, codePoint, length);
      read += character.length;
      written += length;
    }
    return { read, written };
  }
}

/** The part of the current code point that has been read. */
interface Sequence {
  codePoint: number;
  /** The number of bytes of the code point that are still missing. */
  missing: number;
  /** The range of the next byte. */
  lower: number;
  upper: number;
}

function bytesOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

/** Begins a sequence of several bytes. @returns whether the byte can begin one. */
function begin(sequence: Sequence, byte: number): boolean {
  if (byte < 0xc2 || byte > 0xf4) return false;
  sequence.missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  sequence.codePoint = byte & (0x3f >> sequence.missing);
  // Refuses over-long forms, surrogates and code points above U+10FFFF.
  sequence.lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
  sequence.upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  return true;
}

/** Makes text of bytes. What is not UTF-8 becomes U+FFFD, or with `fatal` a TypeError. */
export class TextDecoder {
  readonly encoding = "utf-8";
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  private sequence: Sequence = { codePoint: 0, missing: 0, lower: 0x80, upper: 0xbf };
  private isAtStart = true;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false }: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!labels.has(label.trim().toLowerCase())) {
      throw new RangeError(`There is no encoding ${JSON.stringify(label)} here; there is "utf-8".`);
    }
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
  }

  decode(
    input: ArrayBuffer | ArrayBufferView = new Uint8Array(),
    { stream = false }: { stream?: boolean } = {},
  ): string {
    const codePoints: number[] = [];
    let text = "";
    const put = (codePoint: number): void => {
      const isMark = this.isAtStart && codePoint === byteOrderMark && !this.ignoreBOM;
      this.isAtStart = false;
      if (!isMark) codePoints.push(codePoint);
      if (codePoints.length < batch) return;
      text += String.fromCodePoint(...codePoints);
      codePoints.length = 0;
    };
    for (const byte of bytesOf(input)) this.take(byte, put);
    if (!stream) this.finish(put);
    return text + String.fromCodePoint(...codePoints);
  }

  private take(byte: number, put: (codePoint: number) => void): void {
    const { sequence } = this;
    if (sequence.missing > 0 && byte >= sequence.lower && byte <= sequence.upper) {
      sequence.codePoint = (sequence.codePoint << 6) | (byte & 0x3f);
      sequence.missing -= 1;
      [sequence.lower, sequence.upper] = [0x80, 0xbf];
      if (sequence.missing === 0) put(sequence.codePoint);
      return;
    }
    // A byte that ends a sequence too early begins the next one.
    if (sequence.missing > 0) this.fail(put);
    if (byte < 0x80) put(byte);
    else if (!begin(sequence, byte)) this.fail(put);
  }

  private fail(put: (codePoint: number) => void): void {
    this.sequence.missing = 0;
    if (this.fatal) {
      this.isAtStart = true;
      throw new TypeError("The bytes are not UTF-8.");
    }
    put(replacement);
  }

  private finish(put: (codePoint: number) => void): void {
    if (this.sequence.missing > 0) this.fail(put);
    this.isAtStart = true;
  }
}
