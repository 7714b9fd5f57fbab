/** A noun that keeps its state in a folder, as outputs do that are to survive a restart. */
import * as loop from "nound:loop";
import * as storage from "nound:storage";
import { KeptText } from "../../../ts/core/noun/kept-text.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";

/**
 * Holds a state. GET tells `failures`, how often the folder could not be written to, and `text`, what PUT said last.
 */
export function keptNoun(folder: string): Noun {
  let failures = 0;
  const store = storage.openStore(folder);
  const kept = new KeptText(
    { store, clock: loop },
    {
      name: "state",
      interval: 50,
      onError: () => {
        failures += 1;
      },
    },
  );
  const answer = (): State => ({ text: kept.text ?? "", failures });
  return {
    getState: answer,
    setState: (state) => {
      kept.keep(String(state["text"]));
      return answer();
    },
    updateState: answer,
    deleteState: answer,
  };
}
