/**
 * Sources of routes: what a server may have besides the states of its nouns. These are the documents with the page, and
 * the streams. The program that makes the server provides them; the server knows only this interface.
 */

import type { Socket } from "../../native/net.ts";
import type { Changes } from "../../parts/changes/changes.ts";
import type { Guards } from "../../parts/guards/guards.ts";
import type { History } from "../../parts/history/history.ts";
import type { NeededToken } from "../access/access.ts";
import type { Scope } from "../access/admission.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { Route } from "../operations/noun-route.ts";
import type { Host } from "./host.ts";

/** The scheme of a request's URL: `https` on an encrypted connection. */
export type Scheme = "http" | "https";

/** What a request is for, instead of the state of a noun. */
export interface Found {
  /** The token that the request needs, if the server requires tokens; as for the states if left out. */
  readonly needed?: NeededToken;
  /** @param scope what the request's token allows. @throws HttpError 400, 403, 404, 405, 412, 415 or 501. */
  route(scope: Scope | undefined): Route;
}

export interface Source {
  /** The field line of `/` that names its documents (RFC 8288, 3); none if left out. */
  readonly link?: string;
  /** Whether it has a page. The page's own origin may then use the server. */
  readonly hasPage?: boolean;
  /** The number of streams that are open. */
  readonly size?: number;
  /** @returns what a request is for; undefined if it is not for this source. */
  find(head: RequestHead, scheme: Scheme): Found | undefined;
  /** @throws Error with a sentence when a noun cannot have this name. */
  checkName?(name: string): void;
  /** Ends or forgets what is outdated. @param name the noun that was registered or removed; undefined for new tokens. */
  update(name?: string): void;
  /** Frees memory, if it holds any that others may need more. @returns whether it did. */
  relieve(): boolean;
  /** Ends the oldest stream on a socket for which `isOne` holds. @returns false if there is none. */
  endOldest?(isOne: (socket: Socket) => boolean): boolean;
  /** Ends what it has open. Nothing opens after that. */
  close?(): void;
}

/** Makes the sources of a server, its guards, its list of changes and its history. Each function may be left out. */
export interface Sources {
  readonly documents?: (host: Host) => Source;
  /** Called when the first client requests a stream. */
  readonly streams?: (host: Host) => Source;
  /** Called when the first noun with a guard is registered. */
  readonly guards?: (host: Host) => Guards;
  /** Called for the first change, and for the first client that follows the changes. */
  readonly changes?: ((host: Host) => Changes) | undefined;
  /** Called for the first client that asks for the history of a noun, or earlier. */
  readonly history?: ((host: Host) => History) | undefined;
}
