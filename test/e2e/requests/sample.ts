/** One request as bytes and what the wire contract says of it. */
import type { State } from "../../../ts/noun/state.ts";
import type { Fate } from "../harness/expected-response.ts";

/** A request that is answered with a state. */
export interface AcceptedSample {
  /** What is special about it, as the end of a sentence: "answers ...". */
  readonly name: string;
  /** One character a byte. */
  readonly bytes: string;
  readonly status: 200;
  readonly state: State;
  readonly connection: Fate;
}

/** A request that is refused. Where something is wrong by its content, the wrong part holds the letters `zqx`. */
export interface RefusedSample {
  /** What is wrong with it, as the end of a sentence: "refuses ...". */
  readonly name: string;
  /** One character a byte. */
  readonly bytes: string;
  /** The status; several where the contract leaves the precedence open. */
  readonly status: number | readonly number[];
  readonly connection: Fate;
}

/** Any request of the tables. */
export type RequestSample = AcceptedSample | RefusedSample;

/** Makes a refused sample of a row `[name, bytes]`, all rows of a table sharing their status and their connection's fate. */
export function refused(
  status: RefusedSample["status"],
  connection: Fate,
  rows: readonly (readonly [name: string, bytes: string])[],
): readonly RefusedSample[] {
  return rows.map(([name, bytes]) => ({ name, bytes, status, connection }));
}

/** Makes accepted samples of rows `[name, bytes, state]` that keep the connection. */
export function accepted(
  rows: readonly (readonly [name: string, bytes: string, state: State])[],
): readonly AcceptedSample[] {
  return rows.map(([name, bytes, state]) => ({ name, bytes, status: 200, state, connection: "keep" }));
}

/** The default state of `still`, the noun that samples read and nobody changes. */
export const stillState = { n: 1.5, s: "x", b: true, z: null } as const satisfies State;
