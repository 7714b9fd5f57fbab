/** Requests of an application to other servers. */

import { loop, system } from "../../platform/platform.ts";
import { connect, fetches, numberToFetch } from "./connections.ts";
import { type FetchOptions, type FetchResponse, fetchFrom } from "./fetch-from.ts";

/**
 * Asks another server, by HTTP/1.1 on a connection of its own. The program names the servers that it asks in
 * `reach: { connect: ["192.0.2.10:8080", "https://api.example:443"] }` of `serve`, or by `restrict`. At most 8 requests
 * run at once. A redirect is not followed, and cookies are not kept.
 * @param url `http://HOST[:PORT][/PATH]`, or the same with https, with the host as it is named in `connect`.
 * @returns a promise of the response, once all of it has arrived.
 * @throws TypeError for a malformed request; Error with a sentence without a response: the server was not named, cannot
 *   be reached or breaks off, its response is malformed, its head has more than 8 KB or its body more than 64 KB, or it
 *   takes more than 5 s; the signal's reason if that aborts (a rejected promise).
 *
 * @example
 * const response = await fetch("http://192.0.2.10:8080/cellar");
 * const { celsius } = (await response.json()) as { celsius: number | null };
 */
export function fetch(url: string, options: FetchOptions = {}): Promise<FetchResponse> {
  const context = {
    clock: loop,
    connector: { connect },
    agent: `nound/${system.version}`,
    fetches: fetches(),
    numberOf: numberToFetch,
  };
  return fetchFrom(context, url, options);
}
