/** One request and its answer, which has its place in the order of its connection's answers. */
import type { RequestHead } from "../http/request.ts";
import { continueResponse, noContentResponse, problemResponse, stateResponse } from "../http/response.ts";
import type { ErrorStatus } from "../http/status.ts";
import type { Guard } from "../native/guard.ts";
import { emptyState, type State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import type { Answer, Answers } from "./answers.ts";
import { describeError, type OnFailure } from "./log.ts";
import { isPromise, type Operation } from "./noun-queue.ts";
import type { Route } from "./router.ts";

/** What an exchange needs of its connection. */
export interface ExchangeOwner {
  readonly answers: Answers;
  /** Something can be sent for this exchange. Called from the loop, or while the connection itself reads. */
  onAnswer(): void;
  /** Writes a line to the debug log, where there is one. */
  readonly log: ((text: string) => void) | undefined;
  readonly onFailure: OnFailure | undefined;
}

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
  /** Field lines its answer has besides the usual ones. */
  fields = "";
  /** The name of the token that it came with; "" where none is asked for. */
  token = "";
  private readonly owner: ExchangeOwner;
  private readonly request: AnsweredRequest;
  private interim = "";
  // How it ended. The answer is written when its turn has come: only then is it known whether the connection ends with it.
  private answer: Answer | undefined;
  // Two fields and no object: that a noun did not answer can be said without memory.
  private refusal: ErrorStatus | undefined;
  private detail = "";
  private preflight = false;
  private route: Route | undefined;
  private state: State = emptyState;
  /** Whether the noun has been handed the request already, and returned `result`. */
  private returned = false;
  private result: unknown;

  constructor(owner: ExchangeOwner, request: AnsweredRequest) {
    this.owner = owner;
    this.request = request;
    this.headOnly = request.method === "HEAD";
    this.close = request.close;
  }

  /** @returns what can be sent now, and forgets it. */
  takeOutput(): string {
    const text = this.interim + this.writeAnswer();
    this.interim = "";
    return text;
  }

  /** Lets the client send the body (RFC 9110, 10.1.1). */
  sendContinue(): void {
    this.interim = continueResponse;
  }

  /** Hands the request to its noun. @param state the request's state; empty for GET and DELETE. */
  begin(route: Route, state: State): void {
    this.route = route;
    this.state = state;
    route.registered.queue.enqueue(this);
  }

  /** Takes what a noun returned that has been handed the request already, while nothing occupied it. */
  take(route: Route, result: unknown): void {
    this.route = route;
    this.returned = true;
    this.result = result;
    route.registered.queue.enqueue(this);
  }

  /** Answers a preflight with its fields alone. */
  answerPreflight(close: boolean): void {
    this.close ||= close;
    this.preflight = true;
    this.end("204");
  }

  /** Answers with a problem document. @param fields further field lines of the answer. */
  refuse(status: ErrorStatus, detail: string, close: boolean, fields = ""): void {
    this.close ||= close;
    this.fields += fields;
    this.refusal = status;
    this.detail = detail;
    this.end(this.owner.log === undefined ? "" : `${status} ${detail}`);
  }

  run(guard: Guard): unknown {
    return guard.invoke(this, "perform");
  }

  /**
   * Hands the request to the noun and looks at what it returns, which may be without an end as well as the noun itself.
   * @returns a promise, or undefined once the answer is at hand.
   */
  perform(): Promise<unknown> | undefined {
    if (this.returned) return this.judge(this.result);
    const { registered, verb } = this.route as Route;
    const { noun } = registered;
    switch (verb) {
      case "GET":
        return this.judge(noun.getState());
      case "PUT":
        return this.judge(noun.setState(this.state));
      case "POST":
        return this.judge(noun.updateState(this.state));
      case "DELETE":
        return this.judge(noun.deleteState());
    }
  }

  private judge(result: unknown): Promise<unknown> | undefined {
    this.answer = this.owner.answers.find(result);
    if (this.answer === undefined && isPromise(result)) return Promise.resolve(result);
    this.answer ??= this.owner.answers.answer(result);
    return undefined;
  }

  succeed(result: unknown, guard: Guard): void {
    try {
      this.answer ??= guard.invoke(this.owner.answers, "answer", result) as Answer;
    } catch (error) {
      if (guard.isInterruption(error)) this.expire(error);
      else this.fail(error, guard);
      return;
    }
    this.end("200");
  }

  fail(error: unknown, guard: Guard): void {
    let sentence: unknown;
    try {
      sentence = guard.invoke(this, "explain", error);
    } catch (second) {
      if (guard.isInterruption(second)) {
        this.expire(second);
        return;
      }
    }
    if (typeof sentence === "string") this.refuse(422, sentence, false);
    else this.refuse(500, "The noun failed.", false);
  }

  /**
   * Looks at what the noun threw, which may be without an end as well as the noun itself.
   * @returns the sentence for the client, where the state that it sent is refused.
   */
  explain(error: unknown): string | undefined {
    if (error instanceof StateError && (this.route?.verb === "PUT" || this.route?.verb === "POST")) {
      return error.message;
    }
    this.tellFailure("failed", error);
    return undefined;
  }

  expire(error?: unknown): void {
    if (error !== undefined) this.tellFailure("interrupted", error);
    else this.owner.onFailure?.(this.route?.registered.name ?? "", "did not answer in time");
    this.refuse(503, "The noun did not answer in time.", false);
  }

  private tellFailure(what: string, error: unknown): void {
    const { log, onFailure } = this.owner;
    if (log === undefined && onFailure === undefined) return;
    const description = describeError(error);
    this.log(`${what}: ${description}`);
    onFailure?.(this.route?.registered.name ?? "", description);
  }

  private writeAnswer(): string {
    if (this.answer !== undefined) {
      const usual = !this.close && !this.headOnly && this.fields === "";
      return usual ? this.answer.response : stateResponse(this.answer.json, this);
    }
    if (this.preflight) return noContentResponse(this);
    return this.refusal === undefined ? "" : problemResponse(this.refusal, this.detail, this);
  }

  private end(result: string): void {
    this.done = true;
    this.log(result);
    this.owner.onAnswer();
  }

  private log(text: string): void {
    const { log } = this.owner;
    if (log === undefined) return;
    // A query, or what stands before the host, may hold what no log should: a token, where this server does not look for one.
    const [sent = "", query] = this.request.target.split("?");
    const path = sent.replace(/\/\/[^/]*@/, "//...@");
    const by = this.token === "" ? "" : ` (token ${this.token})`;
    log(`${this.request.method} ${path}${query === undefined ? "" : "?..."} ${text}${by}`);
  }
}

/**
 * Takes what can be sent for the exchanges of one connection, in their order: all that the oldest has, and what those behind
 * it have as long as each before them is done. Those that are done are removed.
 * @param exchanges oldest first.
 */
export function takeReady(exchanges: Exchange[]): string {
  let text = "";
  for (let first = exchanges[0]; first !== undefined; first = exchanges[0]) {
    text += first.takeOutput();
    if (!first.done) break;
    exchanges.shift();
  }
  return text;
}
