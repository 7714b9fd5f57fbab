/** The answers of several nouns, gathered for one request: each is read when it is its turn, side by side with the others. */
import { emptyState } from "../noun/state.ts";
import type { Answer } from "./answer.ts";
import type { NounRoute } from "./noun-route.ts";
import type { Asker, Operation, PendingAnswer } from "./operation.ts";

type Part = Answer | Operation;

/** Makes the answer to the request. @param parts the nouns' own answers, in the order of the routes. */
export type Finish = (parts: readonly Answer[]) => Answer;

/** Waits for the nouns that have still to answer. */
class Gathering implements PendingAnswer, Asker {
  answer: Answer | undefined;
  private readonly asker: Asker;
  private readonly finish: Finish;
  private readonly parts: Part[] = [];
  /** Nouns that have still to answer, and one more until all have been asked. */
  private open = 1;

  constructor(asker: Asker, finish: Finish) {
    this.asker = asker;
    this.finish = finish;
  }

  /** Asks every noun. @returns the answer where it is at hand. */
  begin(routes: readonly NounRoute[]): Answer | undefined {
    const { parts } = this;
    for (let index = 0; index < routes.length; index++) {
      const part = (routes[index] as NounRoute).perform(emptyState, this);
      if (part.status === undefined) this.open += 1;
      parts.push(part);
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
    const { parts } = this;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part;
      if (part.status === undefined) parts[index] = part.answer as Answer;
    }
    return this.finish(parts as readonly Answer[]);
  }
}

/**
 * Reads nouns for one request.
 * @param routes of GET to the nouns.
 * @param asker is told when there is an answer, unless it is at hand at once.
 * @returns the answer that `finish` makes, or what is going to have it. Reads that have not begun when it is abandoned never begin.
 */
export function gather(routes: readonly NounRoute[], asker: Asker, finish: Finish): Answer | PendingAnswer {
  const gathering = new Gathering(asker, finish);
  return gathering.begin(routes) ?? gathering;
}
