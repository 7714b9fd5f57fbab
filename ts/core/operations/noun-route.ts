/** A noun under its name, and the routes to it: one for each verb. */
import type { HttpError } from "../http/http-error.ts";
import type { Noun } from "../noun/noun.ts";
import { faceOf, type NounFace, readWritten, takesAnyUpdate } from "../noun/noun-face.ts";
import type { Changing } from "../noun/noun-traits.ts";
import { partialShape, type Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { isUnbounded } from "../noun/state-size.ts";
import { writeState } from "../noun/state-writer.ts";
import type { Verb } from "../noun/verb.ts";
import { type Answer, RefusalAnswer } from "./answer.ts";
import { Asking, type DeviceAsker } from "./device-asker.ts";
import { LimitedNoun } from "./limited-noun.ts";
import type { NounCall } from "./noun-call.ts";
import type { NounQueue } from "./noun-queue.ts";
import type { Asker, Operation, PendingAnswer } from "./operation.ts";
import type { Writer } from "./writer.ts";

/** Where a request goes. */
export interface Route {
  /** Whether a request has a state in its body; false if left out. */
  readonly takesBody?: boolean;
  /** What that state must be; undefined where anything may. */
  readonly shape?: Shape | undefined;
  /** Whether no further request is read after one that takes this route: its answer may go on without an end. */
  readonly isLast?: boolean;
  /** Whether the connection may be closed for another one while it waits for this answer: no noun works for it. */
  readonly isOfDocument?: boolean;
  /**
   * Performs a request.
   * @param asker is told when the answer of an operation is at hand.
   * @param by who asks, for the part that hears results; undefined if nobody wants to know.
   */
  perform(state: State, asker: Asker, by?: Writer): Answer | PendingAnswer;
}

export class NounRoute implements Route {
  readonly takesBody: boolean;
  readonly shape: Shape | undefined;
  readonly name: string;
  /** Calls the noun. Only for an interruptible call. */
  readonly call: (state: State) => unknown;
  /** Whether the call may change the noun. */
  readonly mayChange: boolean;
  /** Checks and writes what the call gave. Only for an interruptible call. */
  readonly write: (result: unknown) => string;
  private readonly verb: Verb;
  private readonly queue: NounQueue;
  readonly registered: RegisteredNoun;
  /** Whether the states that it makes are noted. */
  readonly isNoted: boolean;
  private readonly calls: NounCall;

  constructor(registered: RegisteredNoun, verb: Verb) {
    const { name, face: noun, queue } = registered;
    this.registered = registered;
    this.name = name;
    this.verb = verb;
    this.write = noun.writeState ?? writeState;
    this.queue = queue;
    this.calls = queue.context.call;
    this.mayChange = verb !== "GET";
    this.isNoted = this.mayChange && queue.context.onResult !== undefined;
    this.takesBody = verb === "PUT" || verb === "POST";
    const limited = this.mayChange && isUnbounded(noun.shape) ? new LimitedNoun(noun, queue) : undefined;
    const called = limited ?? noun;
    switch (verb) {
      case "GET":
        this.call = noun[readWritten] === undefined ? () => noun.getState() : () => noun[readWritten]?.();
        break;
      case "PUT":
        this.shape = noun.shape;
        this.call = (state) => called.setState(state);
        break;
      case "POST":
        if (noun[takesAnyUpdate] !== true) {
          this.shape = noun.updateShape ?? (noun.shape === undefined ? undefined : partialShape(noun.shape));
        }
        this.call = (state) => called.updateState(state);
        if (limited !== undefined) this.write = limited.countingWriter(this.write);
        break;
      case "DELETE":
        this.call = () => called.deleteState();
    }
  }

  /** @param waited the operation whose turn it is, if the request had to wait. */
  perform(state: State, asker: Asker, by?: Writer, waited?: Operation): Answer | Operation {
    const queue = this.queue;
    const calls = this.calls;
    if (waited === undefined) {
      // It is read again in another turn of the loop, and in its turn behind this request.
      if (this.mayChange) this.registered.feed?.changed();
      if (queue.running !== undefined) return queue.enqueue(this, state, asker, by);
    } else if (this.verb !== "GET") {
      const refusal = this.registered.judgeWaiting?.(this.verb, state);
      if (refusal !== undefined) return RefusalAnswer.of(refusal);
    }
    let result: unknown;
    try {
      result = calls.interruptible(this.call, state);
    } catch (error) {
      return calls.fail(this, error);
    }
    const outcome = calls.written.get(result as object) ?? calls.judge(this, result);
    if (outcome.status !== undefined) {
      // The same answer again is the same state.
      if (this.isNoted && outcome !== queue.lastNoted && by !== undefined) {
        queue.context.onResult?.(this.registered, outcome, by, asker.socket);
      }
      return outcome;
    }
    return queue.occupy(this, state, asker, outcome.promise, by, waited);
  }
}

export class RegisteredNoun {
  readonly name: string;
  /** The noun as it was registered: what other nouns call. */
  readonly original: Noun;
  readonly face: NounFace;
  readonly queue: NounQueue;
  /** Follows the noun. It hears of each request that changes the noun, or will change it when its turn comes. */
  feed: { readonly changed: () => void } | undefined;
  /** What may keep it at its default, and says why while it does. A part may set this. */
  declare keptBy?: { readonly refusal: string | undefined };
  /** ms that its operations may take beyond the limit of all; most nouns have none. */
  declare extraTime?: number;
  /** Judges a change that has waited while the noun was removed or replaced; only if a part has asked for that. */
  declare judgeWaiting?: (verb: Changing, state: State) => HttpError | undefined;
  /** Made when they are first needed: most nouns of a thousand are only read. */
  declare private routes?: { [verb in Verb]?: NounRoute } | undefined;

  constructor(name: string, noun: Noun, queue: NounQueue) {
    this.name = name;
    this.original = noun;
    this.face = faceOf(noun);
    this.queue = queue;
    if (noun.extraTime !== undefined) this.extraTime = noun.extraTime;
  }

  /** Whether PUT and POST may change it. */
  get isSettable(): boolean {
    return this.face.settable !== false;
  }

  /** The noun has another shape. Operations that wait keep the routes that they have. */
  forgetRoutes(): void {
    this.routes = undefined;
    this.queue.lastNoted = undefined;
  }

  /** Forgets the route of a verb that is rarely used. */
  freeRoute(verb: Verb): void {
    const { routes = {} } = this;
    const isOnly = Object.keys(routes).every((one) => one === verb);
    if (isOnly) this.routes = undefined;
    else delete routes[verb];
  }

  /** @returns whether a function is the interruptible call of one of its operations. */
  isCalledBy(callee: unknown): boolean {
    return Object.values(this.routes ?? {}).some((route) => route?.call === callee);
  }

  /**
   * Performs an operation in its turn, without a request of a client.
   * @param state as for a request, checked against the route's shape.
   * @param done called once, now or later, with the answer.
   * @param by who asks, in words: `rule frost`. Without it, a change is not noted.
   * @returns the operation, which may be abandoned; undefined if the noun has answered at once.
   */
  ask(verb: Verb, state: State, done: (answer: Answer) => void, by?: string): PendingAnswer | undefined {
    return this.askAs(new Asking(done), verb, state, by);
  }

  /** As `ask`, without a function: `onAnswer` of the asker takes the answer. */
  askAs(asker: DeviceAsker, verb: Verb, state: State, by?: string): PendingAnswer | undefined {
    const outcome = this.route(verb).perform(state, asker, by);
    if (outcome.status === undefined) return outcome;
    asker.onAnswer(outcome);
    return undefined;
  }

  /** @returns the route of a verb to this noun. */
  route(verb: Verb): NounRoute {
    return this.routes?.[verb] ?? this.addRoute(verb);
  }

  private addRoute(verb: Verb): NounRoute {
    // Interruptible, because a noun may compute its shapes.
    const route = this.queue.context.call.interruptible(() => new NounRoute(this, verb));
    this.routes ??= {};
    this.routes[verb] = route;
    return route;
  }
}
