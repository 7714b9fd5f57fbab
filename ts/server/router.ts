/** The router: from a request's head to the noun it is for, or to the reason why there is none. */
import { HttpError } from "../http/http-error.ts";
import { isJson } from "../http/media-type.ts";
import { isKnownMethod } from "../http/method.ts";
import { Recent } from "../http/recent.ts";
import type { RequestHead } from "../http/request.ts";
import { decodeUnreserved, targetPath } from "../http/request-target.ts";
import { parseNounName } from "../noun/name.ts";
import { assertNoun, type Noun } from "../noun/noun.ts";
import { partialShape, type Shape } from "../noun/shape.ts";
import { NounQueue, type QueuePlatform } from "./noun-queue.ts";
import { isVerb, type Verb } from "./verb.ts";

/** A noun under its name, with what every request to it needs. */
export interface RegisteredNoun {
  readonly name: string;
  readonly noun: Noun;
  /** What a PUT and a POST must hold; undefined where anything may. */
  readonly shapes: { readonly PUT: Shape | undefined; readonly POST: Shape | undefined };
  readonly queue: NounQueue;
}

/** Where a request goes. */
export interface Route {
  readonly registered: RegisteredNoun;
  readonly verb: Verb;
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

/** See the module's description. */
export class Router {
  private readonly nouns = new Map<string, RegisteredNoun>();
  /** Request targets seen lately that lead to a noun. */
  private readonly targets = new Recent<RegisteredNoun>(64, 128);
  /** By object: a noun under two names, or registered anew while it works, still does one operation after the other. */
  private readonly queues = new WeakMap<Noun, NounQueue>();
  private readonly platform: QueuePlatform;
  private readonly nounTimeout: number;
  private readonly bodyBytes: number;

  /** @param limits ms an operation may take, and the bytes a body may have. */
  constructor(platform: QueuePlatform, limits: { readonly nounTimeout: number; readonly bodyBytes: number }) {
    this.platform = platform;
    this.nounTimeout = limits.nounTimeout;
    this.bodyBytes = limits.bodyBytes;
  }

  /**
   * @param name the noun's name, in any case.
   * @throws TypeError when the name is malformed, or naming the operations the noun lacks. Error when the name is taken.
   */
  register(name: string, noun: Noun): void {
    const key = parseNounName(name);
    assertNoun(noun);
    if (this.nouns.has(key)) throw new Error(`A noun named ${key} is registered already.`);
    const { shape } = noun;
    this.nouns.set(key, {
      name: key,
      noun,
      shapes: { PUT: shape, POST: noun.updateShape ?? (shape === undefined ? undefined : partialShape(shape)) },
      queue: this.queueOf(noun),
    });
  }

  /** @returns whether there was a noun of that name. Requests that have reached it already are still answered. */
  unregister(name: string): boolean {
    this.targets.clear();
    return this.nouns.delete(parseNounName(name));
  }

  /**
   * @returns the noun and the verb.
   * @throws HttpError: 400 for the target's form, 404, 501, 405, 415, 413, 400 for a part of a state, 412, in this order.
   */
  route(head: RequestHead): Route {
    const registered = this.find(head.target);
    if (registered === undefined) throw HttpError.keeping(404, "There is no noun of this name.");
    const { method } = head;
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
    return { registered, verb: method };
  }

  private queueOf(noun: Noun): NounQueue {
    let queue = this.queues.get(noun);
    if (queue === undefined) {
      queue = new NounQueue(this.platform, this.nounTimeout);
      this.queues.set(noun, queue);
    }
    return queue;
  }

  private find(target: string): RegisteredNoun | undefined {
    const known = this.targets.get(target);
    if (known !== undefined) return known;
    const registered = this.nouns.get(nameIn(target));
    if (registered !== undefined) this.targets.add(target, registered);
    return registered;
  }
}
