/** The replies of one connection in the order of its requests (RFC 9112, 9.3.2). */
import { type Answer, abandon } from "../operations/answer.ts";
import type { PendingAnswer } from "../operations/operation.ts";
import type { Refusal, Request } from "./admitted-request.ts";

/** The place of one request's answer. */
export interface Reply {
  readonly request: Request | Refusal;
  /** The answer, or what is going to have it. */
  outcome: Answer | PendingAnswer;
  close: boolean;
}

/** @returns bytes of the request and characters of the answer that a reply holds until its turn comes. */
function heldBy(entry: Reply | string): number {
  if (typeof entry === "string") return entry.length;
  const { request, outcome } = entry;
  const answer = outcome.status === undefined ? outcome.answer : outcome;
  const ofRequest = request.route === undefined ? 0 : request.head.bytes + request.bodyBytes;
  return ofRequest + (answer?.held ?? answer?.plain?.length ?? 0);
}

export class Replies {
  /** Oldest first. A text is an interim response, or a part of the answer before it. */
  private readonly waiting: (Reply | string)[] = [];

  size = 0;

  /** The reply to the newest request. */
  get newest(): Reply | undefined {
    return this.waiting.findLast((entry) => typeof entry !== "string");
  }

  /** Bytes of requests that are not answered yet, and characters of answers that wait for those before them. */
  get held(): number {
    return this.waiting.reduce((held, entry) => held + heldBy(entry), 0);
  }

  /** Whether a noun has still to answer one of them. A document does not count: its client may be closed. */
  get hasOperations(): boolean {
    return this.waiting.some(
      (entry) =>
        typeof entry !== "string" &&
        entry.outcome.status === undefined &&
        entry.outcome.answer === undefined &&
        entry.request.route?.isAlone !== true,
    );
  }

  /** @param most how many may wait. @returns whether one of them must be sent before another request is performed. */
  isFull(most: number): boolean {
    return this.size >= most || this.newest?.request.route?.isAlone === true;
  }

  /** @returns the replies with this one, where these are shared; otherwise these. */
  add(reply: Reply): Replies {
    if (this === noReplies) return new Replies().add(reply);
    this.waiting.push(reply);
    this.size += 1;
    return this;
  }

  /** @param rest what follows the reply that was taken last. @returns the replies with it, as `add` does. */
  addRest(rest: readonly string[]): Replies {
    if (this === noReplies) return new Replies().addRest(rest);
    this.waiting.unshift(...rest);
    this.size += rest.length;
    return this;
  }

  /** @param text a whole response with a 1xx status (RFC 9110, 15.2). */
  addInterim(text: string): void {
    this.waiting.push(text);
    this.size += 1;
  }

  /** @returns the oldest reply or text, removed, where it can be sent now: the outcome of a reply is its answer. */
  takeReady(): (Reply & { readonly outcome: Answer }) | string | undefined {
    const { waiting } = this;
    const oldest = waiting[0];
    if (oldest === undefined) return undefined;
    if (typeof oldest !== "string") {
      const { outcome } = oldest;
      if (outcome.status === undefined) {
        if (outcome.answer === undefined) return undefined;
        oldest.outcome = outcome.answer;
      }
    }
    waiting.shift();
    this.size -= 1;
    return oldest as (Reply & { readonly outcome: Answer }) | string;
  }

  /** The client is gone: operations that have not begun are not executed. */
  abandon(): void {
    for (const entry of this.waiting.splice(0)) {
      if (typeof entry !== "string") abandon(entry.outcome);
    }
    this.size = 0;
  }
}

/** No replies, shared by all connections on which no reply has to wait. */
export const noReplies = new Replies();
