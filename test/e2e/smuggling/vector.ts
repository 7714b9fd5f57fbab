/**
 * A smuggling vector: bytes that two parties on the way could cut into requests differently. Each is sent over a socket as it
 * stands, with a request behind it that a wrong cut would execute, swallow or answer.
 */
import type { State } from "../../../ts/noun/state.ts";
import { put } from "../harness/request.ts";

/** Bytes, and what they must lead to. */
export interface Vector {
  readonly name: string;
  /** One byte a character. */
  readonly bytes: string;
  /** The statuses of all answers, in order. */
  readonly answers: readonly number[];
  /** After the last answer: the connection ends and nothing behind it is looked at, or the next request is answered. */
  readonly end: "closed" | "kept";
}

/** A row of a table: a name and bytes. */
export type Row = readonly [name: string, bytes: string];

/** What a hidden request would make of the noun `canary`. */
export const executed = { executed: true } as const satisfies State;

/** The request that attackers hide. Nobody may ever execute it. */
export const hidden: string = put("/canary", executed);

/** Vectors that end the connection with their last answer. */
export function closed(answers: number | readonly number[], rows: readonly Row[]): readonly Vector[] {
  return rows.map(([name, bytes]) => ({ name, bytes, answers: [answers].flat(), end: "closed" }));
}

/** Vectors that are understood in one way only, and keep the connection. */
export function kept(answers: number | readonly number[], rows: readonly Row[]): readonly Vector[] {
  return rows.map(([name, bytes]) => ({ name, bytes, answers: [answers].flat(), end: "kept" }));
}

/** The Host field of most vectors. */
export const host = "Host: localhost\r\n";

/** The body of `putNote`. */
export const note = '{"a":1}';

/** A PUT to `note` with the vector's own framing fields. @param content what stands behind the head. */
export function putNote(fields: string, content: string = note): string {
  return `PUT /note HTTP/1.1\r\n${host}Content-Type: application/json\r\n${fields}\r\n${content}`;
}

/** A request without a body of its own. @param fields whole field lines. @param behind what stands behind the head. */
export function bare(method: string, fields = "", behind = ""): string {
  return `${method} /still HTTP/1.1\r\n${host}${fields}\r\n${behind}`;
}
