/**
 * A vector of the wire contract: bytes that a client sends, and what they must lead to. The unit tests send each vector
 * to the core over simulated sockets, the end-to-end tests send it to the program over real ones. The nouns are those
 * of `nouns.ts`.
 */
import type { State } from "../../ts/core/noun/state.ts";
import { executed } from "./nouns.ts";

/**
 * Bytes, and what they must lead to. Where something is wrong by its content, the wrong part holds the letters `zqx`.
 */
export interface Vector {
  /** What is special about the bytes, as the end of a sentence: "refuses ...", "answers ...". */
  readonly name: string;
  /** One byte a character. */
  readonly bytes: string;
  /** The statuses of all final answers, in order. */
  readonly answers: readonly number[];
  /**
   * After the last answer: the connection ends and nothing behind the bytes is looked at, or the next request is
   * answered.
   */
  readonly end: "close" | "keep";
  /** What the first answer holds, where the vector says it. */
  readonly state?: State;
}

/** A row of a table: a name and bytes. */
export type Row = readonly [name: string, bytes: string];

function vectors(answers: number | readonly number[], end: Vector["end"], rows: readonly Row[]): readonly Vector[] {
  return rows.map(([name, bytes]) => ({ name, bytes, answers: [answers].flat(), end }));
}

/** Vectors that end the connection with their last answer. */
export function closed(answers: number | readonly number[], rows: readonly Row[]): readonly Vector[] {
  return vectors(answers, "close", rows);
}

/** Vectors that keep the connection. */
export function kept(answers: number | readonly number[], rows: readonly Row[]): readonly Vector[] {
  return vectors(answers, "keep", rows);
}

/** Vectors of one request that is answered with a state and keeps the connection. */
export function accepted(rows: readonly (readonly [name: string, bytes: string, state: State])[]): readonly Vector[] {
  return rows.map(([name, bytes, state]) => ({ name, bytes, answers: [200], end: "keep", state }));
}

/** The Host field of most vectors. */
export const host = "Host: localhost\r\n";

/** The media type of a state. */
export const json = "Content-Type: application/json\r\n";

/** The body of `putNote`. */
export const note = '{"a":1}';

/** The body of `putLed`. */
export const led = '{"led":1}';

/** A PUT to `note` with the vector's own framing fields. @param content what follows the head. */
export function putNote(fields: string, content: string = note): string {
  return `PUT /note HTTP/1.1\r\n${host}${json}${fields}\r\n${content}`;
}

/** A PUT to `led` with the vector's own framing fields. @param content what follows the head. */
export function putLed(fields: string, content: string = led): string {
  return `PUT /led HTTP/1.1\r\n${host}${json}${fields}\r\n${content}`;
}

/** A request with a body of JSON. @param body one character a byte. @param fields further whole field lines. */
export function withBody(method: string, target: string, body: string, fields = ""): string {
  return `${method} ${target} HTTP/1.1\r\n${host}${json}Content-Length: ${body.length}\r\n${fields}\r\n${body}`;
}

/**
 * A request to `still` without a body of its own. @param fields whole field lines. @param behind what follows the head.
 */
export function bare(method: string, fields = "", behind = ""): string {
  return `${method} /still HTTP/1.1\r\n${host}${fields}\r\n${behind}`;
}

/** The request that attackers hide. No server may ever execute it. */
export const hidden: string = withBody("PUT", "/canary", JSON.stringify(executed));

/**
 * @returns the method of a vector's first request, as far as it matters to who reads the answer: one to HEAD has no
 * body.
 */
export function methodOf({ bytes }: Vector): "GET" | "HEAD" {
  return bytes.startsWith("HEAD ") ? "HEAD" : "GET";
}

/** @returns a vector as a sentence of behaviour. */
export function titleOf({ name, answers, end }: Vector): string {
  const verb = answers.at(-1) === 200 ? "answers" : answers.length > 1 ? "answers and then refuses" : "refuses";
  return `${verb} ${name} with ${answers.join(", ")} and ${end === "keep" ? "keeps" : "closes"} the connection`;
}

/**
 * Judges vectors one after the other, all of them.
 * @throws Error that names each vector that failed, with its reason.
 */
export async function judgeEach(
  vectors: readonly Vector[],
  judge: (vector: Vector) => void | Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const vector of vectors) {
    try {
      await judge(vector);
    } catch (error) {
      failures.push(`${titleOf(vector)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${vectors.length} vectors failed.\n\n${failures.join("\n\n")}`);
  }
}
