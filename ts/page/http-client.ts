/** Requests to the device that the page came from. */

import { keptToken } from "./kept.ts";
import { rootPath } from "./root-path.ts";
import { refusalOf, say } from "./say.ts";
import { parseJson, textOf } from "./scalar.ts";

/** The token is never sent in an address. If the browser stores nothing, it lasts as long as the page. */
export const token = {
  value: keptToken.read(),
  keep(value: string, isRemembered = false): void {
    token.value = value;
    keptToken.write(value, isRemembered);
  },
  /**
   * Takes the token that this browser remembers. Only a device that requires one is worth the wait for its file.
   * @returns whether there is one and none was in use.
   */
  recall(): boolean {
    if (token.value !== "") return false;
    token.value = keptToken.readRemembered();
    return token.value !== "";
  },
};

/**
 * Sends a request. A proxy that has the device below a path may know its visitors by a cookie; the device never does.
 * @param path at the device. @throws what `fetch` throws.
 */
export function send(path: string, accept: string, signal: AbortSignal, init: RequestInit = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: accept };
  if (token.value !== "") headers["Authorization"] = `Bearer ${token.value}`;
  if (init.body !== undefined) headers["Content-Type"] = "application/json";
  const root = rootPath();
  const credentials = root === "/" ? "omit" : "same-origin";
  const own = { headers, signal, credentials, redirect: "error" } as const;
  return fetch(root + path.slice(1), { cache: "no-store", ...init, ...own });
}

/** ms to wait for an answer. */
const answerTime = 10_000;

/** @returns the text of a document of the device; undefined if it does not come, or the client may not read it. */
export async function readDocument(path: string, accept: string): Promise<string | undefined> {
  try {
    const response = await send(path, accept, AbortSignal.timeout(answerTime));
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** The page asks again after so many s, whatever an answer requests. */
const longestWait = 60;

/**
 * @returns the result of an answer, once its body has arrived: that as JSON, a sentence about a refusal, and the s to
 *   wait by its Retry-After, 0 without it.
 */
export async function readReply(response: Response) {
  const json = parseJson(await response.text());
  const detail = textOf(json, "detail") ?? say("refused", response.status);
  const sentence = `${refusalOf(response.status)} ${detail}`.trim();
  const seconds = Math.max(Number(response.headers.get("retry-after")), 0) || 0;
  return { status: response.status, json, sentence, retryAfter: Math.min(seconds, longestWait) };
}

export type Reply = Readonly<Awaited<ReturnType<typeof readReply>>>;

/** Sends a request that must be answered within 10 s. @returns its result, with the status 0 if there is no answer. */
export async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
  try {
    return await readReply(await send(path, "application/json", AbortSignal.timeout(answerTime), init));
  } catch {
    return { status: 0, json: undefined, sentence: say("noAnswer"), retryAfter: 0 };
  }
}
