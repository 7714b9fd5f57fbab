/**
 * A noun from a shape and the functions that read and set its state: the short way to write one.
 *
 *     const fan = defineNoun({
 *       shape: { speed: { type: "integer", minimum: 0, maximum: 100 } },
 *       default: { speed: 0 },
 *       get: () => ({ speed: motor.speed }),
 *       set: ({ speed }) => motor.turn(speed),
 *     });
 */
import type { Awaitable, Noun } from "./noun.ts";
import { checkState, type DesiredOf, type Shape, type StateOf } from "./shape.ts";
import type { State } from "./state.ts";
import { StateError } from "./state-error.ts";

/**
 * What `defineNoun` makes a noun from. Each function may return a promise.
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
  /** The keys of the state: the types of the functions below, and what is checked before they are called. */
  readonly shape: S;
  /** The state after a DELETE. */
  readonly default?: DesiredOf<S>;
  /** The current state. The server writes the answer once for a frozen object that is returned again. */
  get(): Awaitable<StateOf<S>>;
  /** Makes the state this one; the answer is what `get` then gives. Without it the noun only reads, and DELETE changes nothing. */
  set?(state: DesiredOf<S>): Awaitable<void>;
  /** Changes the state, for a POST. If left out: the keys that the change names are set, the others stay. */
  update?(change: Partial<DesiredOf<S>>): Awaitable<void>;
  /** Returns to the default, for a DELETE. If left out: `default` is set. */
  reset?(): Awaitable<void>;
  /**
   * Begins to tell of changes, by calling `changed` any time and any number of times; returns what ends that. Called when the first
   * client watches. If left out, the noun is read every `poll` ms while somebody watches.
   */
  watch?(changed: () => void): () => void;
  /** ms between two readings while somebody watches. If left out: 1000 without `watch`, none with it. */
  readonly poll?: number;
  /** Gives back what the noun holds. Called once, when the program ends. */
  close?(): void;
}

/** Calls `next` at once when `value` is no promise: a noun that answers at once makes nobody wait. */
function after<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

class DefinedNoun<S extends Shape> implements Noun {
  readonly title?: string;
  readonly description?: string;
  readonly shape: Shape;
  readonly settable: boolean;
  readonly poll: number | undefined;
  readonly watch?: (changed: () => void) => () => void;
  private readonly definition: NounDefinition<S>;

  constructor(definition: NounDefinition<S>) {
    this.definition = definition;
    this.shape = definition.shape;
    this.poll = definition.poll;
    if (definition.watch !== undefined) this.watch = definition.watch.bind(definition);
    this.settable = definition.set !== undefined;
    if (definition.title !== undefined) this.title = definition.title;
    if (definition.description !== undefined) this.description = definition.description;
  }

  getState(): Awaitable<State> {
    // Whatever the keys, the values are scalars: a shape can declare nothing else.
    return this.definition.get() as Awaitable<State>;
  }

  setState(state: State): Awaitable<State> {
    // The server has checked it against the shape.
    return this.after(this.set(state as unknown as DesiredOf<S>));
  }

  updateState(change: State): Awaitable<State> {
    const { definition } = this;
    if (definition.update !== undefined) return this.after(definition.update(change as Partial<DesiredOf<S>>));
    return after(this.getState(), (state) => {
      const desired = Object.entries(state).filter(([key]) => this.shape[key]?.readOnly !== true);
      return this.setState({ ...Object.fromEntries(desired), ...change });
    });
  }

  deleteState(): Awaitable<State> {
    const { reset, set, default: initial } = this.definition;
    if (reset !== undefined) return this.after(this.definition.reset?.());
    if (set === undefined || initial === undefined) return this.getState();
    return this.after(this.set(initial));
  }

  close(): void {
    this.definition.close?.();
  }

  private set(state: DesiredOf<S>): Awaitable<void> {
    if (this.definition.set === undefined) {
      throw new StateError("This noun cannot be set; GET reads it.");
    }
    return this.definition.set(state);
  }

  private after(done: Awaitable<void>): Awaitable<State> {
    return after(done, () => this.getState());
  }
}

/** The types see to the keys; what is out of a range only shows here, and not first when a client sends DELETE. */
function checkDefault(shape: Shape, state: State): void {
  try {
    checkState(shape, state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new TypeError(`The default is not a state of the noun. ${error.message}`);
  }
}

/**
 * Makes a noun from its shape and what reads and sets its state. The types of the functions follow from the shape, and so does
 * the check of what a client sends: a state that is not of the shape is answered with 422 and never reaches them.
 * @throws TypeError for a noun that can be set and says neither `default` nor `reset`, and for a default that is not of the shape.
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
export function defineNoun<const S extends Shape>(definition: NounDefinition<S>): Noun {
  if (definition.set !== undefined && definition.default === undefined && definition.reset === undefined) {
    throw new TypeError('A noun that can be set needs a "default", or a "reset" that says what DELETE does.');
  }
  if (definition.default !== undefined) checkDefault(definition.shape, definition.default as unknown as State);
  return new DefinedNoun(definition);
}
