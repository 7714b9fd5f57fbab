/** The plain data about a server and its nouns that the descriptions are written from. */
import type { Noun } from "../../../core/noun/noun.ts";
import type { Verb } from "../../../core/noun/verb.ts";

/** What a noun says of itself. */
type Said = "title" | "description" | "group" | "order" | "icon" | "ask" | "action" | "shape" | "updateShape" | "guard";

/** A noun as its reader may know it. */
export interface DescribedNoun extends Readonly<{ [property in Said]?: Noun[property] | undefined }> {
  /** In lower case. */
  readonly name: string;
  /** Whether a change may have any keys. */
  readonly takesAny?: boolean | undefined;
  /** Whether a guard can refuse a change of it: its own, or that of a noun whose guard names it. */
  readonly hasConflicts?: boolean | undefined;
  /** Its keys, and those of other nouns (`cellar/celsius`), by what they are of a thermostat; undefined for no such. */
  readonly climate?: { readonly [role: string]: string } | undefined;
  /** Devices between the noun and the thing that it stands for; undefined for none. */
  readonly hops?: number | undefined;
  /** What the reader of the description may send. */
  readonly methods: readonly Verb[];
}

/** What a server requires of every request. */
export interface Demands {
  /** Whether a bearer token. */
  readonly tokens: boolean;
  /** Whether one of the listed hosts. */
  readonly hosts: boolean;
  /** Whether one of the listed origins, if the request has an origin. */
  readonly origins: boolean;
}

/** A document beside the nouns: its path and its media type. */
export interface DescribedDocument {
  readonly path: string;
  readonly type: string;
  readonly title: string;
  /** Whether it has an entity tag, so that a client that names it gets 304. */
  readonly hasTag: boolean;
}

/** A server and its nouns. */
export interface DescribedDevice {
  /** What people call the device. */
  readonly title: string;
  /** A URI that names the device wherever it is; undefined if it has none. */
  readonly id: string | undefined;
  /** The URL of `/`, with its final slash. */
  readonly base: string;
  /** Of nound. */
  readonly version: string;
  /** What its maker calls the device; undefined if it does not say. */
  readonly model?: string | undefined;
  /** The release of its Linux. */
  readonly kernel: string;
  /** SHA-256 of the certificate of its encrypted addresses, in hexadecimal; undefined without any. */
  readonly certificate?: string | undefined;
  /** Whether no hardware is moved; false if left out. */
  readonly isSimulated?: boolean;
  readonly demands: Demands;
  /** In the order of their registration. They are gone through once. */
  readonly nouns: Iterable<DescribedNoun>;
  /** What else GET reads. */
  readonly documents: readonly DescribedDocument[];
  /** Whether `/` is also a page for browsers. */
  readonly hasPage: boolean;
}
