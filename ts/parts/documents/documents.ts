/** The documents of a server: finds the one that a request is for. */
import type { Scope } from "../../core/access/admission.ts";
import { HttpError } from "../../core/http/http-error.ts";
import { refuseMethod } from "../../core/http/method.ts";
import { checkPreconditions } from "../../core/http/precondition.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { decodeUnreserved, isForAll, targetAuthority, targetPath } from "../../core/http/request-target.ts";
import { noContentRoute } from "../../core/operations/no-content.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { Document, DocumentContent } from "../../core/server/document.ts";
import type { Host } from "../../core/server/host.ts";
import type { Found, Part, Scheme } from "../../core/server/part.ts";
import type { Page } from "../../native/page.ts";
import { DocumentRoutes } from "./document-route.ts";
import { pageRoute, wordsRoute } from "./page-route.ts";

/** Field lines of every refusal of a method, and of the answer to OPTIONS. */
const allow = "Allow: GET, HEAD, OPTIONS\r\n";
const options = noContentRoute(allow);

/** An Accept field that may prefer the page contains this text. Other fields are not parsed. */
const namesPage = /text\/html/i;

/** Begins the path of the words of a language. No noun's path has a second `/`. */
const wordsPath = "/page/";

/** The documents of one server, those of its parts among them, and its page. */
export class DocumentSet implements Part {
  readonly admitsOwnOrigin: boolean;
  readonly link: string;
  private readonly byPath = new Map<string, Document>();
  private readonly page: (() => Page) | undefined;
  private readonly context: Host;
  private readonly documents: readonly Document[];
  /** Undefined until a client requests a document. */
  private routes: DocumentRoutes | undefined;

  /** @param page gives the page for browsers; undefined if it is switched off. */
  constructor(own: readonly Document[], page: (() => Page) | undefined, context: Host) {
    const documents = [...own, ...context.parts.plans.flatMap((plan) => plan.documents?.(context) ?? [])];
    this.documents = documents;
    this.page = page;
    this.admitsOwnOrigin = page !== undefined;
    this.context = context;
    for (const document of documents) this.byPath.set(document.path, document);
    const links = documents
      .filter(({ relation }) => relation !== "")
      .map(({ path, relation }) => `<${path}>; ${relation}`);
    this.link = links.length === 0 ? "" : `Link: ${links.join(", ")}\r\n`;
  }

  find(head: RequestHead, scheme: Scheme): Found | undefined {
    const page = this.routeToPage(head);
    if (page !== undefined) return { needed: "none", route: () => page };
    const document = this.at(head.target);
    const needed = document?.isPublic ? "none" : "any";
    return document && { needed, route: (scope) => this.routeTo(document, head, scheme, scope) };
  }

  checkName(name: string): void {
    const document = this.byPath.get(`/${name}`);
    if (document === undefined) return;
    throw new Error(
      `A noun cannot be named ${name}, because ${document.path} is a document: give it another name, ` +
        `or ${document.switchOff}.`,
    );
  }

  replaced(): void {
    this.relieve();
  }

  tokensReplaced(): void {
    this.relieve();
  }

  /** Forgets the texts that are kept. */
  relieve(): boolean {
    return this.routes?.forget() ?? false;
  }

  /** @param target the target of a request, as sent. @returns the document at that path. */
  private at(target: string): Document | undefined {
    const document = this.byPath.get(target);
    if (document !== undefined || (target.startsWith("/") && !target.includes("%"))) return document;
    try {
      return this.byPath.get(decodeUnreserved(targetPath(target)));
    } catch (error) {
      if (error instanceof HttpError) return undefined; // the router refuses it with the reason
      throw error;
    }
  }

  /** @returns the route of a request for the words of the page, or that prefers it; undefined for every other one. */
  private routeToPage(head: RequestHead): Route | undefined {
    const { page } = this;
    if (page === undefined) return undefined;
    if (head.target.startsWith(wordsPath)) return wordsRoute(head, head.target.slice(wordsPath.length), page());
    if (!isForAll(head) || !namesPage.test(head.fields.values["accept"] ?? "")) return undefined;
    return head.method === "GET" || head.method === "HEAD" ? pageRoute(head, page(), this.context) : undefined;
  }

  private routeTo(document: Document, head: RequestHead, scheme: Scheme, scope: Scope | undefined): Route {
    const { method, fields } = head;
    if (method === "OPTIONS") return options;
    if (method !== "GET" && method !== "HEAD") {
      throw refuseMethod(head, allow, "A document takes GET, HEAD and OPTIONS.");
    }
    const content = document.content();
    if (!content.isCacheable) checkPreconditions("GET", fields, "this document has no entity tag");
    return this.routeToContent(content, head, scheme, scope, document.path);
  }

  /** @returns the route to a text that is not among the documents. @throws as `DocumentRoutes.route`. */
  routeToContent(
    content: DocumentContent,
    { target, fields }: RequestHead,
    scheme: Scheme,
    scope: Scope | undefined,
    path = target,
  ): Route {
    this.routes ??= new DocumentRoutes(this.context, this.documents);
    return this.routes.route(content, {
      path,
      scheme,
      // A request of HTTP/1.0 may have no host.
      authority: targetAuthority(target) ?? fields.values["host"] ?? "localhost",
      scope,
      fields,
    });
  }
}
