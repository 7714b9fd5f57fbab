/** The answers that a server has put on the simulated network. */
import { type Answer, readAnswer } from "../../../ts/program/testing/http-answer.ts";

export { announcesClose, expectProblem, expectState } from "../../harness/expected-response.ts";
export { jsonOf } from "../../harness/response.ts";

/**
 * @param bytes all that was received, one character a byte.
 * @param bodiless which answers, counted from 0 and interim ones included, are to a HEAD.
 * @returns the answers in order, interim ones (1xx) included.
 * @throws Error when the bytes are anything but a row of complete answers.
 */
export function readResponses(bytes: string, bodiless: readonly number[] = []): readonly Answer[] {
  const responses: Answer[] = [];
  for (let rest = bytes; rest !== ""; ) {
    const response = readAnswer(rest, bodiless.includes(responses.length));
    if (response === undefined) throw new Error(`An answer is not complete: ${JSON.stringify(rest)}`);
    responses.push(response);
    rest = rest.slice(response.length);
  }
  return responses;
}

/** @returns the statuses of the answers, in order. */
export function statuses(bytes: string): readonly number[] {
  return readResponses(bytes).map(({ status }) => status);
}

/** @returns the one answer. @throws Error when there is not exactly one. */
export function readResponse(bytes: string): Answer {
  const [response, ...more] = readResponses(bytes);
  if (response === undefined || more.length > 0) throw new Error(`Not one answer: ${JSON.stringify(bytes)}`);
  return response;
}
