/** The last failures that the device lists, as lines of JSON. */
import { isObject, parseJson, textOf } from "./scalar.ts";

export interface LastFailure {
  readonly time: string;
  /** What failed: the name of a noun, or words. */
  readonly of: string;
  /** A sentence. */
  readonly text: string;
  readonly times: number;
}

/** @param text lines of JSON; undefined if the client may not read them. @returns the failures, the last one first. */
export function failuresIn(text = ""): readonly LastFailure[] {
  const failures = text.split("\n").flatMap((line): LastFailure[] => {
    const failure = parseJson(line);
    if (!isObject(failure)) return [];
    const [time = "", of = "", said = ""] = ["time", "of", "text"].map((name) => textOf(failure, name));
    const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/[^.!?]$/, "$&.");
    return [{ time, of, text: sentence, times: Number(failure["times"]) }];
  });
  return failures.reverse();
}
