/** Whole requests seen lately, byte for byte, with all that was made of them up to the noun's door. */
import { Recent } from "../http/recent.ts";
import type { RequestHead } from "../http/request.ts";
import { ParserMemory } from "../http/request-parser.ts";
import type { State } from "../noun/state.ts";
import type { Route } from "./router.ts";

/** A request that was accepted. */
export interface KnownRequest {
  readonly head: RequestHead;
  readonly route: Route;
  readonly state: State;
}

/** What a server remembers of the requests it has answered. */
export class KnownRequests {
  /** What the connections' parsers share. */
  readonly parsed = new ParserMemory();
  private readonly requests = new Recent<KnownRequest>(32, 1024);

  /** @param bytes a read's bytes. @returns the request, when they are exactly one that is known. */
  find(bytes: string): KnownRequest | undefined {
    return this.requests.get(bytes);
  }

  /** Keeps a request. @param bytes all of its bytes. */
  keep(bytes: string, request: KnownRequest): void {
    if (!request.head.expectsContinue) this.requests.add(bytes, request);
  }

  /** Forgets the requests: their nouns may not be registered any more. */
  forgetRoutes(): void {
    this.requests.clear();
  }
}
