/** One request for a document. The document is written, or goes on to be written, in its turn. */
import { describeError } from "../noun/failure.ts";
import { type Answer, RefusalAnswer } from "../operations/answer.ts";
import { Gathering } from "../operations/gathering.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { Host } from "../server/host.ts";
import type { Postponed, Turns } from "../time/turns.ts";
import type { DocumentText } from "./document-text.ts";

/** What a request for a document needs. */
export interface DocumentSource {
  /** @returns the text, which may still be incomplete, or a promise of it, once the nouns it needs have answered. */
  text(asker: Asker): DocumentText | Gathering<DocumentText>;
  /** @param text a complete one. */
  answer(text: DocumentText): Answer;
  /** Called when a text can never be complete. */
  fail(): void;
}

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
  private readonly source: DocumentSource;
  private readonly context: Host;
  private readonly turns: Turns;
  /** Undefined once the client is gone. */
  private asker: Asker | undefined;
  private reading: Gathering<DocumentText> | undefined;
  private text: DocumentText | undefined;

  /** @param turns in which documents are written one by one, so only one incomplete document takes memory. */
  constructor(source: DocumentSource, context: Host, turns: Turns, asker: Asker) {
    this.source = source;
    this.context = context;
    this.turns = turns;
    this.asker = asker;
    turns.add(this);
  }

  onTurn(): boolean {
    const { context, source } = this;
    if (this.asker === undefined) return true;
    let answer: Answer;
    try {
      context.relieve(); // may fail where the last memory is gone
      const text = this.text ?? this.begin();
      if (text === undefined) return true;
      // Code of the nouns computes their descriptions. It may throw, or never return.
      if (!context.guard.call(() => text.write(this.turns.hasTime))) return false;
      answer = source.answer(text);
    } catch (error) {
      source.fail();
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
        this.turns.add(this);
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
    const text = this.source.text(this);
    if (!(text instanceof Gathering)) this.text = text;
    else this.reading = text;
    return this.text;
  }

  private end(answer: Answer): void {
    this.answer = answer;
    this.asker?.onAnswer();
  }
}
