/**
 * Answers to requests, before it is known how they are delivered. An answer is immutable and may be used for many
 * requests.
 */

import type { Socket } from "../../native/net.ts";
import type { About, HttpError } from "../http/http-error.ts";
import { type Delivery, problemResponse, stateResponse } from "../http/response.ts";
import type { ErrorStatus, Status } from "../http/status.ts";
import { utf8Length } from "../http/utf8.ts";
import type { State } from "../noun/state.ts";
import type { PendingAnswer } from "./operation.ts";

/** The rights of who reads an answer. */
export interface Reader {
  /** @param noun in lower case; `*` for all nouns. */
  allows(method: "GET", noun: string): boolean;
}

/** How an answer is sent, and to whom. */
export interface ReadDelivery extends Delivery {
  /** Undefined for a client that may read everything. */
  readonly reader?: Reader | undefined;
}

export interface Answer {
  readonly status: Status;
  /** The state of a 200 with one, as JSON. */
  readonly json?: string;
  /** What the debug log says besides the status; "" for nothing. */
  readonly note: string;
  /** The complete answer to most requests, for a kept connection and without more fields; undefined if not ready. */
  readonly plain?: string | undefined;
  /** The number of characters that it holds until it is written, if there are many; those of `plain` if left out. */
  readonly held?: number;
  /** Texts that follow it, except after a HEAD. They are sent one by one, as the client takes them. */
  readonly rest?: readonly string[];
  /** Bytes that follow its text, unless the request was a HEAD. Only the last answer of a connection can have any. */
  readonly bytes?: ArrayBuffer;
  /** @returns the complete answer as it is sent. */
  write(delivery: ReadDelivery): string;
}

/** An answer that continues after its head. The connection passes its socket on, and sends no other answer. */
export interface StreamingAnswer extends Answer {
  /** @param peer the client's address. @returns the answer to send instead if there is no room for this one. */
  refusal(peer: string): Answer | undefined;
  /** Takes the socket and owns it from now on. @param head the text to send first: unsent text and that of `write`. */
  open(socket: Socket, head: string): void;
  /** Called if it will not be opened: its client is gone, or only wants the head. */
  abandon(): void;
}

/** @returns whether an answer continues after its head. */
export function isStreaming(answer: Answer): answer is StreamingAnswer {
  return (answer as Partial<StreamingAnswer>).open !== undefined;
}

/** The client of a request is gone, or only wants the head of the answer. @param outcome what came of the request. */
export function abandon(outcome: Answer | PendingAnswer): void {
  if (outcome.status === undefined || isStreaming(outcome)) outcome.abandon();
}

/**
 * Stands for an answer when a noun may have changed and there is no memory to tell its state, or none for the states of
 * all nouns: the connection ends instead. It is made beforehand.
 */
export const noAnswer: Answer = { status: 500, note: "no memory for the answer", write: () => "" };

/** Most answers: whole, on a connection that stays open, without further field lines. */
export const plainDelivery: Delivery = { close: false, headOnly: false, fields: "" };

/**
 * Characters of the longest state that is held as a whole answer, too. With large states that would take as much memory
 * again.
 */
export const longestWhole = 1_024;

/** A 200 with a state. A field that all answers share, or most never set, is not their own: a new state needs an answer. */
export class StateAnswer implements Answer {
  declare readonly status: 200;
  declare readonly note: "";
  /** The state as JSON. */
  readonly json: string;
  declare readonly plain: string | undefined;
  /** The answer as the last one of a connection, once it was needed. */
  declare private last: string | undefined;

  static {
    Object.assign(StateAnswer.prototype, { status: 200, note: "", plain: undefined, last: undefined });
  }

  constructor(json: string) {
    this.json = json;
    if (json.length <= longestWhole) this.plain = stateResponse(json, plainDelivery);
  }

  /** Bytes of the JSON. Counted when it is asked for: a long state may be told of without its length. */
  get length(): number {
    return utf8Length(this.json);
  }

  get held(): number {
    return this.json.length;
  }

  write(delivery: Delivery): string {
    const { json, plain } = this;
    const isUsual = !delivery.headOnly && delivery.fields === "";
    if (plain === undefined || !isUsual) return stateResponse(json, delivery);
    if (!delivery.close) return plain;
    this.last ??= stateResponse(json, delivery);
    return this.last;
  }
}

/** @returns the state as JSON; undefined where the noun failed. */
export function jsonOf(answer: Answer | undefined): string | undefined {
  return answer instanceof StateAnswer ? answer.json : undefined;
}

/** @returns the state as a GET returns it, as the noun may have changed its object; undefined where the noun failed. */
export function stateOf(answer: Answer | undefined): State | undefined {
  const json = jsonOf(answer);
  return json === undefined ? undefined : (JSON.parse(json) as State);
}

/** A refusal with a problem document. */
export class RefusalAnswer implements Answer {
  readonly status: ErrorStatus;
  readonly note: string;
  readonly detail: string;
  readonly about: About | undefined;
  private readonly fields: string;

  /**
   * @param detail a sentence for the client.
   * @param fields whole field lines besides the usual ones.
   * @param note a text for the debug log alone.
   * @param about the other nouns that the sentence is about.
   */
  constructor(status: ErrorStatus, detail: string, fields = "", note = "", about?: About) {
    this.status = status;
    this.detail = detail;
    this.fields = fields;
    this.note = note === "" ? detail : note;
    this.about = about;
  }

  static of({ status, message, fields, about }: HttpError): RefusalAnswer {
    return new RefusalAnswer(status, message, fields, "", about);
  }

  /** s after which the same may be tried again; undefined if nobody knows. */
  get retryAfter(): number | undefined {
    const [, seconds] = /^Retry-After: ([0-9]{1,9})\r/m.exec(this.fields) ?? [];
    return seconds === undefined ? undefined : Number(seconds);
  }

  /** @returns the sentence, without the nouns that its reader may not read. */
  detailFor(reader: Reader | undefined): string {
    const { about } = this;
    if (about === undefined || reader === undefined) return this.detail;
    return about.nouns.every((noun) => reader.allows("GET", noun)) ? this.detail : about.brief;
  }

  write(delivery: ReadDelivery): string {
    const detail = this.detailFor(delivery.reader);
    return problemResponse(this.status, detail, { ...delivery, fields: delivery.fields + this.fields });
  }
}
