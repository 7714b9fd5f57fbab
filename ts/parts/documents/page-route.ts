/** The routes of a browser's requests to `/`, which is the page, and to the words of its other languages. */
import { acceptsGzip, preferredRepresentation } from "../../core/http/representation.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { plainPolicy } from "../../core/http/response.ts";
import { type Answer, RefusalAnswer } from "../../core/operations/answer.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { Host } from "../../core/server/host.ts";
import type { Page } from "../../native/page.ts";
import { compressedAnswer, documentAnswer, type Keeping, notModifiedAnswer } from "./document-answer.ts";
import { conditionalStatus, entityTagOf } from "./entity-tag.ts";

const type = "text/html; charset=utf-8";

/** The answer to a client that does not accept gzip, because the page exists only compressed by gzip. */
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
    "Referrer-Policy: no-referrer\r\n"
  );
}

const vary = "Accept, Accept-Encoding";

/** A document, by its answers' fields. */
interface Kept extends Keeping {
  readonly tag: string;
  /** What a client hears whose document is another one. */
  readonly changed: string;
}

/**
 * @param content makes the answer with the document. @param hasBytes whether that is the last one of its connection.
 * @returns the route, whose answer the conditions of the request decide (RFC 9110, 13).
 */
function routeTo({ fields }: RequestHead, kept: Kept, content: () => Answer, hasBytes: boolean): Route {
  const status = conditionalStatus(fields, kept.tag);

  function answer(): Answer {
    if (status === 412) return new RefusalAnswer(412, kept.changed);
    return status === 304 ? notModifiedAnswer(kept) : content();
  }

  return { isLast: hasBytes && status === 200, perform: answer };
}

/**
 * @param head of a GET or HEAD of `/`.
 * @returns the route to the page; undefined where the client prefers something else.
 */
export function pageRoute(head: RequestHead, page: Page, { hash }: Host): Route | undefined {
  const { fields } = head;
  if (preferredRepresentation(fields.values["accept"]) !== "text/html") return undefined;
  const isCompressed = acceptsGzip(fields.values["accept-encoding"]);
  const tag = isCompressed ? page.tag() : entityTagOf(plainPage, hash);
  const changed = "The page is no longer the one that the request names.";
  const kept = { tag, fields: fieldsOf(tag, isCompressed ? page.policy() : plainPolicy), vary, changed };
  const content = () =>
    isCompressed ? compressedAnswer(page.bytes(), type, kept) : documentAnswer(plainPage, type, kept);
  return routeTo(head, kept, content, isCompressed);
}

/**
 * @param language the language that the request names.
 * @returns the route to the words; undefined for another method, or if the page does not have the language.
 */
export function wordsRoute(head: RequestHead, language: string, page: Page): Route | undefined {
  const { method } = head;
  const place = page.languages().split(" ").indexOf(language);
  if (place < 0 || (method !== "GET" && method !== "HEAD")) return undefined;
  const tag = page.tag();
  const changed = "The words are no longer those that the request names.";
  const kept = { tag, fields: `Cache-Control: private, no-cache\r\nETag: ${tag}\r\n`, vary: "", changed };
  return routeTo(head, kept, () => compressedAnswer(page.words(place), "application/json", kept), true);
}
