/** The routes of requests to documents. */
import type { Scope } from "../access/admission.ts";
import { bearerChallenge } from "../access/bearer.ts";
import { HttpError } from "../http/http-error.ts";
import type { State } from "../noun/state.ts";
import type { Verb } from "../noun/verb.ts";
import { type Answer, RefusalAnswer, stateOf } from "../operations/answer.ts";
import { Gathering } from "../operations/gathering.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { Host } from "../server/host.ts";
import type { Scheme } from "../server/source.ts";
import { Turns } from "../time/turns.ts";
import type { DocumentContent, ReadableNoun } from "./document.ts";
import { documentAnswer, notModifiedAnswer } from "./document-answer.ts";
import { DocumentText } from "./document-text.ts";
import { type DocumentSource, DocumentTurn } from "./document-turn.ts";
import { type Conditions, conditionalStatus } from "./entity-tag.ts";
import { KeptTexts } from "./kept-texts.ts";

const verbs: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** The parts of a request that determine its document. */
export interface Asked extends Conditions {
  readonly path: string;
  readonly scheme: Scheme;
  readonly authority: string;
  readonly scope: Scope | undefined;
}

/** The parts that the routes of one server share. */
interface Shared {
  readonly context: Host;
  readonly texts: KeptTexts;
  readonly turns: Turns;
}

class DocumentRoute implements Route, DocumentSource {
  readonly isOfDocument = true;
  private readonly document: DocumentContent;
  private readonly asked: Asked;
  private readonly shared: Shared;

  constructor(document: DocumentContent, asked: Asked, shared: Shared) {
    this.document = document;
    this.asked = asked;
    this.shared = shared;
  }

  perform(_state: State, asker: Asker): Answer | PendingAnswer {
    return new DocumentTurn(this, this.shared.context, this.shared.turns, asker);
  }

  text(asker: Asker): DocumentText | Gathering<DocumentText> {
    const { document, asked, shared } = this;
    const kept = document.isCacheable ? shared.texts.find(asked.path, asked.scope) : undefined;
    if (kept !== undefined) return kept;
    const nouns = Array.from(shared.context.nouns.all());
    if (!document.readsStates) return this.newText(nouns, []);
    const read = nouns.filter(({ name }) => this.verbsOf(name).includes("GET"));
    const routes = read.map((noun) => noun.route("GET"));
    const finish = (states: readonly Answer[]) => this.newText(read, states);
    return new Gathering(asker, finish, undefined).begin(routes);
  }

  answer(text: DocumentText): Answer {
    const { document, shared, asked } = this;
    const { type, vary = "" } = document;
    if (!document.isCacheable) return documentAnswer("", type, { fields: "Cache-Control: no-store\r\n", vary }, text);
    const begin = this.textsOf([]).next().value ?? "";
    const tag = text.tagWith(begin);
    const keeping = {
      fields: `Cache-Control: private, no-cache\r\nETag: ${tag}\r\n`,
      vary: shared.context.asksForTokens ? "Authorization" : "",
    };
    const status = conditionalStatus(asked, tag);
    if (status === 412) return new RefusalAnswer(412, "The document is no longer the one that the request names.");
    if (status === 304) return notModifiedAnswer(keeping);
    return documentAnswer(begin, type, keeping, text);
  }

  /** A text that failed can be among those that are kept. */
  fail(): void {
    this.shared.texts.forget();
  }

  /** @param states the nouns' answers to GET; none if the document does not need them. */
  private newText(nouns: readonly RegisteredNoun[], states: readonly Answer[]): DocumentText {
    const { document, asked, shared } = this;
    const texts = this.textsOf(this.readable(nouns, states));
    if (!document.isCacheable) return new DocumentText(texts);
    texts.next(); // it depends on the host: `answer` puts it in front
    const text = new DocumentText(texts, shared.context.hash);
    // It is kept from its beginning, so that it is forgotten if the nouns change meanwhile.
    shared.texts.add(asked.path, asked.scope, text);
    return text;
  }

  private textsOf(nouns: Iterable<ReadableNoun>): Iterator<string, undefined> {
    const { document, asked, shared } = this;
    return document
      .write({ scheme: asked.scheme, authority: asked.authority, nouns, counts: shared.context.counts() })
      [Symbol.iterator]();
  }

  private *readable(nouns: readonly RegisteredNoun[], states: readonly Answer[]): Generator<ReadableNoun, undefined> {
    for (const [index, { name, noun, isSettable, refusal }] of nouns.entries()) {
      const allowed = this.verbsOf(name);
      const offered = isSettable ? allowed : allowed.filter((verb) => verb === "GET" || verb === "DELETE");
      if (allowed.length > 0) yield { name, noun, verbs: offered, state: stateOf(states[index]), refusal };
    }
  }

  private verbsOf(name: string): readonly Verb[] {
    const { scope } = this.asked;
    return scope === undefined ? verbs : verbs.filter((verb) => scope.allows(verb, name));
  }
}

/** The routes to the documents of one server. */
export class DocumentRoutes {
  private readonly shared: Shared;

  constructor(context: Host) {
    this.shared = { context, texts: new KeptTexts(), turns: new Turns(context.clock) };
  }

  /** @returns the route of an admitted GET or HEAD. @throws HttpError 403 if the token may not read the document. */
  route(document: DocumentContent, asked: Asked): Route {
    const { scope } = asked;
    const mayRead = ({ name }: RegisteredNoun) => scope?.allows("GET", name) !== false;
    if (document.isOfAll && !Array.from(this.shared.context.nouns.all()).every(mayRead)) {
      const challenge = bearerChallenge("insufficient_scope");
      throw HttpError.keeping(403, "This document needs a token that may read all nouns.", challenge);
    }
    return new DocumentRoute(document, asked, this.shared);
  }

  /** Forgets all texts that are kept. @returns whether there was any. */
  forget(): boolean {
    return this.shared.texts.forget();
  }
}
