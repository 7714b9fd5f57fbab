/** A noun from a shape and the functions that read and set its state: the short way to write one. */

import { isReportingMistakes, reportMistake } from "./author-mistakes.ts";
import type { When } from "./condition.ts";
import { presentationOf } from "./description.ts";
import { changedUnread, isOutOfMemory } from "./failure.ts";
import type { HomeAssistantOptions } from "./home-assistant.ts";
import { didYouMean } from "./nearest-word.ts";
import { type Awaitable, after, assertNoun, type Noun } from "./noun.ts";
import { merge, type NounFace, serveAs } from "./noun-face.ts";
import { byItself, type Changing, declaredDefault, foresee, type OwnCause } from "./noun-traits.ts";
import { type ChangeOf, checkState, type DesiredOf, partialShape, type Shape, type StateOf } from "./shape.ts";
import { assertShape, type DeclaredShape } from "./shape-words.ts";
import { ShapeWriter } from "./shape-writer.ts";
import type { Scalar, State } from "./state.ts";
import { StateError } from "./state-error.ts";

/**
 * The definition of a noun, for `defineNoun`. Each function may return a promise.
 *
 * @example
 * const shape = { speed: { type: "integer", minimum: 0, maximum: 100 } } as const satisfies Shape;
 * let speed = 0;
 * const definition: NounDefinition<typeof shape> = {
 *   shape,
 *   default: { speed: 0 },
 *   get: () => ({ speed }),
 *   set: (state) => {
 *     speed = state.speed;
 *   },
 * };
 * server.register("fan", defineNoun(definition));
 */
export interface NounDefinition<S extends Shape> {
  /** A few words: the noun's name for people. */
  readonly title?: string;
  /** A sentence or two for people and machine-readable descriptions. */
  readonly description?: string;
  /** The nouns of one group are together on the page, under this title. */
  readonly group?: string;
  /** The page shows nouns with a smaller number first; 0 if left out. Equal ones are as they were registered. */
  readonly order?: number;
  /** The name of the page's picture, where its words lead to another one. */
  readonly icon?: string;
  /** Whether the page asks before it sends a change, because that opens a house. */
  readonly ask?: boolean;
  /** A verb for people: what POST with an empty object does. The page has a button with it. */
  readonly action?: string;
  /** Options for Home Assistant about the noun's first key, or which whole thing it is; false to leave it out. */
  readonly homeAssistant?: HomeAssistantOptions<NoInfer<keyof S & string>>;
  /**
   * Conditions on other nouns, by noun and key. While one of them does not hold, or cannot be read, the noun is at its
   * default, whoever asks.
   */
  readonly guard?: When;
  /** ms for which these conditions must have held before the noun leaves its default; 0 if left out. */
  readonly settle?: number;
  /** The keys of the state: the types of the functions below, and what is checked before they are called. */
  readonly shape: DeclaredShape<S>;
  /** The state after a DELETE. */
  readonly default?: DesiredOf<S>;
  /**
   * The current state. If it does not fit the shape, the client gets 500 and the log says why. For a frozen object that
   * is returned again, the server writes the answer only once.
   */
  get(): Awaitable<StateOf<S>>;
  /**
   * Makes the state this one. The answer is what `get` returns then. Without it, clients can only read the noun, and
   * DELETE changes nothing.
   */
  set?(state: DesiredOf<S>): Awaitable<void>;
  /** Changes the state, for a POST. If left out: the keys that the change names are set, the others stay. */
  update?(change: ChangeOf<S>): Awaitable<void>;
  /** Returns to the default, for a DELETE. If left out: `default` is set. */
  reset?(): Awaitable<void>;
  /**
   * Called when the first client watches. From then on, call `changed` whenever the state may have changed. Returns a
   * function that ends this. If left out, the noun is read every `poll` ms while somebody watches.
   */
  watch?(changed: () => void): () => void;
  /** ms between two readings while somebody watches. If left out: 1000 without `watch`, none with it. */
  readonly poll?: number;
  /** Releases the hardware of the noun. Called once, when the program ends. */
  close?(): void;
}

/**
 * A noun whose operations have the types of its shape. Other nouns may call them: each call is checked as a client's
 * request is.
 *
 * @example
 * const shape = { on: { type: "boolean" } } as const satisfies Shape;
 * async function switchOff(heater: NounOf<typeof shape>) {
 *   await heater.setState({ on: false });
 * }
 */
export interface NounOf<S extends Shape> extends Omit<Noun, "updateState"> {
  /** The shape of the noun. */
  readonly shape: S;
  /** @returns the state, which is of the shape. @throws TypeError when it is not. */
  getState(): Awaitable<StateOf<S>>;
  /** As a PUT. @throws StateError for a state that a client's PUT would be refused for. */
  setState(state: DesiredOf<S>): Awaitable<StateOf<S>>;
  /** As a POST. @throws StateError for a change that a client's POST would be refused for. */
  updateState(change: ChangeOf<S>): Awaitable<StateOf<S>>;
  /** As a DELETE. */
  deleteState(): Awaitable<StateOf<S>>;
}

/** The noun as a server calls it. The server has already checked the arguments. */
class DefinedNoun<S extends Shape> implements NounFace {
  readonly shape: S;
  readonly settable: boolean;
  readonly poll: number | undefined;
  readonly watch?: (changed: () => void) => () => void;
  readonly [merge]?: (change: State) => Awaitable<State>;
  readonly [byItself]?: OwnCause;
  protected readonly definition: NounDefinition<S>;
  private writer: ShapeWriter | undefined;

  constructor(definition: NounDefinition<S>) {
    this.definition = definition;
    this.shape = definition.shape as unknown as S;
    this.poll = definition.poll;
    if (definition.watch !== undefined) {
      this.watch = definition.watch.bind(definition);
      this[byItself] = "device";
    }
    this.settable = definition.set !== undefined;
    if (definition.update === undefined) this[merge] = (change) => this.merge(change);
    Object.assign(this, presentationOf(definition));
  }

  /** @throws TypeError when a result is not of the shape. */
  readonly writeState = (result: unknown): string => {
    this.writer ??= new ShapeWriter(this.shape);
    return this.writer.write(result);
  };

  getState(): Awaitable<State> {
    // Whatever the keys, the values are scalars: a shape can declare nothing else.
    return this.definition.get() as Awaitable<State>;
  }

  setState(state: State): Awaitable<State> {
    if (this.definition.set === undefined) throw new StateError("This noun cannot be set; GET reads it.");
    const result = this.read(this.definition.set(state as unknown as DesiredOf<S>));
    return isReportingMistakes() ? after(result, (then) => this.compare(state, then)) : result;
  }

  updateState(change: State): Awaitable<State> {
    const { definition } = this;
    if (definition.update !== undefined) return this.read(definition.update(change as unknown as ChangeOf<S>));
    return after(this.merge(change), (state) => this.setState(state));
  }

  deleteState(): Awaitable<State> {
    const { definition } = this;
    if (definition.reset !== undefined) return this.read(definition.reset());
    if (definition.set === undefined || definition.default === undefined) return this.getState();
    return this.read(definition.set(definition.default));
  }

  get [declaredDefault](): State | undefined {
    return this.definition.default as State | undefined;
  }

  close(): void {
    this.definition.close?.();
  }

  /** An update and a reset by the author's own functions may lead to any state. */
  [foresee](verb: Changing, change: State): State | undefined {
    const { definition } = this;
    if (verb === "PUT") return change;
    if (verb === "POST") return definition.update === undefined ? change : undefined;
    return definition.reset === undefined ? (definition.default as State | undefined) : undefined;
  }

  private merge(change: State): Awaitable<State> {
    return after(this.getState(), (state) => {
      const desired = Object.entries(state).filter(([key]) => this.shape[key]?.readOnly !== true);
      return { ...Object.fromEntries(desired), ...change };
    });
  }

  /**
   * @param changed what `set`, `update` or `reset` returned. @returns the state then. @throws changedUnread without
   * memory for it.
   */
  private readonly read = (changed: Awaitable<void>): Awaitable<State> => {
    try {
      if (changed instanceof Promise) return changed.then(this.read);
      const state = this.getState();
      return state instanceof Promise ? state.catch(raiseUnread) : state;
    } catch (error) {
      return raiseUnread(error);
    }
  };

  /** Reports a PUT after which the noun has a state other than the requested one. */
  private compare(asked: State, result: State): State {
    const { shape } = this;
    const key = Object.keys(shape).find((name) => shape[name]?.readOnly !== true && asked[name] !== result[name]);
    if (key !== undefined) reportMistake(this, describeDifference(key, asked, result));
    return result;
  }
}

/** The noun as other nouns call it: each call is checked as a client's request is. */
class CheckedNoun<S extends Shape> extends DefinedNoun<S> {
  override getState(): Awaitable<State> {
    return this.checked(super.getState());
  }

  override setState(state: State): Awaitable<State> {
    if (this.settable) checkState(this.shape, state);
    return this.checked(super.setState(state));
  }

  override updateState(change: State): Awaitable<State> {
    checkState(partialShape(this.shape), change);
    return this.checked(super.updateState(change));
  }

  override deleteState(): Awaitable<State> {
    return this.checked(super.deleteState());
  }

  private checked(result: Awaitable<State>): Awaitable<State> {
    return after(result, (state) => {
      this.writeState(state);
      return state;
    });
  }
}

/** @param error why the state could not be read that has just been set. */
function raiseUnread(error: unknown): never {
  throw isOutOfMemory(error) ? changedUnread : error;
}

/** @returns a clause about a key that differs. */
function describeDifference(key: string, asked: State, result: State): string {
  const show = (value: Scalar | undefined) => (value === undefined ? "no value" : JSON.stringify(value));
  const name = JSON.stringify(key);
  return (
    `a PUT asked for ${show(asked[key])} in ${name}, but get gives ${show(result[key])}: set the state of the ` +
    `PUT, or throw a StateError`
  );
}

/** The types check the keys. This check finds values out of range now, and not only when a client sends DELETE. */
function checkDefault(shape: Shape, state: State): void {
  try {
    checkState(shape, state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new TypeError(`The default is not a state of the noun. ${error.message}`);
  }
}

const knownProperties: { readonly [P in keyof Required<NounDefinition<Shape>>]: true } = {
  title: true,
  description: true,
  group: true,
  order: true,
  icon: true,
  ask: true,
  action: true,
  homeAssistant: true,
  guard: true,
  settle: true,
  shape: true,
  default: true,
  get: true,
  set: true,
  update: true,
  reset: true,
  watch: true,
  poll: true,
  close: true,
};

/** @throws TypeError for a property that is nearly a known one. A definition may have others, for its own functions. */
function assertSpelling(definition: object): void {
  const known = Object.keys(knownProperties);
  for (const name of Object.keys(definition)) {
    const suggestion = known.includes(name) ? "" : didYouMean(name, known);
    if (suggestion !== "") throw new TypeError(`A noun has no ${JSON.stringify(name)}${suggestion}`);
  }
}

/**
 * Makes a noun from its shape and the functions that read and set its state. The types of the functions follow from the
 * shape, and so does the check of what a client sends: a state that is not of the shape is answered with 422 and never
 * reaches them.
 * @returns the noun. Other nouns may call it: its operations take and give the types of the shape, and are checked as
 * clients' requests are.
 * @throws TypeError for a noun that can be set and says neither `default` nor `reset`, for a default that is not of the
 *   shape, for a shape with an unknown word, and for a misspelt property.
 *
 * @example
 * let speed = 0;
 * const fan = defineNoun({
 *   shape: { speed: { type: "integer", minimum: 0, maximum: 100 } },
 *   default: { speed: 0 },
 *   get: () => ({ speed }),
 *   set: (state) => {
 *     speed = state.speed;
 *   },
 * });
 * server.register("fan", fan);
 */
export function defineNoun<const S extends Shape>(definition: NounDefinition<S>): NounOf<S> {
  assertSpelling(definition);
  assertShape(definition.shape as unknown as S);
  if (definition.set !== undefined && definition.default === undefined && definition.reset === undefined) {
    throw new TypeError('A noun that can be set needs a "default", or a "reset" that says what DELETE does.');
  }
  if (definition.default !== undefined)
    checkDefault(definition.shape as unknown as S, definition.default as unknown as State);
  const noun: Noun = new CheckedNoun<S>(definition);
  assertNoun(noun);
  serveAs(noun, new DefinedNoun<S>(definition));
  return noun as NounOf<S>;
}
