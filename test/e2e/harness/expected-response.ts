/** What a response must hold, by the wire contract: every field of it, and nothing that would say too much. */
import { expect } from "vitest";
import type { State } from "../../../ts/noun/state.ts";
import type { Response } from "./response.ts";

/** The reason phrases of RFC 9110, section 15, which RFC 9457, 4.2.1 wants as a problem's title. */
const reasons = new Map<number, string>([
  [200, "OK"],
  [204, "No Content"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [408, "Request Timeout"],
  [411, "Length Required"],
  [412, "Precondition Failed"],
  [413, "Content Too Large"],
  [414, "URI Too Long"],
  [415, "Unsupported Media Type"],
  [417, "Expectation Failed"],
  [421, "Misdirected Request"],
  [422, "Unprocessable Content"],
  [429, "Too Many Requests"],
  [431, "Request Header Fields Too Large"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [503, "Service Unavailable"],
  [505, "HTTP Version Not Supported"],
]);

/**
 * What becomes of the connection after an answer. "open": the contract leaves it to the server, and the answer has to say
 * truly which it is.
 */
export type Fate = "keep" | "close" | "open";

/** What `Allow` says (RFC 9110, 10.2.1): of a noun that can be set, of one that is only read, and of all nouns at once. */
export const allowed = {
  noun: "GET, HEAD, PUT, POST, DELETE, OPTIONS",
  readOnlyNoun: "GET, HEAD, DELETE, OPTIONS",
  all: "GET, HEAD, OPTIONS",
} as const;

/** Letters that samples put where they are wrong. No answer may hold them: the detail never echoes the request. */
export const marker = "zqx";

function body(response: Response): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(response.body));
}

/** Whether an answer announces the end of the connection (RFC 9112, 9.6). */
export function announcesClose(response: Response): boolean {
  return response.fields.get("connection")?.toLowerCase() === "close";
}

function expectFields(response: Response, mediaType: string, fate: Fate): void {
  expect.soft(response.reason).toBe(reasons.get(response.status));
  expect.soft(response.fields.get("content-type")).toBe(mediaType);
  expect.soft(response.fields.get("cache-control")).toBe("no-store");
  expect.soft(response.fields.has("transfer-encoding")).toBe(false);
  if (fate !== "open") {
    expect.soft(announcesClose(response), "Connection: close is announced").toBe(fate === "close");
  }
}

/** Expects a 200 with exactly this state. */
export function expectState(response: Response, state: State, fate: Fate = "keep"): void {
  expect(response.status, response.bytes).toBe(200);
  expectFields(response, "application/json", fate);
  expect(body(response)).toEqual(state);
}

/** Expects a 200. @returns its state. */
export function stateOf(response: Response): State {
  expect(response.status, response.bytes).toBe(200);
  expectFields(response, "application/json", "open");
  return body(response) as State;
}

/**
 * Expects a refusal: its status, its fields and a flat problem document that says what to correct and echoes nothing.
 * @param statuses the status, or those the contract leaves open.
 * @returns the problem's detail, empty for an answer to HEAD.
 */
export function expectProblem(
  response: Response,
  statuses: number | readonly number[],
  fate: Fate,
  method = "GET",
): string {
  expect([statuses].flat(), response.bytes).toContain(response.status);
  expectFields(response, "application/problem+json", fate);
  if (response.status === 405) {
    expect.soft(Object.values(allowed)).toContain(response.fields.get("allow"));
  }
  if (method === "HEAD") {
    expect(response.body.length, "an answer to HEAD has no body").toBe(0);
    return "";
  }
  const problem = body(response) as { status: unknown; title: unknown; detail: unknown };
  expect(problem).toEqual({
    status: response.status,
    title: reasons.get(response.status),
    detail: expect.stringMatching(/^[\x20-\x7e\u00a0-\uffff]{8,300}$/) as unknown,
  });
  const text = response.bytes.toLowerCase();
  expect.soft(text, "the answer echoes the request").not.toContain(marker);
  expect.soft(text, "the answer holds a stack trace").not.toMatch(/\.ts:|\.js:|\bat </);
  expect.soft(text, "the answer holds a path of the device").not.toMatch(/\/(?:usr|etc|home|tmp|proc|work|sys|dev)\//);
  return String(problem.detail);
}
