/**
 * The route of a browser's request to `/`: the page. It is read when the first browser asks, and so it imports nothing that the program
 * has.
 */
import { preferredRepresentation } from "../http/accept.ts";
import type { RequestHead } from "../http/request.ts";
import type { Delivery } from "../http/response.ts";
import type { Page } from "../native/page.ts";
import type { Answer } from "../server/answer.ts";
import type { Route } from "../server/noun-route.ts";
import { acceptsGzip } from "./accept-encoding.ts";
import { DocumentAnswer, NotModifiedAnswer, type Wire } from "./document-answer.ts";
import type { DocumentRouteContext } from "./document-route.ts";
import { conditionalStatus } from "./entity-tag.ts";

const type = "text/html; charset=utf-8";

const plainPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a client gets that does not take gzip: the page itself is there in that coding alone. */
const plainPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A newer browser is needed</title>
<h1>A newer browser is needed</h1>
<p>This device sends its page compressed by gzip, which this browser does not accept.
<p>The states of its nouns are here as JSON, for requests with the field <code>Accept: application/json</code>.
</html>
`;

function fieldsOf(tag: string, policy: string): string {
  return (
    `Cache-Control: private, no-cache\r\nETag: ${tag}\r\nContent-Security-Policy: ${policy}\r\n` +
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
  );
}

/** A 200 with the page. Its bytes go behind the text of the answer. */
class PageAnswer implements Answer {
  readonly status = 200;
  readonly note = "";
  readonly bytes: ArrayBuffer;
  private readonly wire: Wire;
  private readonly fields: string;

  constructor(wire: Wire, bytes: ArrayBuffer, fields: string) {
    this.wire = wire;
    this.bytes = bytes;
    this.fields = fields;
  }

  write({ close, fields }: Delivery): string {
    const all = this.fields + this.wire.withVary(fields, vary) + (close ? this.wire.closeField : "");
    return (
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\n` +
      `Content-Length: ${this.bytes.byteLength}\r\n${all}\r\n`
    );
  }
}

const vary = "Accept, Accept-Encoding";

/**
 * @param head of a GET or HEAD of `/`.
 * @returns the route to the page; undefined where the client prefers something else.
 */
export function pageRoute(
  head: RequestHead,
  page: Page,
  { wire, hash, refuse }: DocumentRouteContext,
): Route | undefined {
  const { fields } = head;
  if (preferredRepresentation(fields.value("accept"), ["text/event-stream", "text/html"]) !== "text/html")
    return undefined;
  const isCompressed = acceptsGzip(fields.value("accept-encoding"));
  const tag = isCompressed ? page.tag() : `"${hash?.sha256(plainPage).slice(0, 32)}"`;
  const own = fieldsOf(tag, isCompressed ? page.policy() : plainPolicy);
  const conditions = { ifMatch: fields.value("if-match"), ifNoneMatch: fields.value("if-none-match") };
  const status = conditionalStatus(conditions, tag);

  function answer(): Answer {
    if (status === 412) return refuse(412, "The page is no longer the one that the request names.");
    if (status === 304) return new NotModifiedAnswer(wire, { fields: own, vary });
    if (isCompressed) return new PageAnswer(wire, page.bytes(), own);
    return new DocumentAnswer(wire, plainPage, type, { fields: own, vary });
  }

  // Bytes can only end a connection.
  const isLast = isCompressed && status === 200;
  return { takesBody: false, shape: undefined, isLast, perform: answer };
}
