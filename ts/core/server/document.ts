/** Documents: what a server says about itself besides the states of its nouns. Each has its own path. */
import type { Scope } from "../access/admission.ts";
import type { Noun } from "../noun/noun.ts";
import type { State } from "../noun/state.ts";
import type { Verb } from "../noun/verb.ts";
import type { Counts } from "./host.ts";
import type { Measure } from "./measure.ts";
import type { Scheme } from "./part.ts";

/** A noun, as far as the reader of a document may see it. */
export interface ReadableNoun {
  readonly name: string;
  readonly noun: Noun;
  /** The verbs that the reader may use on it. */
  readonly verbs: readonly Verb[];
  /** Undefined if the noun failed, and in a document that does not read states. */
  readonly state: State | undefined;
  /**
   * Says why its guard keeps it at its default; undefined if it does not. Left out if no guard can refuse a change of
   * the noun.
   */
  readonly refusal?: (() => string | undefined) | undefined;
}

/** The reader of a document, and the nouns that it may contain. */
export interface DocumentReader {
  /** That of the request. */
  readonly scheme: Scheme;
  /** The host of the request, with its port. */
  readonly authority: string;
  /** In the order of their registration. They can be gone through once. */
  readonly nouns: Iterable<ReadableNoun>;
  readonly counts: Counts;
  /** What its token allows; undefined if the server requires none. */
  readonly scope: Scope | undefined;
  /** @returns what the parts of the server measure, as far as the reader may know it. */
  readonly measures: () => Iterable<Measure>;
  /** All documents of the server. */
  readonly documents: readonly Document[];
}

export interface Document {
  /** `/metrics`. No noun can have the same path. */
  readonly path: string;
  /** The relation of the document in the Link field of `/`: `rel="describedby"`; "" for none. */
  readonly relation: string;
  /** How to switch the document off, as the end of a sentence. */
  readonly switchOff: string;
  /** The media type, as the Content-Type field has it, without parameters if a reader needs none. */
  readonly type: string;
  /** For people. */
  readonly title: string;
  /** Whether it has an entity tag, so that a client that names it gets 304. */
  readonly hasTag: boolean;
  /** Whether a client gets it without a token. */
  readonly isPublic?: boolean;
  /** @returns the content. Called when a client requests the document, and never earlier. */
  content(): DocumentContent;
}

export interface DocumentContent {
  /** The media type, as the Content-Type field has it. */
  readonly type: string;
  /** Whether a cache may keep it, if it revalidates it each time. */
  readonly isCacheable: boolean;
  /** The fields of the request that decide for one that no cache keeps, separated by commas; left out for none. */
  readonly vary?: string;
  /** Whether it needs the states of the nouns. */
  readonly readsStates: boolean;
  /**
   * @returns the texts that make it up, in their order. They are taken one by one, in several turns of the loop. If the
   *   document is cacheable, they are in ASCII. Then only the first one depends on `scheme` and `authority`, and it
   *   depends on no noun.
   */
  write(reader: DocumentReader): Iterable<string, undefined>;
}
