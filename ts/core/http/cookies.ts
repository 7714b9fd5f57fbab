/**
 * Cookies, which nothing here uses. A browser sends those of every program on the same host, whatever its port (RFC
 * 6265, 8.5). So their field lines are skipped: none is kept, and they count for no limit but their own.
 */
import { any, follow, stateNumbers, type Transition, transitionTable } from "../grammar/transition-table.ts";
import { opaque } from "./head-syntax.ts";

/** Bytes that the Cookie lines of one head may have, with their line ends. */
export const mostCookieBytes = 16_384;

/** The begin of a Cookie line, in lower case. */
export const cookieName = "cookie:";

/** Refuses the character behind the name of a Cookie line. */
function nameTransitions(): readonly Transition[] {
  const transitions: Transition[] = [["line", any, "line"]];
  for (let index = 0; index < cookieName.length; index++) {
    const state = index === 0 ? "line begin" : cookieName.slice(0, index);
    const letter = cookieName.charAt(index);
    const letters = letter === ":" ? [letter] : [letter, letter.toUpperCase()];
    const next = index === cookieName.length - 1 ? "value" : cookieName.slice(0, index + 1);
    transitions.push([state, any, "line"], [state, letters, next], [state, ["\n"], "line begin"]);
  }
  return [...transitions, ["line", ["\n"], "line begin"], ["value", [], "accepted"]];
}

/** Made for the first head. */
let grammar:
  | { readonly names: ArrayBuffer; readonly values: ArrayBuffer; readonly states: Map<string, number> }
  | undefined;

function makeGrammar() {
  const transitions = nameTransitions();
  const values = transitionTable([["value", [" ", ...opaque], "value"]]);
  return { names: transitionTable(transitions), values, states: stateNumbers(transitions) };
}

/**
 * @param lines whole lines with their ends, the first of which is a request line.
 * @returns them without Cookie lines, but for malformed ones; undefined for too many.
 */
export function withoutCookies(lines: string): string | undefined {
  grammar ??= makeGrammar();
  const { names, values, states } = grammar;
  let kept = "";
  let rest = lines;
  let state = states.get("line") as number;
  for (;;) {
    const begin = follow(rest, names, state)[0];
    if (begin === rest.length) break;
    const end = begin + follow(rest.slice(begin), values, states.get("line") as number)[0];
    if (!rest.startsWith("\r\n", end)) break;
    kept += rest.slice(0, begin - cookieName.length);
    rest = rest.slice(end + 2);
    state = states.get("line begin") as number;
  }
  return lines.length - kept.length - rest.length > mostCookieBytes ? undefined : kept + rest;
}
