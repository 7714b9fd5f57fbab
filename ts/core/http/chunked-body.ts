/**
 * The strict decoder of one chunked body (RFC 9112, 7.1): bytes go in as they come, the body comes out.
 *
 *     const body = new ChunkedBody(4096);
 *     body.take('9\r\n{"led":1}\r\n0\r\n\r\nGET'); // 19: `GET` is the next request's
 *     body.done; // true
 *     body.body; // {"led":1}
 *
 * A size is 1 to 8 hexadecimal digits and CR LF. The last chunk's size has zeros only, and CR LF follows it. Extensions
 * and trailer fields are refused, although RFC 9112, 7.1.1 wants them ignored: no state needs one, and each is a place
 * where two parties may disagree on where a request ends.
 */
import { hexadecimal, type Rewriting, rewrite, rewriting, tableEffect } from "../grammar/rewriting.ts";
import { firstState, notAscii, type Transition } from "../grammar/transition-table.ts";
import { HttpError } from "./http-error.ts";

/** Bytes that the framing of a body may have beyond the body's own limit. */
const framingAllowance = 1024;

const sizeDigits = 8;

/** Bytes that are decoded at once, so that a request behind the body is not copied again and again. */
const pieceBytes = 4096;

/** Bytes that are collected before they become a part: one for each byte would take many times its size in memory. */
const partBytes = 1024;

const sizeDetail =
  "A chunk begins with its size, 1 to 8 hexadecimal digits and CR LF; the last chunk's has zeros only. This " +
  "server accepts no chunk extensions.";
const dataDetail = "A chunk's data ends with CR LF, after as many bytes as the chunk's size says.";
const trailerDetail = "CR LF does not follow the last chunk. This server accepts no trailer fields.";

/** What to say of a bad byte, by the byte that is awaited there; elsewhere it is in a size. */
const details: { readonly [state: string]: string | undefined } = {
  "data CR": dataDetail,
  "data LF": dataDetail,
  "final CR": trailerDetail,
  "final LF": trailerDetail,
};

const { drop, digit, counted } = tableEffect;

/** Sizes, whose digits are counted, and data, which is written. Behind zeros alone the last chunk may end. */
function transitions(): readonly Transition[] {
  const all: Transition[] = [];
  for (let digits = 0; digits <= sizeDigits; digits++) {
    const [zeros, size] = digits === 0 ? ["size", "size"] : [`${digits} zeros`, `${digits} digits`];
    if (digits < sizeDigits) {
      const next = `${digits + 1} digits`;
      all.push([size, hexadecimal, next, digit], [zeros, hexadecimal, next, digit]);
      all.push([zeros, ["0"], `${digits + 1} zeros`, drop]);
    }
    if (digits > 0) all.push([size, ["\r"], "size LF", drop], [zeros, ["\r"], "last LF", drop]);
  }
  return [
    ...all,
    ["size LF", ["\n"], "data", drop],
    ["data", ["\0\x7f", notAscii], "data CR", counted],
    ["data CR", ["\r"], "data LF", drop],
    ["data LF", ["\n"], "size", drop],
    ["last LF", ["\n"], "final CR", drop],
    ["final CR", ["\r"], "final LF", drop],
    ["final LF", ["\n"], "accepted", drop],
  ];
}

/** Made for the first chunked body. */
let grammar: Rewriting | undefined;

/** Decodes one body. Throws at the first bad byte, however the bytes are cut, and must not be used after that. */
export class ChunkedBody {
  private readonly limit: number;
  private readonly grammar: Rewriting;
  private state: number = firstState;
  /** The value of a size's digits; then the bytes of the chunk that are still to come. */
  private missing = 0;
  /** Bytes of data so far. */
  private size = 0;
  /** Bytes of framing that may still come. */
  private framing: number;
  /** Undefined where the data is not kept. */
  private parts: string[] | undefined = [];
  /** The data behind the last part. */
  private rest = "";

  /**
   * @param limit bytes that all chunks together may have; 0 for a request that has no body. Their framing may have as
   * many again, and 1 KiB.
   */
  constructor(limit: number) {
    grammar ??= rewriting(transitions());
    this.grammar = grammar;
    this.limit = limit;
    this.framing = limit + framingAllowance;
  }

  /** Whether the last chunk has come to its end. */
  get done(): boolean {
    return this.grammar.states[this.state] === "accepted";
  }

  /** The data of all chunks so far, one character a byte. */
  get body(): string {
    return this.parts === undefined || this.parts.length === 0 ? this.rest : this.parts.join("") + this.rest;
  }

  /** Bytes of data that are kept. */
  get held(): number {
    return this.parts === undefined ? 0 : this.size;
  }

  /** From now on, the data is judged and not kept. */
  skip(): void {
    this.parts = undefined;
    this.rest = "";
  }

  /**
   * @param buffer the bytes behind those that were taken before, one character a byte.
   * @returns how many were taken: all of them, unless the body is done.
   * @throws HttpError (closing) 400 at the first byte that belongs to no chunked body; 413 at the first digit with
   *   which the sizes exceed the limit, 400 where that is 0; 413 at the first byte of framing over its own limit.
   */
  take(buffer: string): number {
    let at = 0;
    while (at < buffer.length && !this.done) at += this.takePiece(buffer, at);
    return at;
  }

  /** @returns how many bytes of `buffer` from `at` on were taken: at most what the limit of framing leaves. */
  private takePiece(buffer: string, at: number): number {
    const { table, effects, states } = this.grammar;
    const room = this.framing + (states[this.state] === "data" ? this.missing : 0);
    if (room === 0) {
      const most = this.limit + framingAllowance;
      throw HttpError.closing(
        413,
        `The sizes and line ends of the chunks are longer than ${most} bytes; send fewer and larger chunks.`,
      );
    }
    const piece = buffer.slice(at, at + Math.min(room, pieceBytes));
    const [data, taken, state, missing] = rewrite(piece, table, effects, this.state, this.missing);
    this.size += data.length;
    this.framing -= taken - data.length;
    if (this.size + missing > this.limit) {
      throw this.limit === 0
        ? HttpError.closing(400, "A DELETE request has no body.")
        : HttpError.closing(413, `The body is longer than ${this.limit} bytes.`);
    }
    this.state = state;
    this.missing = missing;
    if (taken < piece.length && !this.done) {
      throw HttpError.closing(400, details[states[state] as string] ?? sizeDetail);
    }
    this.keep(data);
    return taken;
  }

  private keep(data: string): void {
    if (this.parts === undefined) return;
    this.rest += data;
    if (this.rest.length < partBytes) return;
    this.parts.push(this.rest);
    this.rest = "";
  }
}
