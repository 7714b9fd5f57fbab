/** What a connection reads of bytes, without nouns: every head is admitted, and every body is taken as it is. */
import { admittedFreely } from "../../../ts/core/access/admission.ts";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { emptyState } from "../../../ts/core/noun/state.ts";
import type { Route } from "../../../ts/core/operations/noun-route.ts";
import { requestOf, withBody } from "../../../ts/core/server/admitted-request.ts";
import { HeadMemory } from "../../../ts/core/server/head-memory.ts";
import { defaultLimits, type ServerLimits } from "../../../ts/core/server/options.ts";
import { continueSignal, type ReaderContext, RequestReader } from "../../../ts/core/server/request-reader.ts";

/** A complete request. */
export interface ReadRequest {
  readonly method: string;
  /** As sent. */
  readonly target: string;
  /** One character a byte. */
  readonly body: string;
}

/** What became of bytes. */
export interface Reading {
  readonly requests: readonly ReadRequest[];
  /** The refusal that ended the connection. */
  readonly refusal: { readonly status: number; readonly detail: string; readonly ofHead: boolean } | undefined;
}

const route: Route = {
  takesBody: true,
  perform: () => {
    throw new Error("Nothing is performed here.");
  },
};

/**
 * @param limits that differ from the defaults.
 * @param refusesTarget a target whose requests are refused for their head, and their bodies skipped.
 * @returns a reader, and a function that gives the body of the last request.
 */
export function newReader(limits: Partial<ServerLimits> = {}, refusesTarget: string | undefined = undefined) {
  const complete = { ...defaultLimits, ...limits };
  let body = "";
  const service: ReaderContext["service"] = {
    admit: (head) => {
      body = "";
      const admission = admittedFreely;
      const refusal = (error: HttpError) => ({ head, admission, error, close: error.close });
      if (head.target === refusesTarget) return refusal(HttpError.keeping(404, "This target is refused."));
      if (head.contentLength > complete.bodyBytes) return refusal(HttpError.closing(413, "The body is too long."));
      return requestOf(head, admission, route);
    },
    readBody: (admitted, bytes) => {
      body = bytes;
      return withBody(admitted, emptyState, bytes.length);
    },
  };
  const heads = new HeadMemory(complete.headerBytes);
  const reader = new RequestReader({ limits: complete, heads, service }, { peer: "" });
  return { reader, lastBody: () => body };
}

/** Reads pieces as a connection does, up to a request or a refusal that ends it. */
export function read(pieces: readonly string[], ...chosen: Parameters<typeof newReader>): Reading {
  const { reader, lastBody } = newReader(...chosen);
  const requests: ReadRequest[] = [];
  for (const piece of pieces) {
    reader.feed(piece);
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      if (next === continueSignal) continue;
      if (!("head" in next)) return { requests, refusal: undefined };
      const { method, target, close } = next.head;
      if ("error" in next) {
        const { status, message: detail } = next.error;
        if (next.close) return { requests, refusal: { status, detail, ofHead: method === "HEAD" } };
        requests.push({ method, target, body: "refused" });
      } else {
        requests.push({ method, target, body: lastBody() });
      }
      if (close) return { requests, refusal: undefined };
    }
  }
  return { requests, refusal: undefined };
}
