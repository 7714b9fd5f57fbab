/** Events of a stream, as the HTML standard writes them (section 9.2, server-sent events). None has an `event` line. */
import type { Shape } from "../noun/shape.ts";

/** The beginning of a stream: how many ms a client that has lost its stream waits before it connects again. */
export const opening = "retry: 2000\n\n";

/** A line that clients ignore. It shows proxies that a silent stream is alive. */
export const comment = ":\n\n";

/** The last line of a stream that ends for another one. */
export const placeComment = ": another client needs this place\n\n";

/** Gives each event of this run of the server a different id. */
export class EventIds {
  private readonly run: string;
  private count: number;

  /**
   * @param run a text that another run of the server does not have: letters and digits.
   * @param count the number before that of the first event.
   */
  constructor(run: string, count: number) {
    this.run = run;
    this.count = count;
  }

  /**
   * @param random gives numbers from 0 up to 1. With random numbers, an id tells neither how long the server has run nor how many events it
   *   has sent.
   */
  static atRandom(random: () => number): EventIds {
    return new EventIds(Math.floor(random() * 2 ** 32).toString(16), Math.floor(random() * 2 ** 32));
  }

  /** @returns the next id: `5f3a9c-1`. */
  next(): string {
    this.count += 1;
    return `${this.run}-${this.count}`;
  }
}

/** @param data JSON without a line end. @returns the whole event. */
export function writeEvent(id: string, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`;
}

/** @returns the keys that change with time alone. */
export function timeDependentKeys(shape: Shape | undefined): readonly string[] {
  return Object.entries(shape ?? {}).flatMap(([name, key]) => (key.timeDependent === true ? [name] : []));
}

/**
 * @param json a state as JSON.
 * @param ignored keys whose change alone sends no event.
 * @returns a text that differs exactly when another key does.
 */
export function comparedPart(json: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return json;
  const state = JSON.parse(json) as { [key: string]: unknown };
  for (const key of ignored) delete state[key];
  return JSON.stringify(state);
}

/** The event of one state of a noun. Its text is made once for all clients. */
export class NounEvent {
  /** The part of the state that must differ before another event is sent. */
  readonly compared: string;
  private readonly name: string;
  private readonly json: string;
  private id = "";
  private ownText: string | undefined;
  private namedText: string | undefined;

  /** @param json the state; `null` when the noun failed. @param compared the part of it that is compared. */
  constructor(name: string, json: string, compared: string) {
    this.name = name;
    this.json = json;
    this.compared = compared;
  }

  /** Gives the event its id when it is sent, so that the ids of a stream only grow. */
  identify(ids: EventIds): void {
    this.id = ids.next();
  }

  /** @param isNamed whether the data has the noun's name, as on the stream of all nouns. */
  text(isNamed: boolean): string {
    if (!isNamed) {
      this.ownText ??= writeEvent(this.id, this.json);
      return this.ownText;
    }
    this.namedText ??= writeEvent(this.id, `{"${this.name}":${this.json}}`);
    return this.namedText;
  }
}
