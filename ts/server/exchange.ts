/** One request and its answer, which has its place in the order of its connection's answers. */
import type { ErrorStatus } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { continueResponse, type Delivery, problemResponse, stateResponse } from "../http/response.ts";
import type { Awaitable } from "../noun/noun.ts";
import type { State } from "../noun/state.ts";
import { toState } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { writeState } from "../noun/state-writer.ts";
import { describeError } from "./log.ts";
import type { Operation } from "./noun-queue.ts";
import type { Route } from "./router.ts";

/** What an exchange needs of its connection. */
export interface ExchangeOwner {
  /** Something can be sent for this exchange. Called from the loop, or while the connection itself reads. */
  onAnswer(): void;
  /** Writes a line to the debug log, where there is one. */
  readonly log: ((text: string) => void) | undefined;
}

const noState: State = Object.freeze({});

/** What an exchange needs to know of its request; less than a whole head where none could be read. */
export type AnsweredRequest = Pick<RequestHead, "method" | "target" | "close">;

/** See the module's description. The answer may come in several pieces; nothing here assumes that there is one. */
export class Exchange implements Operation {
  /** The connection ends with this answer. */
  close: boolean;
  /** No more output will come. */
  done = false;
  /** A HEAD request's answer has no body. */
  readonly headOnly: boolean;
  private readonly owner: ExchangeOwner;
  private readonly request: AnsweredRequest;
  private output = "";
  /** Writes the answer's head and body, once its turn has come: only then is it known whether the connection ends with it. */
  private answer: ((delivery: Delivery) => string) | undefined;
  private route: Route | undefined;
  private state: State = noState;

  constructor(owner: ExchangeOwner, request: AnsweredRequest) {
    this.owner = owner;
    this.request = request;
    this.headOnly = request.method === "HEAD";
    this.close = request.close;
  }

  /** @returns what can be sent now, and forgets it. */
  takeOutput(): string {
    const text = this.output + (this.answer?.(this) ?? "");
    this.output = "";
    this.answer = undefined;
    return text;
  }

  /** Lets the client send the body (RFC 9110, 10.1.1). */
  sendContinue(): void {
    this.output += continueResponse;
  }

  /** Hands the request to its noun. @param state the request's state, undefined for GET and DELETE. */
  perform(route: Route, state: State | undefined): void {
    this.route = route;
    this.state = state ?? noState;
    route.registered.queue.enqueue(this);
  }

  /** Answers with a problem document. */
  refuse(status: ErrorStatus, detail: string, close: boolean): void {
    this.close ||= close;
    this.answer = (delivery) => problemResponse(status, detail, delivery);
    this.end(`${status} ${detail}`);
  }

  run(): Awaitable<unknown> {
    const { registered, verb } = this.route as Route;
    switch (verb) {
      case "GET":
        return registered.noun.getState();
      case "PUT":
        return registered.noun.setState(this.state);
      case "POST":
        return registered.noun.updateState(this.state);
      case "DELETE":
        return registered.noun.deleteState();
    }
  }

  succeed(result: unknown): void {
    try {
      const state = writeState(toState(result));
      this.answer = (delivery) => stateResponse(state, delivery);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.end("200");
  }

  fail(error: unknown): void {
    if (error instanceof StateError && (this.route?.verb === "PUT" || this.route?.verb === "POST")) {
      this.refuse(422, error.message, false);
      return;
    }
    if (this.owner.log !== undefined) this.log(`failed: ${describeError(error)}`);
    this.refuse(500, "The noun failed.", false);
  }

  expire(): void {
    this.refuse(503, "The noun did not answer in time.", false);
  }

  private end(result: string): void {
    this.done = true;
    this.log(result);
    this.owner.onAnswer();
  }

  private log(text: string): void {
    const { log } = this.owner;
    if (log !== undefined) log(`${this.request.method} ${this.request.target} ${text}`);
  }
}
