/** `GET /`: the states of all nouns in one answer, read side by side. */
import { emptyState } from "../noun/state.ts";
import { AllStatesAnswer, type Answer, StateAnswer } from "./answer.ts";
import type { NounRoute, Route } from "./noun-route.ts";
import type { Asker, Operation, PendingAnswer } from "./operation.ts";

type Part = Answer | Operation;

function answerOf(part: Part): Answer | undefined {
  return "status" in part ? part : part.answer;
}

/** Waits for the nouns that have still to answer. */
class Gathering implements PendingAnswer, Asker {
  answer: Answer | undefined;
  private readonly asker: Asker;
  private readonly route: AllNounsRoute;
  private readonly parts: Part[] = [];
  /** Nouns that have still to answer, and one more until all have been asked. */
  private open = 1;

  constructor(route: AllNounsRoute, asker: Asker) {
    this.route = route;
    this.asker = asker;
  }

  /** Asks every noun. @returns the answer where it is at hand. */
  begin(routes: readonly NounRoute[]): Answer | undefined {
    const { parts } = this;
    for (let index = 0; index < routes.length; index++) {
      const part = (routes[index] as NounRoute).perform(emptyState, this);
      if (!("status" in part)) this.open += 1;
      parts.push(part);
    }
    this.open -= 1;
    return this.open === 0 ? this.finish() : undefined;
  }

  onAnswer(): void {
    this.open -= 1;
    if (this.open > 0) return;
    this.answer = this.finish();
    this.asker.onAnswer();
  }

  abandon(): void {
    for (const part of this.parts) if (!("status" in part)) part.abandon();
  }

  private finish(): Answer {
    const { parts } = this;
    for (let index = 0; index < parts.length; index++) parts[index] = answerOf(parts[index] as Part) as Answer;
    return this.route.answer(parts as readonly Answer[]);
  }
}

/** The route of GET to all nouns that a client may read. */
export class AllNounsRoute implements Route {
  readonly takesBody = false;
  readonly shape = undefined;
  private readonly routes: readonly NounRoute[];
  private readonly link: string;
  /** The answers of the nouns the last time, and what was made of them. */
  private parts: readonly Answer[] = [];
  private whole: Answer | undefined;

  /**
   * @param routes to the nouns, in the order of their registration.
   * @param link the field line that tells of documents; "" for none.
   */
  constructor(routes: readonly NounRoute[], link: string) {
    this.routes = routes;
    this.link = link;
  }

  get isOccupied(): boolean {
    return this.routes.some((route) => route.isOccupied);
  }

  perform(_state: unknown, asker: Asker): Answer | PendingAnswer {
    const gathering = new Gathering(this, asker);
    return gathering.begin(this.routes) ?? gathering;
  }

  /** @param parts the answers of the nouns, in their order. @returns the answer with all of them. */
  answer(parts: readonly Answer[]): Answer {
    if (this.whole !== undefined && this.areSame(parts)) return this.whole;
    const states = this.routes.map(({ name }, index) => {
      const part = parts[index];
      return `${JSON.stringify(name)}:${part instanceof StateAnswer ? part.json : "null"}`;
    });
    this.parts = parts;
    this.whole = new AllStatesAnswer(`{${states.join(",")}}`, this.link);
    return this.whole;
  }

  private areSame(parts: readonly Answer[]): boolean {
    for (let index = 0; index < parts.length; index++) if (parts[index] !== this.parts[index]) return false;
    return true;
  }
}
