/** The documents of a server: finds the one that a request is for. */
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { decodeUnreserved, targetAuthority, targetPath } from "../http/request-target.ts";
import type { Page } from "../native/page.ts";
import type { Document } from "./document.ts";
import { type DocumentsContext, documentRoute } from "./document-route.ts";
import type { Route } from "./noun-route.ts";
import { pageRoute } from "./page-route.ts";
import type { Admission } from "./request.ts";
import { isForAll, optionsRoute, refuseMethod } from "./router.ts";

/** Field lines of every refusal of a method, and of the answer to OPTIONS. */
const allow = "Allow: GET, HEAD, OPTIONS\r\n";
const options = optionsRoute(allow);

/** What an Accept field has that may prefer the page; only then it is read. */
const namesPage = /text\/html/i;

/** The documents of one server. */
export class Documents {
  private readonly byPath = new Map<string, Document>();
  private readonly context: DocumentsContext;
  private readonly page: (() => Page) | undefined;

  /** The field line of `/` that tells of the documents (RFC 8288, 3); "" without any. */
  readonly link: string;

  /** @param page gives what browsers get of `/`; undefined where that is switched off. */
  constructor(documents: readonly Document[], page: (() => Page) | undefined, context: DocumentsContext) {
    this.page = page;
    for (const document of documents) this.byPath.set(document.path, document);
    this.context = context;
    const links = documents
      .filter(({ relation }) => relation !== "")
      .map(({ path, relation }) => `<${path}>; ${relation}`);
    this.link = links.length === 0 ? "" : `Link: ${links.join(", ")}\r\n`;
  }

  /** @param target of a request, as sent. @returns the document there. */
  find(target: string): Document | undefined {
    const document = this.byPath.get(target);
    if (document !== undefined || (target.startsWith("/") && !target.includes("%"))) return document;
    try {
      return this.byPath.get(decodeUnreserved(targetPath(target)));
    } catch (error) {
      if (error instanceof HttpError) return undefined; // the router says what is wrong with it
      throw error;
    }
  }

  /** @returns the route of a request that prefers the page, once it is admitted; undefined for every other one. */
  routeToPage(head: RequestHead): Route | undefined {
    const { page } = this;
    if (page === undefined || !isForAll(head) || !namesPage.test(head.fields.value("accept") ?? "")) return undefined;
    return head.method === "GET" || head.method === "HEAD" ? pageRoute(head, page(), this.context) : undefined;
  }

  /** @throws Error with a sentence when a document has the noun's name. */
  checkName(name: string): void {
    const document = this.byPath.get(`/${name}`);
    if (document === undefined) return;
    throw new Error(
      `A noun cannot be named ${name}, because ${document.path} is a document: give it another name, or ${document.switchOff}.`,
    );
  }

  /**
   * @returns the route of an admitted request to a document.
   * @throws HttpError 501 or 405.
   */
  route(document: Document, head: RequestHead, { reach }: Admission): Route {
    const { method, fields } = head;
    if (method === "OPTIONS") return options;
    if (method !== "GET" && method !== "HEAD") {
      throw refuseMethod(head, allow, "A document takes GET, HEAD and OPTIONS.");
    }
    return documentRoute(document.content(), this.context, {
      authority: targetAuthority(head.target) ?? fields.value("host") ?? "",
      reach,
      ifMatch: fields.value("if-match"),
      ifNoneMatch: fields.value("if-none-match"),
    });
  }
}
