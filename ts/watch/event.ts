/** Events of a stream, as the HTML standard writes them (section 9.2, server-sent events). None has an `event` line. */
import type { Shape } from "../noun/shape.ts";

/** What a stream begins with: how many ms a client that lost its stream waits before it asks again. */
export const opening = "retry: 2000\n\n";

/** A line that clients ignore: it keeps a silent stream from being taken for a dead one on its way. */
export const comment = ":\n\n";

/** Gives each event of this run of the server an id of its own. */
export class EventIds {
  private readonly run: string;
  private count = 0;

  /** @param run a text that another run of the server does not have: letters and digits. */
  constructor(run: string) {
    this.run = run;
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

/** One state of a noun as the event that tells of it. Its text is made once, however many watch. */
export class NounEvent {
  /** What must differ for another event to be sent. */
  readonly compared: string;
  private readonly name: string;
  private readonly json: string;
  private id = "";
  private ownText: string | undefined;
  private namedText: string | undefined;

  /** @param json the state; `null` when the noun failed. @param compared what of it counts. */
  constructor(name: string, json: string, compared: string) {
    this.name = name;
    this.json = json;
    this.compared = compared;
  }

  /** Gives the event its id, as it goes out now: so the ids of a stream only grow. */
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
