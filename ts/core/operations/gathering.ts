/** Gathers the answers of several nouns for one request. The nouns are read at the same time, each in its turn. */
import { emptyState } from "../noun/state.ts";
import type { Answer } from "./answer.ts";
import type { NounRoute } from "./noun-route.ts";
import type { Asker, Operation } from "./operation.ts";

/**
 * Makes the result: the answer to the request, or what it is made of.
 * @param parts the nouns' own answers, in the order of the routes.
 * @param areKnown whether each part is the same as the known answer.
 */
type Finish<Result> = (parts: readonly Answer[], areKnown: boolean) => Result;

/** Waits for the nouns that have not yet answered. Each is read in its turn. */
export class Gathering<Result> implements Asker {
  declare readonly status?: undefined;
  /** The result; undefined until all nouns have answered. */
  answer: Result | undefined;
  private readonly asker: Asker;
  private readonly finish: Finish<Result>;
  private readonly failed: Result | undefined;
  private readonly parts: (Answer | Operation)[] = [];
  /** The number of nouns that have not yet answered, plus one until all have been called. */
  private open = 1;

  /**
   * @param asker is called when the result is ready, unless it is ready at once.
   * @param failed stands for the result if there is no memory for it when the last noun answers.
   */
  constructor(asker: Asker, finish: Finish<Result>, failed: Result | undefined) {
    this.asker = asker;
    this.finish = finish;
    this.failed = failed;
  }

  /**
   * Reads nouns.
   * @param routes of GET to the nouns.
   * @param known answers that the nouns may still have, in the order of the routes.
   * @returns the result if it is ready, or this object, which will have it. If it is abandoned, reads that have not
   *   begun never begin.
   */
  begin(routes: readonly NounRoute[], known: readonly Answer[] = []): Result | this {
    const { parts } = this;
    let areKnown = true;
    for (let index = 0; index < routes.length; index++) {
      const part = (routes[index] as NounRoute).perform(emptyState, this);
      parts[index] = part;
      if (part === known[index]) continue;
      areKnown = false;
      if (part.status === undefined) this.open += 1;
    }
    this.open -= 1;
    if (areKnown) return this.finish(parts as readonly Answer[], true);
    return this.open === 0 ? this.complete() : this;
  }

  onAnswer(): void {
    this.open -= 1;
    if (this.open > 0) return;
    this.answer = this.failed;
    try {
      this.answer = this.complete();
    } finally {
      this.asker.onAnswer();
    }
  }

  abandon(): void {
    for (const part of this.parts) if (part.status === undefined) part.abandon();
  }

  private complete(): Result {
    const answers = this.parts.map((part) => (part.status === undefined ? (part.answer as Answer) : part));
    return this.finish(answers, false);
  }
}
