/** The changes that the device lists, as lines of JSON. */
import { isObject, parseJson, type State, textOf } from "./scalar.ts";

/** The most changes that are shown. */
const most = 8;

/** A change of a noun. */
export interface Change {
  readonly time: string;
  readonly state: State | null;
  readonly by: string;
}

/** @param text lines of JSON. @returns the changes of a noun, the last one first. */
export function changesIn(text: string, noun: string): readonly Change[] {
  const changes = text.split("\n").flatMap((line): Change[] => {
    const change = parseJson(line);
    if (!isObject(change) || change["noun"] !== noun) return [];
    const { state } = change;
    const [time, by] = [textOf(change, "time") ?? "", textOf(change, "by") ?? ""];
    return [{ time, by, state: isObject(state) ? (state as State) : null }];
  });
  return changes.slice(-most).reverse();
}
