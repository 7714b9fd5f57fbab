/** The types of the C module `nound:script`: parts of the script that are loaded when they are needed. */

export interface Script {
  /** Collects garbage: what a part of the script needed, once it was used. */
  collect(): void;
}
