/** Text and its bytes in UTF-8, as the Encoding standard says. Other encodings are missing. */
import { decode } from "nound:utf8";

const labels = new Set(["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"]);

/** U+FEFF, one character a byte. */
const byteOrderMark = "\xef\xbb\xbf";

/** The number of bytes that one call converts to a string. Each is an argument of the call. */
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
      const codePoint = character.isWellFormed() ? (character.codePointAt(0) ?? 0) : 0xfffd;
      const length = utf8Length(codePoint);
      if (written + length > bytes.length) break;
      putCodePoint(bytes, written, codePoint, length);
      read += character.length;
      written += length;
    }
    return { read, written };
  }
}

function bytesOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
}

// The bytes of a code point but for the last one or, of four, the last two (Unicode, table 3-7). Over-long forms,
// surrogates and code points above U+10FFFF are refused here.
const ofTwo = "[\\xc2-\\xdf]";
const ofThree = "(?:\\xe0[\\xa0-\\xbf]|\\xed[\\x80-\\x9f]|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf])";
const ofFour = "(?:\\xf0[\\x90-\\xbf]|\\xf4[\\x80-\\x8f]|[\\xf1-\\xf3][\\x80-\\xbf])";
const next = "[\\x80-\\xbf]";
/** A code point that has begun: the bytes that one U+FFFD replaces. */
const begun = `(?:${ofTwo}|${ofThree}|${ofFour}${next}?|[\\xe0-\\xf4])`;
const begunAtEnd = new RegExp(`${begun}$`);
/** A whole code point of several bytes, or else its beginning or a byte that begins none. */
const several = new RegExp(`(?:${ofTwo}|${ofThree}|${ofFour}${next})${next}|(${begun}|[\\x80-\\xff])`, "g");
const replacement = "\xef\xbf\xbd"; // U+FFFD

/** Makes text of bytes, also in pieces. What is not UTF-8 becomes U+FFFD, or with `fatal` a TypeError. */
export class TextDecoder {
  readonly encoding = "utf-8";
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** The beginning of a code point, one character a byte. */
  private begun = "";
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
    const bytes = bytesOf(input);
    let given = this.begun;
    for (let start = 0; start < bytes.length; start += batch) {
      given += String.fromCharCode(...bytes.subarray(start, start + batch));
    }
    this.begun = stream ? (begunAtEnd.exec(given)?.[0] ?? "") : "";
    const whole = given.slice(0, given.length - this.begun.length);
    const repaired = whole.replace(several, (all, wrong) => (wrong === undefined ? all : replacement));
    const isFailure = this.fatal && repaired !== whole;
    const isMark = this.isAtStart && !this.ignoreBOM && repaired.startsWith(byteOrderMark);
    this.isAtStart = !stream || isFailure || (this.isAtStart && whole === "");
    if (isFailure) {
      this.begun = "";
      throw new TypeError("The bytes are not UTF-8.");
    }
    return decode(isMark ? repaired.slice(byteOrderMark.length) : repaired) ?? "";
  }
}
