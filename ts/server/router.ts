/** The router: from a request's head to the noun it is for, or to the reason why there is none. */
import { HttpError } from "../http/http-error.ts";
import { isJson } from "../http/media-type.ts";
import { isKnownMethod } from "../http/method.ts";
import type { RequestHead } from "../http/request.ts";
import { decodeUnreserved, targetPath } from "../http/request-target.ts";
import { parseNounName } from "../noun/name.ts";
import { assertNoun, type Noun } from "../noun/noun.ts";
import { NounQueue, type QueueContext } from "./noun-queue.ts";
import { RegisteredNoun, type Route } from "./noun-route.ts";
import { isVerb } from "./verb.ts";

/** The streams of events that there are of nouns. */
export interface StreamRoutes {
  /** @returns the route to a noun's stream; undefined where the client prefers the state itself. */
  route(registered: RegisteredNoun, accept: string): Route | undefined;
  /** @returns the route to the stream of all nouns that a client may read; undefined where it prefers their states. */
  routeToAll(
    nouns: () => readonly RegisteredNoun[],
    reaches: (name: string) => boolean,
    accept: string,
  ): Route | undefined;
  /** Says that a request may have changed a noun. */
  changed(name: string): void;
}

/** Refuses a method, closing the connection where a body may follow that nobody is going to read. */
function refuseMethod(head: RequestHead): HttpError {
  const refuse = head.contentLength > 0 ? HttpError.closing : HttpError.keeping;
  return isKnownMethod(head.method)
    ? refuse(405, "A noun takes GET, PUT, POST and DELETE.")
    : refuse(501, "This server does not know the request's method.");
}

/**
 * @param target as sent.
 * @returns the name that it asks for, in lower case, whether a noun has it or could have it.
 * @throws HttpError 400 for the target's form.
 */
export function nameIn(target: string): string {
  return decodeUnreserved(targetPath(target).slice(1)).toLowerCase();
}

/** What an Accept field has that may prefer events; only then it is read. */
const namesEvents = /event-stream/i;

/** The nouns of a server. */
export class Router {
  private readonly nouns = new Map<string, RegisteredNoun>();
  /** By object: a noun under two names, or registered anew while it works, still does one operation after the other. */
  private readonly queues = new WeakMap<Noun, NounQueue>();
  private readonly queueContext: QueueContext;
  private readonly bodyBytes: number;
  private readonly streams: StreamRoutes;

  /** @param bodyBytes the bytes a body may have. */
  constructor(queueContext: QueueContext, bodyBytes: number, streams: StreamRoutes) {
    this.queueContext = queueContext;
    this.bodyBytes = bodyBytes;
    this.streams = streams;
  }

  /**
   * @param name the noun's name, in any case.
   * @throws TypeError when the name is malformed, or naming the operations the noun lacks. Error when the name is taken.
   */
  register(name: string, noun: Noun): void {
    const key = parseNounName(name);
    assertNoun(noun);
    if (this.nouns.has(key)) throw new Error(`A noun named ${key} is registered already.`);
    this.nouns.set(key, new RegisteredNoun(key, noun, this.queueOf(noun), this.onChange));
  }

  /** @returns whether there was a noun of that name. Requests that have reached it already are still answered. */
  unregister(name: string): boolean {
    return this.nouns.delete(parseNounName(name));
  }

  /** @returns the nouns in the order of their registration. */
  all(): Iterable<RegisteredNoun> {
    return this.nouns.values();
  }

  /**
   * @returns the route of the verb to the noun.
   * @throws HttpError: 400 for the target's form, 404, 501, 405, 415, 413, 400 for a part of a state, 412, in this order.
   */
  route(head: RequestHead): Route {
    const registered = this.find(head.target);
    const { method } = head;
    const accept = method === "GET" ? head.fields.value("accept") : undefined;
    const wantsEvents = accept !== undefined && namesEvents.test(accept);
    if (registered === undefined) {
      const stream = wantsEvents && targetPath(head.target) === "/" ? this.streamOfAll(accept) : undefined;
      if (stream !== undefined) return stream;
      throw HttpError.keeping(404, "There is no noun of this name.");
    }
    if (!isVerb(method)) throw refuseMethod(head);
    if (method === "PUT" || method === "POST") {
      if (head.contentType === undefined || !isJson(head.contentType)) {
        throw HttpError.keeping(415, "The Content-Type must be application/json.");
      }
      if (head.contentLength > this.bodyBytes) {
        throw HttpError.closing(413, `The body is longer than ${this.bodyBytes} bytes.`);
      }
      if (head.fields.count("content-range") > 0) {
        throw HttpError.keeping(400, "A state is sent whole; Content-Range is not accepted.");
      }
    }
    if (!head.preconditionsHold) {
      throw HttpError.keeping(
        412,
        "The precondition does not hold: a state has no entity tag, and there always is one.",
      );
    }
    const stream = wantsEvents ? this.streams.route(registered, accept) : undefined;
    return stream ?? registered.route(method);
  }

  /** Where tokens are asked for, only one that extends to every name lets a client through to here. */
  private streamOfAll(accept: string): Route | undefined {
    return this.streams.routeToAll(
      () => [...this.nouns.values()],
      () => true,
      accept,
    );
  }

  private readonly onChange = (name: string): void => this.streams.changed(name);

  private queueOf(noun: Noun): NounQueue {
    let queue = this.queues.get(noun);
    if (queue === undefined) {
      queue = new NounQueue(this.queueContext);
      this.queues.set(noun, queue);
    }
    return queue;
  }

  /** No name holds a character that a target could write in another way, so most targets are a slash and a name. */
  private find(target: string): RegisteredNoun | undefined {
    const usual = target.startsWith("/") ? this.nouns.get(target.slice(1)) : undefined;
    return usual ?? this.nouns.get(nameIn(target));
  }
}
