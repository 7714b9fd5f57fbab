/**
 * A mirror: another device's noun as if it were here. It has the shape, the words and the state of that noun. It cannot
 * be read while the other device cannot be reached, and passes each change on.
 */

import { HttpError } from "../../core/http/http-error.ts";
import type { ErrorStatus } from "../../core/http/status.ts";
import { decodeUtf8, utf8Length } from "../../core/http/utf8.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { type NounFace, takesAnyUpdate } from "../../core/noun/noun-face.ts";
import { byItself, hops, mostHops, undescribed } from "../../core/noun/noun-traits.ts";
import type { Shape } from "../../core/noun/shape.ts";
import { ShapeWriter } from "../../core/noun/shape-writer.ts";
import type { State } from "../../core/noun/state.ts";
import { writeState } from "../../core/noun/state-writer.ts";
import type { Outcome } from "../client/exchange.ts";
import type { ForeignNoun } from "./foreign-noun.ts";
import type { OtherDevice } from "./other-device.ts";

/** Bytes of JSON that a state may have, and its keys. */
export interface StateLimits {
  readonly stateBytes: number;
  readonly statePairs: number;
}

/** What a person has written of a mirror: the other device does not replace it. */
export interface MirrorWords {
  readonly title?: string;
  readonly description?: string;
}

/** Statuses that are passed on. Others say something of this device's connection, and not of the request. */
const passedOn: readonly number[] = [400, 403, 404, 405, 409, 413, 415, 422, 500, 503];

const longestDetail = 300;

const noWords: MirrorWords = {};

const notYet = "The other device has not been reached yet.";

function unavailable(detail: string): HttpError {
  return HttpError.keeping(503, detail, "Retry-After: 5\r\n");
}

/** @param body of a refusal (RFC 9457). @returns its sentence. */
function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(decodeUtf8(body) ?? "") as { detail?: unknown };
    if (typeof detail === "string" && detail.isWellFormed()) return detail.slice(0, longestDetail).toWellFormed();
  } catch {
    // It is none of nound's.
  }
  return "The other device refuses it.";
}

/** The shapes of a noun on the other device. Several mirrors may share one. */
export class MirroredForm {
  readonly shape: Shape | undefined;
  readonly updateShape: Shape | undefined;
  readonly write: (state: State) => string;
  /** The last state that was taken. Equal states of a hundred mirrors are one object, and so is their answer. */
  private last: State = Object.freeze({});
  private lastJson = "{}";

  constructor({ shape, updateShape }: ForeignNoun) {
    this.shape = shape;
    this.updateShape = updateShape;
    const writer = shape && new ShapeWriter(shape);
    this.write = writer === undefined ? writeState : (state) => writer.write(state);
  }

  /** @param json of the state. @returns the state, or the equal one that was taken last. It is frozen. */
  shared(state: State, json: string): State {
    if (json !== this.lastJson) {
      this.last = Object.freeze(state);
      this.lastJson = json;
    }
    return this.last;
  }
}

/** Before the other device was reached. */
const anyForm = { write: writeState, shared: (state: State) => Object.freeze(state) };

/** What the other device says of a noun, besides its state. */
interface Description {
  readonly shape?: Shape | undefined;
  readonly updateShape?: Shape | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly action?: string | undefined;
  readonly settable: boolean;
  readonly [hops]: number;
  readonly [takesAnyUpdate]?: true | undefined;
}

/** @returns a text that is equal for equal descriptions. */
function textOf(noun: Description): string {
  const { shape, updateShape, title, description, action, settable } = noun;
  return JSON.stringify([shape, updateShape, title, description, action, settable, noun[hops], noun[takesAnyUpdate]]);
}

export class MirrorNoun implements NounFace {
  /** The name of the noun on the other device, in lower case. */
  readonly of: string;
  shape?: Shape;
  updateShape?: Shape;
  declare settable: boolean;
  title?: string;
  description?: string;
  action?: string;
  /** Home Assistant knows the other device itself, as a rule. */
  declare readonly homeAssistant: false;
  declare readonly [byItself]: "mirror";
  /** Devices from here to the thing that the noun stands for. */
  declare [hops]: number;
  [takesAnyUpdate]?: true;
  /** Whether the other device has such a noun, described in a way that can be used, and not in a ring of mirrors. */
  declare isUsable: boolean;
  private readonly device: OtherDevice;
  declare private readonly words: MirrorWords;
  declare private listeners: ChangeListeners | undefined;
  private form: typeof anyForm | MirroredForm = anyForm;
  private state: State | undefined;
  /** Why there is no state. */
  declare private reason: string;

  // What is the same for most mirrors is not their own: a device may have a hundred.
  static {
    const common = { settable: true, homeAssistant: false, [byItself]: "mirror", [hops]: 1, isUsable: true };
    Object.assign(MirrorNoun.prototype, common, { words: noWords, listeners: undefined, reason: notYet });
  }

  constructor(device: OtherDevice, of: string, { title, description }: MirrorWords) {
    this.device = device;
    this.of = of;
    if (title !== undefined || description !== undefined) this.set("words", { title, description });
  }

  get [undescribed](): boolean {
    return this.form === anyForm;
  }

  getState(): State {
    if (this.state === undefined) throw unavailable(this.reason);
    return this.state;
  }

  setState(state: State): Promise<State> {
    return this.forward("PUT", state);
  }

  updateState(change: State): Promise<State> {
    return this.forward("POST", change);
  }

  deleteState(): Promise<State> {
    return this.forward("DELETE", undefined);
  }

  watch(changed: () => void): () => void {
    this.listeners ??= new ChangeListeners();
    return this.listeners.add(changed);
  }

  /**
   * Takes the description of the other device's noun.
   * @param mayChange whether it may be another one than before.
   * @returns whether it is; the first one is none.
   */
  describe(noun: ForeignNoun, form: MirroredForm, mayChange: boolean): boolean {
    const wasDescribed = !this[undescribed];
    const words = {
      title: this.words.title ?? noun.title,
      description: this.words.description ?? noun.description,
      action: noun.action,
      settable: noun.settable,
      [hops]: Math.min(noun.hops, mostHops) + 1,
      [takesAnyUpdate]: noun.takesAny ? (true as const) : undefined,
    };
    const isChanged =
      !wasDescribed || textOf({ ...words, shape: form.shape, updateShape: form.updateShape }) !== textOf(this);
    if (wasDescribed && isChanged && !mayChange) return true;
    this.form = form;
    this.set("shape", form.shape);
    this.set("updateShape", form.updateShape);
    for (const key of Reflect.ownKeys(words)) this.set(key, Reflect.get(words, key));
    if (isChanged) this.device.reshaped(this);
    return wasDescribed && isChanged;
  }

  /** The other device has told of a state. @param state anything. */
  take(state: unknown): void {
    if (state === null) {
      this.lose("The other device cannot read the noun.");
      return;
    }
    try {
      this.accept(state);
    } catch {
      this.lose("The other device has sent a state that does not fit its description.");
    }
  }

  close(): void {
    this.device.remove(this);
  }

  /** @param reason a sentence for clients. */
  lose(reason: string): void {
    this.reason = reason;
    if (this.state === undefined) return;
    this.state = undefined;
    this.listeners?.tell();
  }

  /** @returns the state. @throws Error if it is no state of the shape, or too large. */
  private accept(state: unknown): State {
    const { stateBytes, statePairs } = this.device.stateLimits;
    if (typeof state !== "object" || state === null || Object.keys(state).length > statePairs) throw new Error("none");
    const copy = { ...(state as State) };
    const json = this.form.write(copy);
    if (utf8Length(json) > stateBytes) throw new Error("too large");
    this.state = this.form.shared(copy, json);
    this.listeners?.tell();
    return this.state;
  }

  /** What is as on the prototype is not kept. */
  private set(key: PropertyKey, value: unknown): void {
    if (value === undefined) Reflect.deleteProperty(this, key);
    else if (Reflect.get(this, key) !== value) Reflect.set(this, key, value);
  }

  private forward(method: string, state: State | undefined): Promise<State> {
    if (this.state === undefined) throw unavailable(this.reason);
    return new Promise((resolve, reject) => {
      const body = state === undefined ? "" : writeState(state);
      this.device.command(method, this.of, this[hops], body, (outcome) => {
        try {
          resolve(this.resultOf(outcome));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** @returns the state that the other device has answered. @throws HttpError for a refusal. */
  private resultOf(outcome: Outcome): State {
    if (typeof outcome === "string") throw unavailable(outcome);
    const { status, body } = outcome;
    if (status === 200) {
      try {
        return this.accept(JSON.parse(decodeUtf8(body) ?? ""));
      } catch {
        throw unavailable("The other device has executed the command, and its answer does not fit its description.");
      }
    }
    if (status === 503 || !passedOn.includes(status)) {
      throw unavailable(status === 503 ? detailOf(body) : `The other device answers ${status} to this one.`);
    }
    const detail = detailOf(body);
    if (status !== 409) throw HttpError.keeping(status as ErrorStatus, detail);
    // It may name nouns of the other device, of which this device's tokens say nothing.
    throw HttpError.conflict(detail, { nouns: ["*"], brief: "The other device refuses this change." });
  }
}
