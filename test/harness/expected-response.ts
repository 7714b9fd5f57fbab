/** What a response must hold, by the wire contract: every field of it, and nothing that would say too much. */
import { expect } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import type { Answer } from "../../ts/program/testing/http-answer.ts";
import { jsonOf } from "./response.ts";
import { reasonOf } from "./statuses.ts";

/**
 * What becomes of the connection after an answer. "open": the contract leaves it to the server, and the answer has to
 * say truly which it is.
 */
export type Fate = "keep" | "close" | "open";

/**
 * What `Allow` says (RFC 9110, 10.2.1): of a noun that can be set, of one that is only read, and of all nouns at once.
 */
export const allowed = {
  noun: "GET, HEAD, PUT, POST, DELETE, OPTIONS",
  readOnlyNoun: "GET, HEAD, DELETE, OPTIONS",
  all: "GET, HEAD, OPTIONS",
} as const;

/** Letters that samples put where they are wrong. No answer may hold them: the detail never echoes the request. */
export const marker = "zqx";

/** Whether an answer announces the end of the connection (RFC 9112, 9.6). */
export function announcesClose({ fields }: Answer): boolean {
  return fields.get("connection") === "close";
}

function expectFields(response: Answer, mediaType: string, fate: Fate): void {
  expect(response.reason).toBe(reasonOf(response.status));
  expect(response.fields.get("content-type")).toBe(mediaType);
  expect(response.fields.get("cache-control")).toBe("no-store");
  if (fate !== "open") {
    expect(announcesClose(response), "Connection: close is announced").toBe(fate === "close");
  }
}

/** Expects a 200 with exactly this state. */
export function expectState(response: Answer, state: State, fate: Fate = "keep"): void {
  expect(response.status, response.content).toBe(200);
  expectFields(response, "application/json", fate);
  expect(jsonOf(response)).toEqual(state);
}

/** Expects a 200. @returns its state. */
export function stateOf(response: Answer): State {
  expect(response.status, response.content).toBe(200);
  expectFields(response, "application/json", "open");
  return jsonOf(response) as State;
}

/**
 * Expects a refusal: its status, its fields and a flat problem document that says what to correct and echoes nothing.
 * @param statuses the status, or those the contract leaves open.
 * @returns the problem's detail, empty for an answer to HEAD.
 */
export function expectProblem(
  response: Answer,
  statuses: number | readonly number[],
  fate: Fate = "open",
  method = "GET",
): string {
  const { status, fields, content } = response;
  expect([statuses].flat(), content).toContain(status);
  expectFields(response, "application/problem+json", fate);
  if (status === 405) expect(Object.values(allowed)).toContain(fields.get("allow"));
  else expect(fields.has("allow"), "what is allowed is no subject").toBe(false);
  if (method === "HEAD") {
    expect(content, "an answer to HEAD has no content").toBe("");
    return "";
  }
  const problem = jsonOf(response) as { readonly detail: string };
  expect(problem).toEqual({
    status,
    title: reasonOf(status),
    detail: expect.stringMatching(/^[A-Z][\x20-\x7e]{6,298}\.$/) as unknown,
  });
  const text = `${[...fields].join()}${content}`.toLowerCase();
  expect(text, "the answer echoes the request").not.toContain(marker);
  expect(text, "the answer holds a stack trace").not.toMatch(/\.ts:|\.js:|\bat </);
  expect(text, "the answer holds a path of the device").not.toMatch(/\/(?:usr|etc|home|tmp|proc|work|sys|dev)\//);
  return problem.detail;
}
