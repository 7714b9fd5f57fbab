/** Documents: what a server tells of itself beside the states of its nouns, each under a path of its own. */
import type { Noun } from "../noun/noun.ts";
import type { State } from "../noun/state.ts";
import type { Verb } from "../noun/verb.ts";
import type { Counts } from "../server/companions.ts";

/** A noun, as the reader of a document may know it. */
export interface ReadableNoun {
  readonly name: string;
  readonly noun: Noun;
  /** What the reader may ask of it. */
  readonly verbs: readonly Verb[];
}

/** For whom a document is written, and what it may tell of. */
export interface DocumentReader {
  /** The host, with its port, that the request was for. */
  readonly authority: string;
  /** In the order of their registration. */
  readonly nouns: readonly ReadableNoun[];
  /** By name, the state of each noun that can be read; undefined for one that failed. Empty unless `readsStates`. */
  readonly states: ReadonlyMap<string, State | undefined>;
  readonly counts: Counts;
}

/** A document that a server has. */
export interface Document {
  /** `/metrics`. No noun can have its name. */
  readonly path: string;
  /** What the document is to others, for the Link field of `/`: `rel="describedby"`; "" for nothing. */
  readonly relation: string;
  /** How to go on without it, as the end of a sentence. */
  readonly switchOff: string;
  /** @returns what is in it. Called when somebody asks for the document, and never before. */
  content(): DocumentContent;
}

/** What is in a document. */
export interface DocumentContent {
  /** The media type, as the Content-Type field has it. */
  readonly type: string;
  /** Whether a cache may keep it, if it asks each time whether it is still the same. */
  readonly isCacheable: boolean;
  /** Whether it needs the states of the nouns. */
  readonly readsStates: boolean;
  /** @returns its text; in ASCII, if it is cacheable. */
  write(reader: DocumentReader): string;
}
