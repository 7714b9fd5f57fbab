/** The states of nouns as a client reads them. */
import type { State } from "../../ts/core/noun/state.ts";
import { stateOf } from "./expected-response.ts";
import { RawConnection } from "./raw-connection.ts";
import { get } from "./request.ts";

/** The nouns that refused requests must leave alone. */
const watched = ["/led", "/note", "/canary", "/still"];

/** Reads the states of these nouns, in order, over a connection that is kept. */
export async function statesOver(connection: RawConnection, targets: readonly string[]): Promise<readonly State[]> {
  connection.send(targets.map(get).join(""));
  const states: State[] = [];
  for (const _ of targets) states.push(stateOf(await connection.response()));
  return states;
}

/** Reads the states of these nouns, in order. */
export async function readStates(
  { address }: { readonly address: string },
  targets: readonly string[] = watched,
): Promise<readonly State[]> {
  const connection = await RawConnection.open(address);
  const states = await statesOver(connection, targets);
  connection.drop();
  return states;
}
