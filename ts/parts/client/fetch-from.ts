/**
 * Requests of an author's program to other servers: a small part of the web's `fetch`, on one exchange each.
 *
 *     const response = await fetchFrom(context, "http://192.0.2.10:8080/cellar", {});
 *     response.status; // 200
 */
import { decodeUtf8, utf8Length } from "../../core/http/utf8.ts";
import { Exchange, type ExchangeContext, type ExchangeOptions } from "./exchange.ts";
import type { ResponseReader } from "./response-reader.ts";
import { type HttpUrl, parseHttpUrl } from "./url.ts";

/**
 * What ends a request early: the `signal` of an `AbortController`.
 *
 * @example
 * const controller = new AbortController();
 * const signal: FetchSignal = controller.signal;
 * setTimeout(() => controller.abort(), 1_000);
 * const response = await fetch("http://192.0.2.10:8080/cellar", { signal });
 */
export interface FetchSignal {
  /** Whether it has ended the request. */
  readonly aborted: boolean;
  /** The promise of the response is rejected with it. */
  readonly reason: unknown;
  /** Has a function called when it aborts. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Has the function called no more. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The request of `fetch`.
 *
 * @example
 * const options: FetchOptions = {
 *   method: "PUT",
 *   headers: { "Content-Type": "application/json" },
 *   body: JSON.stringify({ on: 1 }),
 * };
 * await fetch("http://192.0.2.10:8080/heater", options);
 */
export interface FetchOptions {
  /** GET if left out. */
  readonly method?: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Header fields; at most 8 KB with the rest of the head. Those of the connection are set by `fetch`. */
  readonly headers?: { readonly [name: string]: string };
  /** At most 64 KB as UTF-8. Without a field Content-Type it is `text/plain;charset=UTF-8`, as on the web. */
  readonly body?: string;
  /** Ends the request early. */
  readonly signal?: FetchSignal;
}

/**
 * The response to `fetch`. All of it has arrived.
 *
 * @example
 * const response: FetchResponse = await fetch("http://192.0.2.10:8080/cellar");
 * if (!response.ok) throw new Error(`the cellar answers ${response.status}`);
 * const { celsius } = (await response.json()) as { celsius: number | null };
 */
export interface FetchResponse {
  /** 200 to 599. A redirect is a status like the others. */
  readonly status: number;
  /** Whether the status is 200 to 299. */
  readonly ok: boolean;
  /** The header fields. */
  readonly headers: {
    /** @returns the value of a field, in any case of its name; null without it. Several lines are joined by commas. */
    get(name: string): string | null;
  };
  /** @throws Error if the body is not UTF-8 (a rejected promise). */
  text(): Promise<string>;
  /** @throws as `text`, and SyntaxError if the body is not JSON. */
  json(): Promise<unknown>;
}

/** The dependencies of requests. */
export interface FetchContext extends ExchangeContext {
  /** The requests under way. */
  readonly fetches: { underWay: number };
  /** @returns the number of a server at the connector. @throws Error with a sentence if it was not named. */
  numberOf(target: string): number;
}

/** ms from the call for a connection to the end of the response. */
const time = 5_000;

const limits = { headBytes: 8_192, bodyBytes: 65_536 };

/** Each may hold a head and a body. */
const mostUnderWay = 8;

const methods: readonly unknown[] = ["GET", "PUT", "POST", "PATCH", "DELETE"];

/** RFC 9110, 5.6.2 and 5.5, without opaque bytes. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;

/** Fields that determine the framing, the connection or the way. */
const ownFields: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
];

function check(isRight: boolean, sentence: string): void {
  if (!isRight) throw new TypeError(sentence);
}

/** @returns the field lines. @throws TypeError */
function fieldLines(headers: Readonly<Record<string, string>>, hasBody: boolean): string {
  const names = new Set<string>();
  let lines = "";
  for (const [name, value] of Object.entries(headers)) {
    const known = name.toLowerCase();
    check(fieldName.test(name) && fieldValue.test(value), `fetch cannot send the header field ${name}.`);
    check(!ownFields.includes(known), `fetch sets the header field ${name} itself; leave it out.`);
    check(!names.has(known), `The header field ${name} occurs twice.`);
    names.add(known);
    lines += `${name}: ${value}\r\n`;
  }
  return hasBody && !names.has("content-type") ? `${lines}Content-Type: text/plain;charset=UTF-8\r\n` : lines;
}

type Request = Pick<ExchangeOptions, "method" | "url" | "fields" | "body">;

/** @throws TypeError saying what is malformed. */
function requestOf(url: HttpUrl, { method = "GET", headers = {}, body }: FetchOptions): Request {
  check(methods.includes(method), `The method of fetch must be one of ${methods.join(", ")}.`);
  check(body === undefined || typeof body === "string", "The body of fetch must be a string.");
  check(body === undefined || method !== "GET", "A GET has no body.");
  check(utf8Length(body ?? "") <= limits.bodyBytes, `The body of fetch has at most ${limits.bodyBytes} bytes.`);
  const fields = fieldLines(headers, body !== undefined);
  check(
    fields.length + url.path.length <= limits.headBytes,
    `The head of fetch has at most ${limits.headBytes} bytes.`,
  );
  // A server may wait for the body of these.
  const needsLength = method !== "GET" && method !== "DELETE";
  return { method, url, fields, body: body?.toWellFormed() ?? (needsLength ? "" : undefined) };
}

function responseOf(reader: ResponseReader): FetchResponse {
  const { status, body } = reader;
  const text = async () => {
    const decoded = decodeUtf8(body);
    if (decoded === undefined) throw new Error("The body of the response is not UTF-8.");
    return decoded;
  };
  return {
    status,
    ok: status < 300,
    headers: { get: (name) => reader.field(name) ?? null },
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
}

/** @throws as `fetch` of "nound" (a rejected promise). */
export async function fetchFrom(context: FetchContext, url: string, options: FetchOptions): Promise<FetchResponse> {
  const parts = parseHttpUrl(url);
  if (parts === undefined) throw new TypeError(`fetch takes a URL such as http://192.0.2.10:8080/cellar, not ${url}.`);
  const request = requestOf(parts, options);
  // A noun may ask while it is made, before the program has named its servers.
  await undefined;
  const target = context.numberOf(parts.target);
  const { signal } = options;
  if (signal?.aborted) throw signal.reason;
  const { fetches } = context;
  const isEndProven = url.startsWith("https:");
  if (fetches.underWay === mostUnderWay) throw new Error(`fetch has ${mostUnderWay} requests under way.`);
  fetches.underWay += 1;
  return await new Promise((resolve, reject) => {
    let exchange: Exchange | undefined;
    const abort = () => exchange?.cancel();
    signal?.addEventListener("abort", abort);
    exchange = new Exchange(
      context,
      { ...request, target, limits: { ...limits, isEndProven }, time, keepsBody: true },
      (outcome) => {
        fetches.underWay -= 1;
        signal?.removeEventListener("abort", abort);
        if (signal?.aborted) reject(signal.reason);
        else if (typeof outcome === "string") reject(new Error(`${parts.target}: ${outcome}`));
        else resolve(responseOf(outcome));
      },
    );
  });
}
