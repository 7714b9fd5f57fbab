/** What a part of a server measures, for Prometheus. */

/** One measured value, with the labels that tell it from the others of its name. */
export type Sample = readonly [labels: { readonly [name: string]: string }, value: number];

/** The measured values of one name. */
export interface Measure {
  readonly name: string;
  readonly type: "gauge" | "counter";
  /** For people. */
  readonly help: string;
  readonly samples: readonly Sample[];
}
