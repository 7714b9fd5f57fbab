/** The route of a request to a document. It reads the nouns that the document needs, writes the document, and answers. This module is
 * loaded when a client requests a document. */
import type { Reach } from "../access/admission.ts";
import { describeError } from "../noun/failure.ts";
import type { State } from "../noun/state.ts";
import type { Verb } from "../noun/verb.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../operations/answer.ts";
import { gather } from "../operations/gathering.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { DocumentsContext } from "../server/companions.ts";
import type { DocumentContent, ReadableNoun } from "./document.ts";
import { documentAnswer, notModifiedAnswer } from "./document-answer.ts";
import { type Conditions, conditionalStatus, entityTagOf } from "./entity-tag.ts";

const verbs: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** The parts of a request that determine its document. */
export interface Asked extends Conditions {
  readonly authority: string;
  readonly reach: Reach | undefined;
}

/** @returns the state as a GET returns it, because the noun may have changed its own object since. Undefined if the noun failed. */
function stateOf(answer: Answer): State | undefined {
  return answer instanceof StateAnswer ? (JSON.parse(answer.json) as State) : undefined;
}

class DocumentRoute implements Route {
  readonly takesBody = false;
  readonly shape = undefined;
  private readonly document: DocumentContent;
  private readonly context: DocumentsContext;
  private readonly asked: Asked;

  constructor(document: DocumentContent, context: DocumentsContext, asked: Asked) {
    this.document = document;
    this.context = context;
    this.asked = asked;
  }

  perform(_state: State, asker: Asker): Answer | PendingAnswer {
    const registered = [...this.context.nouns.all()].filter(({ name }) => this.verbsOf(name).length > 0);
    if (!this.document.readsStates) return this.answer(registered, new Map());
    const read = registered.filter(({ name }) => this.verbsOf(name).includes("GET"));
    const routes = read.map((noun) => noun.route("GET"));
    return gather(routes, asker, (answers) => {
      const states = answers.map((answer, index) => [routes[index]?.name ?? "", stateOf(answer)] as const);
      return this.answer(read, new Map(states));
    });
  }

  private verbsOf(name: string): readonly Verb[] {
    const { reach } = this.asked;
    return reach === undefined ? verbs : verbs.filter((verb) => reach.allows(verb, name));
  }

  /** Code of the nouns computes their descriptions. It may throw, or never return. */
  private answer(registered: readonly RegisteredNoun[], states: ReadonlyMap<string, State | undefined>): Answer {
    const { guard, counts } = this.context;
    try {
      const text = guard.call(() => {
        const nouns = registered.map(({ name, noun, isSettable }): ReadableNoun => {
          const offered = isSettable ? verbs : ["GET", "DELETE"];
          return { name, noun, verbs: this.verbsOf(name).filter((verb) => offered.includes(verb)) };
        });
        return this.document.write({ authority: this.asked.authority, nouns, states, counts: counts() });
      });
      return this.deliver(text);
    } catch (error) {
      return new RefusalAnswer(500, "The document could not be written.", "", `failed: ${describeError(error)}`);
    }
  }

  private deliver(text: string): Answer {
    const { document, context, asked } = this;
    if (!document.isCacheable)
      return documentAnswer(text, document.type, { fields: "Cache-Control: no-store\r\n", vary: "" });
    const tag = entityTagOf(text, context.hash);
    const keeping = {
      fields: `Cache-Control: private, no-cache\r\nETag: ${tag}\r\n`,
      vary: context.asksForTokens ? "Authorization" : "",
    };
    const status = conditionalStatus(asked, tag);
    if (status === 412) return new RefusalAnswer(412, "The document is no longer the one that the request names.");
    if (status === 304) return notModifiedAnswer(keeping);
    return documentAnswer(text, document.type, keeping);
  }
}

/** @returns the route of an admitted GET or HEAD. */
export function documentRoute(document: DocumentContent, context: DocumentsContext, asked: Asked): Route {
  return new DocumentRoute(document, context, asked);
}
