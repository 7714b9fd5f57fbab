/** The refusals of docs/wire-contract.md, as a description tells them. */
import type { Verb } from "../../../core/noun/verb.ts";
import type { Demands } from "./described-device.ts";

/** By status, the reason phrase, and when the refusal happens. */
export const refusals: { readonly [status: number]: readonly [title: string, description: string] } = {
  400: ["Bad Request", "The request is malformed."],
  401: ["Unauthorized", "A token is required, or the token is unknown."],
  403: ["Forbidden", "The token or the page's origin does not allow this request."],
  404: ["Not Found", "There is no noun of this name."],
  408: ["Request Timeout", "The request was not complete in time."],
  409: ["Conflict", "A guard does not allow the change now."],
  411: ["Length Required", "The body has neither a Content-Length nor a chunked coding."],
  412: ["Precondition Failed", "A precondition does not hold: a state has no entity tag."],
  413: ["Content Too Large", "The body or the state is over its limit."],
  414: ["URI Too Long", "The request target is over its limit."],
  415: ["Unsupported Media Type", "The body is not application/json, or it is compressed."],
  417: ["Expectation Failed", "The request expects something other than 100-continue."],
  421: ["Misdirected Request", "The request is for a host that this server does not answer for."],
  422: ["Unprocessable Content", "The noun refuses the state: a key, a type or a range is wrong."],
  429: ["Too Many Requests", "Too many wrong tokens have come from this address."],
  431: ["Request Header Fields Too Large", "The header section or the cookies are over their limit."],
  500: ["Internal Server Error", "The noun failed."],
  501: ["Not Implemented", "The method or the transfer coding is not known."],
  503: ["Service Unavailable", "The noun did not answer in time, or the server is at a limit."],
  505: ["HTTP Version Not Supported", "The request is neither HTTP/1.1 nor HTTP/1.0, or HTTP/1.0 and for a stream."],
};

const always = [400, 404, 408, 412, 414, 417, 431, 500, 501, 503, 505];
const withBody = [411, 413, 415, 422];

/** @returns the statuses with which a request to a noun may be refused, in ascending order. */
export function refusalsOf(method: Verb, { tokens, hosts, origins }: Demands): readonly number[] {
  return [
    ...always,
    ...(method === "PUT" || method === "POST" ? withBody : []),
    ...(tokens ? [401, 429] : []),
    ...(tokens || origins ? [403] : []),
    ...(hosts ? [421] : []),
  ].sort((one, other) => one - other);
}
