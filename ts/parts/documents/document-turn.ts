/** One request for a document. The document is written, or goes on to be written, in its turn. */
import { describeError } from "../../core/noun/failure.ts";
import { type Answer, RefusalAnswer } from "../../core/operations/answer.ts";
import { Gathering } from "../../core/operations/gathering.ts";
import type { Asker, PendingAnswer } from "../../core/operations/operation.ts";
import type { Postponed } from "../../core/time/turns.ts";
import type { DocumentRoute } from "./document-route.ts";
import type { DocumentText } from "./document-text.ts";

const detail = "The document could not be written.";
const failed = new RefusalAnswer(500, detail);

function failure(error: unknown): Answer {
  try {
    return new RefusalAnswer(500, detail, "", `failed: ${describeError(error)}`);
  } catch {
    return failed; // there is no memory for more
  }
}

export class DocumentTurn implements PendingAnswer, Postponed, Asker {
  declare readonly status?: undefined;
  answer: Answer | undefined;
  private readonly route: DocumentRoute;
  /** Undefined once the client is gone. */
  private asker: Asker | undefined;
  private reading: Gathering<DocumentText> | undefined;
  private text: DocumentText | undefined;

  constructor(route: DocumentRoute, asker: Asker) {
    this.route = route;
    this.asker = asker;
    route.routes.turns.add(this);
  }

  onTurn(): boolean {
    const { route } = this;
    const { context, turns } = route.routes;
    if (this.asker === undefined) return true;
    let answer: Answer;
    try {
      context.relieve(); // may fail where the last memory is gone
      const text = this.text ?? this.begin();
      if (text === undefined) return true;
      // Code of the nouns computes their descriptions. It may throw, or never return.
      if (!context.interruption.call(() => text.write(turns.hasTime))) return false;
      answer = route.answer(text);
    } catch (error) {
      route.routes.forget(); // the text may be among those that are kept
      answer = failure(error);
    }
    this.end(answer);
    return true;
  }

  /** The nouns have answered. */
  onAnswer(): void {
    this.text = this.reading?.answer;
    try {
      if (this.text !== undefined) {
        this.route.routes.turns.add(this);
        return;
      }
    } catch {
      // There is no memory for a turn.
    }
    this.end(failed);
  }

  abandon(): void {
    this.asker = undefined;
    this.reading?.abandon();
  }

  /** @returns the text; undefined while nouns have still to answer. */
  private begin(): DocumentText | undefined {
    const text = this.route.text(this);
    if (!(text instanceof Gathering)) this.text = text;
    else this.reading = text;
    return this.text;
  }

  private end(answer: Answer): void {
    this.answer = answer;
    this.asker?.onAnswer();
  }
}
