/** The routes of requests to documents. */
import { mayRead, type Scope } from "../../core/access/admission.ts";
import type { Fields } from "../../core/http/fields.ts";
import type { State } from "../../core/noun/state.ts";
import type { Verb } from "../../core/noun/verb.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../core/operations/answer.ts";
import { Gathering } from "../../core/operations/gathering.ts";
import type { RegisteredNoun, Route } from "../../core/operations/noun-route.ts";
import type { Asker, PendingAnswer } from "../../core/operations/operation.ts";
import type { Document, DocumentContent, ReadableNoun } from "../../core/server/document.ts";
import type { Host } from "../../core/server/host.ts";
import type { Scheme } from "../../core/server/part.ts";
import { Turns } from "../../core/time/turns.ts";
import { documentAnswer, notModifiedAnswer } from "./document-answer.ts";
import { DocumentText } from "./document-text.ts";
import { DocumentTurn } from "./document-turn.ts";
import { conditionalStatus } from "./entity-tag.ts";

const verbs: readonly Verb[] = ["GET", "PUT", "POST", "DELETE"];

/** How many texts are kept: two descriptions for each of four tokens. */
const mostKept = 8;

/** The parts of a request that determine its document. */
export interface Asked {
  readonly path: string;
  readonly scheme: Scheme;
  readonly authority: string;
  readonly scope: Scope | undefined;
  readonly fields: Fields;
}

export class DocumentRoute implements Route {
  readonly isOfDocument = true;
  readonly routes: DocumentRoutes;
  private readonly document: DocumentContent;
  private readonly asked: Asked;

  constructor(routes: DocumentRoutes, document: DocumentContent, asked: Asked) {
    this.routes = routes;
    this.document = document;
    this.asked = asked;
  }

  perform(_state: State, asker: Asker): Answer | PendingAnswer {
    return new DocumentTurn(this, asker);
  }

  /** @returns the text, which may still be incomplete, or what has it once the nouns have answered that it needs. */
  text(asker: Asker): DocumentText | Gathering<DocumentText> {
    const { document, asked, routes } = this;
    const kept = document.isCacheable ? routes.find(asked) : undefined;
    if (kept !== undefined) return kept;
    const nouns = Array.from(routes.context.nouns.all());
    if (!document.readsStates) return this.newText(nouns, []);
    const read = nouns.filter(({ name }) => this.verbsOf(name).includes("GET"));
    const finish = (states: readonly Answer[]) => this.newText(read, states);
    return new Gathering(asker, finish, undefined).begin(read.map((noun) => noun.route("GET")));
  }

  /** @param text a complete one. */
  answer(text: DocumentText): Answer {
    const { document, routes, asked } = this;
    const { type, vary = "" } = document;
    if (!document.isCacheable) return documentAnswer("", type, { fields: "Cache-Control: no-store\r\n", vary }, text);
    const begin = this.textsOf([]).next().value ?? "";
    const tag = text.tagWith(begin);
    const keeping = {
      fields: `Cache-Control: private, no-cache\r\nETag: ${tag}\r\n`,
      vary: routes.context.asksForTokens ? "Authorization" : "",
    };
    const status = conditionalStatus(asked.fields, tag);
    if (status === 412) return new RefusalAnswer(412, "The document is no longer the one that the request names.");
    if (status === 304) return notModifiedAnswer(keeping);
    return documentAnswer(begin, type, keeping, text);
  }

  /** @param states the nouns' answers to GET; none if the document does not need them. */
  private newText(nouns: readonly RegisteredNoun[], states: readonly Answer[]): DocumentText {
    const { document, asked, routes } = this;
    const texts = this.textsOf(this.readable(nouns, states));
    if (!document.isCacheable) return new DocumentText(texts);
    texts.next(); // it depends on the host: `answer` puts it in front
    const text = new DocumentText(texts, routes.context.hash);
    // It is kept from its beginning, so that it is forgotten if the nouns change meanwhile.
    routes.keep(asked, text);
    return text;
  }

  private textsOf(nouns: Iterable<ReadableNoun>): Iterator<string, undefined> {
    const { document, routes } = this;
    const { scheme, authority, scope } = this.asked;
    const { context, documents } = routes;
    const isReadable = (noun: string) => mayRead(scope, noun);
    const measures = () => context.parts.all.flatMap((part) => [...(part.measures?.(isReadable) ?? [])]);
    const reader = { scheme, authority, nouns, counts: context.counts(), scope, measures, documents };
    return document.write(reader)[Symbol.iterator]();
  }

  private *readable(nouns: readonly RegisteredNoun[], states: readonly Answer[]): Generator<ReadableNoun, undefined> {
    for (const [index, { name, face: noun, isSettable, keptBy }] of nouns.entries()) {
      const allowed = this.verbsOf(name);
      const offered = isSettable ? allowed : allowed.filter((verb) => verb === "GET" || verb === "DELETE");
      if (allowed.length > 0)
        yield { name, noun, verbs: offered, state: stateOf(states[index]), refusal: keptBy && (() => keptBy.refusal) };
    }
  }

  private verbsOf(name: string): readonly Verb[] {
    const { scope } = this.asked;
    return scope === undefined ? verbs : verbs.filter((verb) => scope.allows(verb, name));
  }
}

interface KeptText extends Pick<Asked, "path" | "scope"> {
  readonly text: DocumentText;
}

/** The routes to the documents of one server, and the texts that are kept for later requests. */
export class DocumentRoutes {
  readonly context: Host;
  readonly documents: readonly Document[];
  /** In which documents are written one by one, so only one incomplete document takes memory. */
  readonly turns: Turns;
  /** They do not depend on the hosts of requests: nobody can fill this by naming many. */
  private readonly kept: KeptText[] = [];

  constructor(context: Host, documents: readonly Document[]) {
    this.context = context;
    this.documents = documents;
    this.turns = new Turns(context.clock);
  }

  /** @returns the route of an admitted GET or HEAD. */
  route(document: DocumentContent, asked: Asked): Route {
    return new DocumentRoute(this, document, asked);
  }

  /** @returns the text that is kept for such a request; undefined if none is. */
  find({ path, scope }: Asked): DocumentText | undefined {
    return this.kept.find((one) => one.path === path && one.scope === scope)?.text;
  }

  /** Keeps a text, and forgets the oldest one if there are too many. */
  keep({ path, scope }: Asked, text: DocumentText): void {
    if (this.kept.push({ path, scope, text }) > mostKept) this.kept.shift();
  }

  /** Forgets all texts that are kept. @returns whether there was any. */
  forget(): boolean {
    const { length } = this.kept;
    this.kept.length = 0; // which needs no memory
    return length > 0;
  }
}
