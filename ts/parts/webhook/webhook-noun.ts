/**
 * A webhook as a noun: what is posted to it is sent to another server.
 *
 *     server.register("notify", new WebhookNoun(context, { url: "http://192.0.2.5:1880/door", target: 0 }));
 *     // POST {"open":1}: {"status":200,"sent":3,"failed":0}
 */
import { HttpError } from "../../core/http/http-error.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { isCount, leave, takeOver } from "../../core/noun/left-state.ts";
import { type NounFace, takesAnyUpdate } from "../../core/noun/noun-face.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { Exchange, type ExchangeContext, type Outcome } from "../client/exchange.ts";
import type { HttpUrl } from "../client/url.ts";

/** The facts that determine a webhook. */
export interface WebhookOptions {
  readonly url: HttpUrl;
  /** The number of the URL's server at the connector. */
  readonly target: number;
  /** A credential (RFC 6750); undefined for none. */
  readonly token?: string | undefined;
  /** POST if left out. A GET has no body. */
  readonly method?: WebhookMethod | undefined;
  /** Field lines that are sent besides. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** The key of the update whose value is sent as plain text; undefined to send all keys as JSON. */
  readonly text?: string | undefined;
}

export const webhookMethods = ["POST", "PUT", "PATCH", "GET"] as const;
export type WebhookMethod = (typeof webhookMethods)[number];

/** The dependencies of a webhook. */
export interface WebhookContext extends ExchangeContext {
  /** Receives a sentence about each failure. */
  readonly report: (description: string) => void;
}

/** Texts that wait behind the one that is under way. */
const mostWaiting = 8;

/** ms from the call for a connection to the end of the response. */
const time = 5_000;

const limits = { headBytes: 8_192, bodyBytes: 65_536 };

const count = { type: "integer", minimum: 0, readOnly: true, counts: "total" } as const;

const shape: Shape = {
  status: {
    type: "integer",
    minimum: 200,
    maximum: 599,
    nullable: true,
    readOnly: true,
    description: "The status of the last response; null without one.",
  },
  sent: { ...count, description: "Requests that were answered with a status from 200 to 299." },
  failed: { ...count, description: "Requests that were not." },
};

const noCounts: { readonly status: number | null; readonly sent: number; readonly failed: number } = {
  status: null,
  sent: 0,
  failed: 0,
};

/** POST sends its body, whatever keys it has. DELETE resets the counts. */
export class WebhookNoun implements NounFace {
  readonly shape = shape;
  /** An empty object tells a server enough that has one address for each thing that it does. */
  readonly action: string = "Send";
  readonly [takesAnyUpdate] = true as const;
  private readonly context: WebhookContext;
  private readonly options: WebhookOptions;
  private readonly listeners = new ChangeListeners();
  /** Texts to be sent, the first of them under way. */
  private readonly waiting: string[] = [];
  /** Sends in a turn of its own, because the noun's operation is called by others. */
  private readonly turn: Alarm;
  private exchange: Exchange | undefined;
  private state = noCounts;

  constructor(context: WebhookContext, options: WebhookOptions) {
    this.context = context;
    this.options = options;
    this.turn = new Alarm(context.clock, () => this.sendNext());
  }

  getState(): State {
    return this.state;
  }

  setState(): State {
    return this.getState();
  }

  /** @throws HttpError 503 if eight wait. */
  updateState(body: State): State {
    if (this.waiting.length > mostWaiting) {
      throw HttpError.keeping(503, "Too many requests of this webhook wait; try again later.", "Retry-After: 5\r\n");
    }
    const { text } = this.options;
    if (text !== undefined && typeof body[text] !== "string" && typeof body[text] !== "number") {
      throw new StateError(`The state must have the key ${JSON.stringify(text)}, which is sent as text.`, text);
    }
    this.waiting.push(text === undefined ? JSON.stringify(body) : String(body[text]));
    if (this.waiting.length === 1) this.turn.set(this.context.clock.now());
    return this.getState();
  }

  deleteState(): State {
    this.state = noCounts;
    this.listeners.tell();
    return this.getState();
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  close(): void {
    this.waiting.length = 0;
    this.exchange?.cancel();
  }

  [leave](): State {
    return this.getState();
  }

  [takeOver]({ status, sent, failed }: State): void {
    if (!isCount(sent) || !isCount(failed) || (status !== null && !isCount(status))) return;
    this.state = { status, sent, failed };
  }

  private sendNext(): void {
    const body = this.waiting[0];
    if (body === undefined) return;
    const { url, target, token, method = "POST", headers = {}, text } = this.options;
    const isRead = method === "GET";
    const type = text === undefined ? "application/json" : "text/plain; charset=utf-8";
    const isTyped = isRead || Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    const fields = `${authorization}${isTyped ? "" : `Content-Type: ${type}\r\n`}${own.join("")}`;
    const options = { target, method, url, fields, body: isRead ? undefined : body, limits, time, keepsBody: false };
    this.exchange = new Exchange(this.context, options, (outcome) => this.onEnd(outcome));
  }

  private onEnd(outcome: Outcome): void {
    this.exchange = undefined;
    this.waiting.shift();
    const status = typeof outcome === "string" ? null : outcome.status;
    const { sent, failed } = this.state;
    if (status !== null && status < 300) this.state = { status, sent: sent + 1, failed };
    else {
      this.state = { status, sent, failed: failed + 1 };
      this.context.report(typeof outcome === "string" ? outcome : `The server answered ${outcome.status}.`);
    }
    this.listeners.tell();
    if (this.waiting.length > 0) this.turn.set(this.context.clock.now());
  }
}
