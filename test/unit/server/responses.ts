/** Reads the answers a server has put on the wire, as strictly as RFC 9112 lets one write them. */
import { expect } from "vitest";

/** One answer. */
export interface Response {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  /** Field values by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  /** One character a byte. */
  readonly body: string;
}

const statusLine = /^HTTP\/1\.1 ([1-5][0-9]{2}) ([\x21-\x7e][\x20-\x7e]*)$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;

function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = fieldLine.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a field line: ${JSON.stringify(line)}`);
    if (fields.has(name.toLowerCase())) throw new Error(`The field ${name} came twice.`);
    fields.set(name.toLowerCase(), value);
  }
  return fields;
}

/**
 * @param bytes all that was received, one character a byte.
 * @param bodiless which answers, counted from 0 and interim ones included, are to a HEAD.
 * @returns the answers in order, interim ones (1xx) included.
 * @throws Error when the bytes are anything but a row of complete answers.
 */
export function readResponses(bytes: string, bodiless: readonly number[] = []): readonly Response[] {
  const responses: Response[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", start);
    if (end < 0) throw new Error(`An answer is not complete: ${JSON.stringify(bytes.slice(start))}`);
    const [first = "", ...lines] = bytes.slice(start, end).split("\r\n");
    const [, status, reason] = statusLine.exec(first) ?? [];
    if (status === undefined || reason === undefined) throw new Error(`Not a status line: ${JSON.stringify(first)}`);
    const fields = readFields(lines);
    const contentless = status.startsWith("1") || status === "204";
    const declared = fields.get("content-length");
    if (contentless !== (declared === undefined)) {
      throw new Error("A final answer other than a 204, and no other, has a Content-Length.");
    }
    const length = contentless || bodiless.includes(responses.length) ? 0 : Number(declared);
    const body = bytes.slice(end + 4, end + 4 + length);
    if (body.length < length) throw new Error("A body is shorter than its Content-Length.");
    responses.push({ status: Number(status), reason, fields, body });
    start = end + 4 + length;
  }
  return responses;
}

/** @returns the statuses of the answers, in order. */
export function statuses(bytes: string): readonly number[] {
  return readResponses(bytes).map(({ status }) => status);
}

/** @returns the one answer. @throws Error when there is not exactly one. */
export function readResponse(bytes: string): Response {
  const [response, ...more] = readResponses(bytes);
  if (response === undefined || more.length > 0) throw new Error(`Not one answer: ${JSON.stringify(bytes)}`);
  return response;
}

/** @returns the JSON of an answer's body. */
export function jsonOf(response: Response): unknown {
  return JSON.parse(Buffer.from(response.body, "latin1").toString("utf8"));
}

/** Expects a 200 with this state and the fields that every answer with a body has. */
export function expectState(response: Response, state: unknown): void {
  expect(response.status).toBe(200);
  expect(response.reason).toBe("OK");
  expect(response.fields.get("content-type")).toBe("application/json");
  expect(response.fields.get("cache-control")).toBe("no-store");
  expect(jsonOf(response)).toEqual(state);
}

/** The reason phrases of RFC 9110, section 15. */
const reasons = new Map([
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

/** What is allowed at a noun that can be set, at one that cannot, and at all nouns. */
const allow = /^GET, HEAD, (?:(?:PUT, POST, )?DELETE, )?OPTIONS$/;

/** A detail is one sentence or more of printable text. */
const sentences = /^[A-Z][\x20-\x7e]{6,400}\.$/;

/** Expects a refusal with its flat problem document. @returns the document's detail. */
export function expectProblem(response: Response, status: number): string {
  expect(response.status, response.body).toBe(status);
  expect(response.reason).toBe(reasons.get(status));
  expect(response.fields.get("content-type")).toBe("application/problem+json");
  expect(response.fields.get("cache-control")).toBe("no-store");
  expect(response.fields.get("allow")).toEqual(status === 405 ? expect.stringMatching(allow) : undefined);
  const problem = jsonOf(response) as { readonly detail: string };
  expect(problem).toEqual({
    status,
    title: reasons.get(status),
    detail: expect.stringMatching(sentences) as unknown,
  });
  return problem.detail;
}
