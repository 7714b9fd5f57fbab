/** The router: from a request's head to the noun it is for, or to the reason why no noun takes it. */
import { mayRead, type Scope } from "../access/admission.ts";
import { HttpError } from "../http/http-error.ts";
import { isJson } from "../http/media-type.ts";
import { refuseMethod } from "../http/method.ts";
import { checkPreconditions } from "../http/precondition.ts";
import type { RequestHead } from "../http/request-head.ts";
import { nameIn, targetPath } from "../http/request-target.ts";
import { parseNounName } from "../noun/name.ts";
import { assertNoun, type Noun } from "../noun/noun.ts";
import { isVerb } from "../noun/verb.ts";
import { AllNounsRoute } from "../operations/all-nouns.ts";
import { noContentRoute } from "../operations/no-content.ts";
import { NounQueue, type QueueContext } from "../operations/noun-queue.ts";
import { RegisteredNoun, type Route } from "../operations/noun-route.ts";
import type { FollowedNouns } from "./host.ts";

const allowNoun = "Allow: GET, HEAD, PUT, POST, DELETE, OPTIONS\r\n";
const allowReadOnly = "Allow: GET, HEAD, DELETE, OPTIONS\r\n";
const allowAll = "Allow: GET, HEAD, OPTIONS\r\n";

/** Why the precondition of a request to a noun fails. */
const noTag = "a state has no entity tag, and a noun always has a state";

/** The answers to OPTIONS. */
const options = {
  noun: noContentRoute(allowNoun),
  readOnly: noContentRoute(allowReadOnly),
  all: noContentRoute(allowAll),
};

/** Refuses the request of a mirror in a ring, or in a row of too many. @param field undefined for other clients. */
function checkHops(field: string | undefined): void {
  if (field === undefined || /^[1-4]$/.test(field)) return;
  throw HttpError.keeping(400, "X-Nound-Hops is from 1 to 4: more mirrors than four are in a row, or in a ring.");
}

/** Refuses what is no whole state as JSON, or too long. @param bodyBytes the bytes a body may have. */
export function checkContent({ contentLength, fields }: RequestHead, bodyBytes: number): void {
  // Those of several lines are joined by a comma, which is no media type.
  const contentType = fields.values["content-type"];
  if (contentType === undefined || !isJson(contentType)) {
    throw HttpError.keeping(415, "A state is JSON; send it with the field Content-Type: application/json.");
  }
  if (!fields.elements("content-encoding").every((coding) => coding === "identity")) {
    throw HttpError.keeping(415, "A body with a content coding is not accepted.", "Accept-Encoding: identity\r\n");
  }
  if (contentLength > bodyBytes) throw HttpError.closing(413, `The body is longer than ${bodyBytes} bytes.`);
  if (fields.count("content-range") > 0) {
    throw HttpError.keeping(400, "A state is sent whole; Content-Range is not accepted.");
  }
}

/** @param path without a noun of its name. */
function refuseName(path: string): HttpError {
  if (path.endsWith("/"))
    return HttpError.keeping(404, "The path ends with a slash; a noun's path is a slash and its name.");
  if (path.lastIndexOf("/") > 0) {
    return HttpError.keeping(404, "The path has more than one segment; a noun's path is a slash and its name.");
  }
  return HttpError.keeping(404, "There is no noun of this name.");
}

export class Router {
  private readonly nouns = new Map<string, RegisteredNoun>();
  /** By object: a noun with two names, or registered again while it works, does one operation after the other. */
  private readonly queues = new WeakMap<Noun, NounQueue>();
  private readonly queueContext: QueueContext;
  private readonly bodyBytes: number;
  private readonly link: () => string;
  /**
   * The routes to all nouns that are registered now, by the token that limits each. A route remembers its last answer,
   * and each remembered request has its route: so requests share one.
   */
  private readonly allNouns = new Map<Scope | undefined, Route>();

  /**
   * @param bodyBytes the bytes a body may have.
   * @param link gives the field line of `/` that names the documents; "" for none.
   */
  constructor(queueContext: QueueContext, bodyBytes: number, link: () => string = () => "") {
    this.link = link;
    this.queueContext = queueContext;
    this.bodyBytes = bodyBytes;
  }

  /** @param name in any case. @throws as `HttpServer.register`. */
  register(name: string, noun: Noun): void {
    const key = parseNounName(name);
    assertNoun(noun);
    if (this.nouns.has(key)) throw new Error(`A noun named ${key} is registered already.`);
    this.allNouns.clear();
    const queue = this.queues.get(noun) ?? new NounQueue(this.queueContext);
    this.queues.set(noun, queue);
    this.nouns.set(key, new RegisteredNoun(key, noun, queue));
  }

  /** Forgets the routes to a noun, whose shape is another one. */
  reshaped(name: string): void {
    this.allNouns.clear();
    this.nouns.get(name)?.forgetRoutes();
  }

  /** @returns the name of the noun that an interruptible call was of; undefined where it was of none. */
  nameOfCall(callee: unknown): string | undefined {
    return Array.from(this.all()).find((noun) => noun.isCalledBy(callee))?.name;
  }

  /** @returns whether there was a noun of that name. Requests that have reached it already are still answered. */
  unregister(name: string): boolean {
    this.allNouns.clear();
    return this.nouns.delete(parseNounName(name));
  }

  /** Bytes of memory that the states take which clients have set. */
  get stateMemory(): number {
    let sum = 0;
    for (const { queue } of this.nouns.values()) sum += queue.held.memory;
    return sum;
  }

  /** @param name in lower case. @returns the noun; undefined for an unknown name. */
  find(name: string): RegisteredNoun | undefined {
    return this.nouns.get(name);
  }

  /** @returns the nouns in the order of their registration. */
  all(): Iterable<RegisteredNoun> {
    return this.nouns.values();
  }

  /**
   * @returns the route of the verb to the noun.
   * @throws HttpError: 400 for the target's form, 404, 501, 405, 415, 413, 400 for a part of a state, 412, in this
   * order.
   */
  route(head: RequestHead, token?: Scope): Route {
    const { method, target, fields } = head;
    checkHops(fields.values["x-nound-hops"]);
    if (target === "*" && method === "OPTIONS") return options.noun;
    const registered = this.at(target);
    if (registered === undefined) return this.routeOfPath(head, token);
    const { isSettable } = registered;
    if (method === "OPTIONS") return isSettable ? options.noun : options.readOnly;
    const verb = method === "HEAD" ? "GET" : method;
    const setsState = verb === "PUT" || verb === "POST";
    if (!isVerb(verb) || (setsState && !isSettable)) throw refuseMethod(head, isSettable ? allowNoun : allowReadOnly);
    if (setsState) checkContent(head, this.bodyBytes);
    checkPreconditions(method, fields, noTag);
    return registered.route(verb);
  }

  /** @param head of a GET or HEAD. @returns the nouns that it is for. @throws HttpError as `route`. */
  followed(head: RequestHead, token: Scope | undefined): FollowedNouns {
    this.route(head, token);
    const only = this.at(head.target);
    const allows = (name: string) => mayRead(token, name);
    if (only === undefined) return { isOfOne: false, all: () => this.readable(token), reaches: allows };
    return { isOfOne: true, all: () => [only], reaches: (name) => name === only.name && allows(name) };
  }

  /** @returns the nouns that a token allows to be read. */
  private readable(token: Scope | undefined): readonly RegisteredNoun[] {
    return Array.from(this.all()).filter(({ name }) => mayRead(token, name));
  }

  /** @returns the route to all nouns, the only path that is no noun's. */
  private routeOfPath(head: RequestHead, token: Scope | undefined): Route {
    const { method, target, fields } = head;
    const path = targetPath(target);
    if (path !== "/") throw refuseName(path);
    if (method === "OPTIONS") return options.all;
    if (method !== "GET" && method !== "HEAD") throw refuseMethod(head, allowAll);
    checkPreconditions(method, fields, noTag);
    const routes = () => this.readable(token).map((noun) => noun.route("GET"));
    const route = this.allNouns.get(token) ?? new AllNounsRoute(routes(), this.link());
    this.allNouns.set(token, route);
    return route;
  }

  /** No name holds a character that a target could write in another way, so most targets are a slash and a name. */
  private at(target: string): RegisteredNoun | undefined {
    const usual = target.startsWith("/") ? this.nouns.get(target.slice(1)) : undefined;
    return usual ?? this.nouns.get(nameIn(target));
  }
}
