/** Why all guarded nouns, or those that a reload removes, go to their defaults and stay there. */

/** Why a noun goes to its default and stays there, whatever its guard says. */
export interface Departure {
  /** A clause for a client whose change is refused. */
  readonly why: string;
  /** For the log. */
  readonly when: string;
}
export const atEnd: Departure = { why: "the program ends", when: "at the end" };
export const forReload: Departure = {
  why: "a reload removes it, or a noun that its guard names",
  when: "before a reload that removes it, or a noun that its guard names",
};
