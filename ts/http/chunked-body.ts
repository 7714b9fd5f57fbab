/**
 * The strict decoder of one chunked body (RFC 9112, 7.1): bytes go in as they come, the body comes out.
 *
 *     const body = startChunkedBody(4096);
 *     body.take('9\r\n{"led":1}\r\n0\r\n\r\nGET'); // 19: `GET` is the next request's
 *     body.done; // true
 *     body.body; // {"led":1}
 *
 * A size is 1 to 8 hexadecimal digits and CR LF. The last chunk is `0` CR LF CR LF. Extensions and trailer fields are refused, although
 * RFC 9112, 7.1.1 wants them ignored: no state needs one, and each is a place where two parties may disagree on where a request ends.
 */
import { HttpError } from "./http-error.ts";

/** Bytes that the framing of a body may have beyond the body's own limit. */
const framingAllowance = 1024;

const sizeDigits = 8;

/** Bytes that are collected before they become a part of their own: a part for each byte would cost 50 times its size in memory. */
const partBytes = 1024;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

const sizeDetail =
  "A chunk begins with its size, 1 to 8 hexadecimal digits and CR LF; the last chunk's is a single 0. This server accepts no chunk extensions.";
const dataDetail = "A chunk's data ends with CR LF, after as many bytes as the chunk's size says.";
const trailerDetail = "CR LF does not follow the last chunk. This server accepts no trailer fields.";

/** @returns the value of a hexadecimal digit; -1 for any other character. */
function hexadecimal(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A byte of a line end that is awaited: that behind a size, behind data, behind the last chunk's size, or behind the last chunk. */
type LineEnd = "size LF" | "data CR" | "data LF" | "last LF" | "final CR" | "final LF";

/** What the next byte belongs to; nothing where it is the next request's. */
type Awaited = "size" | "data" | LineEnd | "nothing";

/** Each byte of a line end, what is awaited after it, and what to say where another byte comes. */
const lineEnds: { readonly [lineEnd in LineEnd]: readonly [code: number, next: Awaited, detail: string] } = {
  "size LF": [lineFeed, "data", sizeDetail],
  "data CR": [carriageReturn, "data LF", dataDetail],
  "data LF": [lineFeed, "size", dataDetail],
  "last LF": [lineFeed, "final CR", sizeDetail],
  "final CR": [carriageReturn, "final LF", trailerDetail],
  "final LF": [lineFeed, "nothing", trailerDetail],
};

/** Decodes one body. The verdict falls at the first bad byte, however the bytes are cut. It must not be used after an error. */
export class ChunkedBody {
  private readonly limit: number;
  private awaited: Awaited = "size";
  private digits = 0;
  /** The value of the size's digits; then the bytes of the chunk that are still to come. */
  private missing = 0;
  /** Bytes of all chunks that are complete. */
  private complete = 0;
  /** Bytes of framing so far. */
  private framing = 0;
  private readonly parts: string[] = [];
  /** The data behind the last part. */
  private rest = "";

  /** @param limit bytes that all chunks together may have. Their framing may have as many again, and 1 KiB. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether the last chunk has come to its end. */
  get done(): boolean {
    return this.awaited === "nothing";
  }

  /** The data of all chunks so far, one character a byte. */
  get body(): string {
    return this.parts.length === 0 ? this.rest : this.parts.join("") + this.rest;
  }

  /**
   * Takes bytes from the beginning of `buffer`, up to the end of the last chunk.
   * @param buffer the bytes behind those that were taken before, one character a byte.
   * @returns how many were taken: all of them, unless the body is done.
   * @throws HttpError (closing) 400 at the first byte that belongs to no chunked body; 413 at the first digit with which the chunks'
   *   sizes exceed the limit, and at the first byte of framing over its own limit.
   */
  take(buffer: string): number {
    let at = 0;
    while (at < buffer.length && this.awaited !== "nothing") {
      if (this.awaited === "data") {
        at += this.takeData(buffer, at);
        continue;
      }
      const code = buffer.charCodeAt(at);
      at += 1;
      this.countFraming();
      if (this.awaited !== "size") this.takeLineEnd(this.awaited, code);
      else if (code === carriageReturn && this.digits > 0) this.endSize();
      else this.takeDigit(code);
    }
    return at;
  }

  /** @returns how many bytes of `buffer` from `at` on are the chunk's. */
  private takeData(buffer: string, at: number): number {
    const length = Math.min(this.missing, buffer.length - at);
    this.rest += buffer.slice(at, at + length);
    if (this.rest.length >= partBytes) {
      this.parts.push(this.rest);
      this.rest = "";
    }
    this.missing -= length;
    if (this.missing === 0) this.awaited = "data CR";
    return length;
  }

  private countFraming(): void {
    this.framing += 1;
    const most = this.limit + framingAllowance;
    if (this.framing > most) {
      throw HttpError.closing(
        413,
        `The sizes and line ends of the chunks are longer than ${most} bytes; send fewer and larger chunks.`,
      );
    }
  }

  private takeDigit(code: number): void {
    const value = hexadecimal(code);
    this.digits += 1;
    this.missing = this.missing * 16 + value;
    // Eight zeros are no last chunk, and no digit can follow them.
    if (value < 0 || this.digits > sizeDigits || (this.digits === sizeDigits && this.missing === 0)) {
      throw HttpError.closing(400, sizeDetail);
    }
    if (this.complete + this.missing > this.limit) {
      throw HttpError.closing(413, `The body is longer than ${this.limit} bytes.`);
    }
  }

  private endSize(): void {
    if (this.missing === 0 && this.digits > 1) throw HttpError.closing(400, sizeDetail);
    this.awaited = this.missing === 0 ? "last LF" : "size LF";
    this.complete += this.missing;
    this.digits = 0;
  }

  private takeLineEnd(lineEnd: LineEnd, code: number): void {
    const [expected, next, detail] = lineEnds[lineEnd];
    if (code !== expected) throw HttpError.closing(400, detail);
    this.awaited = next;
  }
}

/** @param limit bytes the body may have. @returns a body of which nothing has come. */
export function startChunkedBody(limit: number): ChunkedBody {
  return new ChunkedBody(limit);
}
