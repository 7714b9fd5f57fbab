/**
 * The parts of a server: all that it has besides the states of its nouns, each in a folder of its own. A part is
 * planned when the server is made, and opened, with its modules, for the first who needs it. The server knows no part
 * by name: it asks all of them the same questions, in the order of their plans.
 *
 *     const plan: PartPlan<Lamps> = { ...lampsKey, open: (host) => new Lamps(host), isFor: isLamp };
 */

import type { Socket } from "../../native/net.ts";
import type { NeededToken } from "../access/access.ts";
import type { Scope } from "../access/admission.ts";
import { mayPreferOther } from "../http/accept.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { QueueContext } from "../operations/noun-queue.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Document } from "./document.ts";
import type { Host } from "./host.ts";
import type { Measure } from "./measure.ts";

/** The scheme of a request's URL: `https` on an encrypted connection. */
export type Scheme = "http" | "https";

/** What a request is for, instead of the state of a noun. */
export interface Found {
  /** The token that the request needs, if the server requires tokens; as for the states if left out. */
  readonly needed?: NeededToken;
  /** The request as the server takes it; as it was sent if left out. */
  readonly head?: RequestHead;
  /**
   * @param scope what the request's token allows. @returns undefined for the state of a noun after all.
   * @throws HttpError 400, 403, 404, 405, 412, 415, 501 or 505.
   */
  route(scope: Scope | undefined): Route | undefined;
}

/** How a server begins. */
export interface Beginning {
  /** Whether a process before this one has handed over. */
  readonly isNext: boolean;
  /** @returns whether the process before had a noun of this name, with a state of the same shape. */
  readonly wasLeft: (noun: string) => boolean;
}

/** A part that is open. Each of its members may be left out. */
export interface Part {
  /** The field line of `/` that names its documents (RFC 8288, 3). */
  readonly link?: string;
  /** Whether it has a page. The page's own origin may then use the server. */
  readonly admitsOwnOrigin?: boolean;
  /** The number of streams that are open. */
  readonly size?: number;
  /** Is told of each answer to an operation that may have changed its noun. One part of a server may have it. */
  readonly onResult?: NonNullable<QueueContext["onResult"]>;
  /** Clients have sent wrong tokens. @param from where they came from, in words. */
  tokensRefused?(count: number, from: string): void;
  /** Whether the program has started only when this part says so, by `keeper.online`. */
  readonly confirmsStart?: boolean;
  /** @param isReadable says whether the reader may read a noun. @returns what it measures. */
  measures?(isReadable: (noun: string) => boolean): Iterable<Measure>;
  /** @throws Error with a sentence when a noun cannot have this name. */
  checkName?(name: string): void;
  /**
   * A noun was registered or removed, or has another shape.
   * @param noun the one that has the name now. @throws TypeError for a noun that cannot be served.
   */
  replaced?(name: string, noun: RegisteredNoun | undefined): void;
  /** The server has other tokens. */
  tokensReplaced?(): void;
  /** @returns a text for the next process; "" for none. */
  leave?(): string;
  /**
   * Whether it takes over before the nouns get their states, because it judges these. Other parts are opened for a text
   * that was left, after the nouns.
   */
  readonly resumesFirst?: boolean;
  /** Takes over what `leave` returned in the process before; untrusted. @throws SyntaxError or TypeError for another text. */
  resume?(left: string): void;
  /** Begins to act by itself: all nouns of the start are registered, and have their states. */
  start?(beginning: Beginning): void;
  /** Forgets what it can make again. @returns whether there was any. */
  relieve?(): boolean;
  /** Ends what holds the most for a client. @returns false if there is nothing. */
  endLargest?(): boolean;
  /** Ends the oldest stream on a socket for which `isOne` holds. @returns false if there is none. */
  endOldest?(isOne: (socket: Socket) => boolean): boolean;
  /** The server closes: ends what clients have open. Nothing opens after that. */
  close?(): void;
  /**
   * The program ends, while the server still closes.
   * @param time ms that this may take. @returns a promise that resolves when the nouns can be closed.
   */
  finish?(time: number): Promise<void> | undefined;
  /**
   * The server is about to hand over to the next process.
   * @param isKept says whether the next process has the noun of a name, unchanged. @param time ms that this may take.
   * @returns the names of nouns that cannot be handed over: then the server goes on.
   */
  release?(isKept: (name: string) => boolean, time: number): Promise<readonly string[]>;
  /** @returns nouns in the order in which they are closed, and in the reverse of which they get their states. */
  inOrder?<Entry extends readonly [name: string, ...unknown[]]>(entries: Iterable<Entry>): readonly Entry[];
  /** @returns why a noun is not closed, as a clause; undefined for one that is. */
  keeps?(name: string): string | undefined;
  /** The nouns are about to be closed, or are handed over: it acts no more. */
  end?(): void;
}

/** Names a part, with its type. */
export interface PartKey<P extends Part> {
  readonly name: string;
  readonly type?: P;
}

/** A part that is not open yet. All of this is asked before its modules are loaded, so it must be small. */
export interface PartPlan<P extends Part = Part> extends PartKey<P> {
  /** Opens it, for the first who needs it. */
  open(host: Host): P;
  /** When it opens by itself; if left out, only when one of the following asks for it. */
  readonly opens?: "with the server" | "at the start";
  /**
   * Called for each head that is not known, before the access check, so it must be quick, and must not open a part.
   * @returns what a request is for; undefined if it is not for this part.
   */
  find?(head: RequestHead, scheme: Scheme, host: Host): Found | undefined;
  /** Whether `find` is called only for heads that may prefer events or CSV. */
  readonly findsPreferred?: boolean;
  /** @returns whether a noun needs it. */
  isFor?(noun: RegisteredNoun): boolean;
  /** Whether the first result of a change opens it: it has `onResult`. */
  readonly hearsResults?: boolean;
  /** Its documents. */
  documents?(host: Host): readonly Document[];
}

/** The parts of one server. */
export class Parts {
  readonly plans: readonly PartPlan[];
  /** Those that are asked what a request is for. */
  private readonly finders: readonly PartPlan[];
  private readonly host: () => Host;
  /** The parts that are open, each at the place of its plan. */
  private readonly opened: (Part | undefined)[];
  private isClosed = false;

  constructor(plans: readonly PartPlan[], host: () => Host) {
    this.plans = plans;
    this.finders = plans.filter(({ find }) => find !== undefined);
    this.host = host;
    this.opened = plans.map(() => undefined);
  }

  /** The parts that are open, in the order of their plans. */
  get all(): readonly Part[] {
    return this.opened.filter((part) => part !== undefined);
  }

  /** By index, as in `foundFor`, because each new request asks. */
  private placeOf({ name }: PartKey<Part>): number {
    const { plans } = this;
    for (let place = 0; place < plans.length; place++) if (plans[place]?.name === name) return place;
    return -1;
  }

  /** @returns a part, if it is open. */
  find<P extends Part>(key: PartKey<P>): P | undefined {
    return this.opened[this.placeOf(key)] as P | undefined;
  }

  /** Opens a part that is not open yet. @returns the part; undefined if the server has none of this name. */
  open<P extends Part>(key: PartKey<P>): P | undefined {
    const place = this.placeOf(key);
    let part = this.opened[place];
    const plan = this.plans[place];
    if (part === undefined && plan !== undefined) {
      part = plan.open(this.host());
      this.opened[place] = part;
      if (this.isClosed) part.close?.();
    }
    return part as P | undefined;
  }

  openAt(moment: NonNullable<PartPlan["opens"]>): void {
    for (const plan of this.plans) if (plan.opens === moment) this.open(plan);
  }

  /** @returns what a request is for; undefined for the state of a noun. */
  foundFor(head: RequestHead, scheme: Scheme): Found | undefined {
    const { finders } = this;
    const host = this.host();
    const mayPrefer = mayPreferOther(head);
    for (let place = 0; place < finders.length; place++) {
      const plan = finders[place] as PartPlan;
      if (plan.findsPreferred && !mayPrefer) continue;
      const found = plan.find?.(head, scheme, host);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A noun was registered or removed, or has another shape. @throws what the first part throws that refuses it. */
  replaced(name: string, noun: RegisteredNoun | undefined): void {
    let refusal: unknown;
    for (let place = 0; place < this.plans.length; place++) {
      try {
        if (noun !== undefined && this.plans[place]?.isFor?.(noun)) this.open(this.plans[place] as PartPlan);
        this.opened[place]?.replaced?.(name, noun);
      } catch (error) {
        refusal ??= error; // the others are told all the same
      }
    }
    if (refusal !== undefined) throw refusal;
  }

  /** Asks the parts until one has done it. @returns whether one has. */
  any(question: "relieve" | "endLargest"): boolean {
    // Without an iterator and a function, which need memory.
    for (let place = 0; place < this.opened.length; place++) if (this.opened[place]?.[question]?.()) return true;
    return false;
  }

  tell(event: "tokensReplaced" | "close" | "end"): void {
    this.isClosed ||= event === "close";
    for (let place = 0; place < this.opened.length; place++) this.opened[place]?.[event]?.();
  }
}
