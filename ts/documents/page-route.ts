/** The routes of a browser's requests to `/`, which is the page, and to the words of its other languages. */
import { acceptsGzip, preferredRepresentation } from "../http/accept.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { Page } from "../native/page.ts";
import { type Answer, RefusalAnswer } from "../operations/answer.ts";
import type { Route } from "../operations/noun-route.ts";
import type { Host } from "../server/host.ts";
import { compressedAnswer, documentAnswer, notModifiedAnswer } from "./document-answer.ts";
import { conditionalStatus, entityTagOf } from "./entity-tag.ts";

const type = "text/html; charset=utf-8";

const plainPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

/**
 * @param head of a GET or HEAD of `/`.
 * @returns the route to the page; undefined where the client prefers something else.
 */
export function pageRoute(head: RequestHead, page: Page, { hash }: Host): Route | undefined {
  const { fields } = head;
  if (preferredRepresentation(fields.values["accept"]) !== "text/html") return undefined;
  const isCompressed = acceptsGzip(fields.values["accept-encoding"]);
  const tag = isCompressed ? page.tag() : entityTagOf(plainPage, hash);
  const keeping = { fields: fieldsOf(tag, isCompressed ? page.policy() : plainPolicy), vary };
  const conditions = { ifMatch: fields.values["if-match"], ifNoneMatch: fields.values["if-none-match"] };
  const status = conditionalStatus(conditions, tag);

  function answer(): Answer {
    if (status === 412) return new RefusalAnswer(412, "The page is no longer the one that the request names.");
    if (status === 304) return notModifiedAnswer(keeping);
    if (isCompressed) return compressedAnswer(page.bytes(), type, keeping);
    return documentAnswer(plainPage, type, keeping);
  }

  // Only the last answer of a connection can have bytes.
  const isLast = isCompressed && status === 200;
  return { isLast, perform: answer };
}

/**
 * @param language the language that the request names.
 * @returns the route to the words; undefined for another method, or if the page does not have the language.
 */
export function wordsRoute({ method, fields }: RequestHead, language: string, page: Page): Route | undefined {
  const place = page.languages().split(" ").indexOf(language);
  if (place < 0 || (method !== "GET" && method !== "HEAD")) return undefined;
  const tag = page.tag();
  const keeping = { fields: `Cache-Control: private, no-cache\r\nETag: ${tag}\r\n`, vary: "" };
  const conditions = { ifMatch: fields.values["if-match"], ifNoneMatch: fields.values["if-none-match"] };
  const status = conditionalStatus(conditions, tag);

  function answer(): Answer {
    if (status === 412) return new RefusalAnswer(412, "The words are no longer those that the request names.");
    if (status === 304) return notModifiedAnswer(keeping);
    return compressedAnswer(page.words(place), "application/json", keeping);
  }

  return { isLast: status === 200, perform: answer };
}
