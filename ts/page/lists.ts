/** What the device writes down: its last changes and failures, as lines of JSON, and its metrics for Prometheus. */
import { isObject, type JsonObject, parseJson, type State, textOf } from "./scalar.ts";

/** The most changes that are shown. */
const mostChanges = 8;

/** @returns the objects in lines of JSON, the last one first. */
function objectsIn(text: string): readonly JsonObject[] {
  return text.split("\n").map(parseJson).filter(isObject).reverse();
}

/** @param text lines of JSON. @returns the changes of a noun, the last one first, each with the state before. */
export function changesIn(text: string, noun: string) {
  const changes = objectsIn(text).filter((change) => change["noun"] === noun && change["failure"] === undefined);
  const stateOf = (change: JsonObject | undefined) => (isObject(change?.["state"]) ? (change["state"] as State) : null);
  return changes.slice(0, mostChanges).map((change, place) => {
    const [time = "", by = ""] = ["time", "by"].map((name) => textOf(change, name));
    return { time, by, state: stateOf(change), before: stateOf(changes[place + 1]) };
  });
}

/** A change of a noun. */
export type Change = Readonly<ReturnType<typeof changesIn>[number]>;

/** @returns what a change has changed as it was before: what others have changed since stays. */
export function undoOf({ state, before }: Pick<Change, "state" | "before">): State {
  return Object.fromEntries(Object.entries(before ?? {}).filter(([key, value]) => value !== state?.[key]));
}

/** @param text lines of JSON; undefined if the client may not read them. @returns the failures, the last one first. */
export function failuresIn(text = "") {
  const failures = objectsIn(text).filter((line) => typeof line["failure"] === "string");
  return failures.map((line) => {
    const [time = "", noun, of, said = ""] = ["time", "noun", "of", "failure"].map((name) => textOf(line, name));
    const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/[^.!?]$/, "$&.");
    return { time, of: noun ?? of ?? "", text: sentence, times: Number(line["times"] ?? 1) };
  });
}

export type LastFailure = Readonly<ReturnType<typeof failuresIn>[number]>;

/** @returns a metric without labels; undefined if it is missing. */
export function metricIn(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}
