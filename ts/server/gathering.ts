/** The answers of several nouns, gathered for one request: each is read when it is its turn, side by side with the others. */
import { emptyState } from "../noun/state.ts";
import type { Answer } from "./answer.ts";
import type { NounRoute } from "./noun-route.ts";
import type { Asker, Operation, PendingAnswer } from "./operation.ts";

type Part = Answer | Operation;

/**
 * Makes the answer to the request.
 * @param parts the nouns' own answers, in the order of the routes.
 * @param areKnown whether each is the one that was known.
 */
export type Finish = (parts: readonly Answer[], areKnown: boolean) => Answer;

const nothingKnown: readonly Answer[] = [];

/** Waits for the nouns that have still to answer. */
class Gathering implements PendingAnswer, Asker {
  answer: Answer | undefined;
  private readonly asker: Asker;
  private readonly finish: Finish;
  private readonly parts: Part[] = [];
  private areKnown = true;
  /** Nouns that have still to answer, and one more until all have been asked. */
  private open = 1;

  constructor(asker: Asker, finish: Finish) {
    this.asker = asker;
    this.finish = finish;
  }

  /** Asks every noun. @param known the answers that they may still have. @returns the answer where it is at hand. */
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
 * @param asker is told when there is an answer, unless it is at hand at once.
 * @param known answers that the nouns may still have, in the order of the routes: to compare them here is 10,000 instructions of a GET of ten.
 * @returns the answer that `finish` makes, or what is going to have it. Reads that have not begun when it is abandoned never begin.
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
