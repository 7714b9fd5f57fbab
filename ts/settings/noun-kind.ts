/**
 * A kind of noun that a configuration can name: which options it takes, and how a noun is made from them.
 *
 *     export const counterKind = () =>
 *       nounKind({
 *         options: { key: nonEmptyText(), step: withDefault(() => integer({ minimum: 1 }), 1) },
 *         build: (options) => new CounterNoun(options),
 *       });
 */

import type { When } from "../core/noun/condition.ts";
import { describeNoun, type NounDescription } from "../core/noun/description.ts";
import type { KeptText } from "../core/noun/kept-text.ts";
import type { NounName } from "../core/noun/name.ts";
import type { Noun } from "../core/noun/noun.ts";
import type { RestorableNoun } from "../core/noun/restorable.ts";
import { StateError } from "../core/noun/state-error.ts";
import type { Store } from "../native/storage.ts";
import type { Milliseconds } from "../native/units.ts";
import type { RuleOptions, ScheduleOptions } from "../parts/rules/part.ts";
import { guardConditions } from "./conditions.ts";
import { homeAssistantOfKey, homeAssistantOptions } from "./home-assistant-setting.ts";
import { keyPresentation, keyRecord, presentationOptions } from "./presentation-setting.ts";
import { objectOf, optional, type RecordKeys, type RecordOf, record } from "./record.ts";
import { integer, keyPath, Mistakes, nonEmptyText, type Setting, text } from "./setting.ts";

/** What the program gives to a noun. */
export interface NounContext {
  readonly name: NounName;
  /** Opens the folder for states that nouns keep. @throws Error if none is configured or it cannot be opened. */
  openStore(): Store;
  /**
   * Adds a rule on the other nouns. Undefined while hardware is tried.
   * @param kept keeps whether it is enabled, for the next process.
   * @returns the rule.
   */
  addRule?(options: RuleOptions, kept: KeptText | undefined): Noun;
  /** Adds a schedule, as `addRule`. */
  addSchedule?(options: ScheduleOptions): RestorableNoun;
  /** Receives an error for the log, if no client gets it. */
  report(error: unknown): void;
}

/** Hardware that can be tried without moving it. */
export interface TriedHardware {
  /** The kernel's folders of such hardware. If they list nothing, this machine has none of it. */
  readonly folders: readonly string[];
  /** The device or the file that the noun names, as it was written; undefined for one that names lines. */
  readonly device: string | undefined;
  /** @throws Error with a sentence when the noun could not be made or read. */
  attempt(context: NounContext): Promise<void>;
}

/** Notes the text of a file, which may differ from the one that is served with. @param file what it is. */
export type NoteFile = (file: string, text: string) => void;

/** A noun whose options have been checked and that has not been made yet. */
export interface NounPlan {
  /** The JSON path of the noun. */
  readonly path: string;
  /** The hardware that no other noun may use, always as the same text: `line 17 of gpiochip0`. */
  readonly claims: readonly string[];
  /** The JSON path of the option by which the noun keeps its state over a restart; undefined if it does not. */
  readonly keeps?: string | undefined;
  /** The JSON path of a time that one step of an operation may take, and its ms; undefined without one. */
  readonly waits?: readonly [path: string, time: Milliseconds] | undefined;
  /** Whether only the limits bound the states that clients may set. */
  readonly isUnbounded?: boolean;
  /** The hardware that `--check` tries; undefined for a noun without any. */
  readonly hardware?: TriedHardware | undefined;
  /**
   * What `--check` does beside: reads the files of the noun, and gives each text to `note`.
   * @returns a clause that a person should know; undefined without one, as for most kinds.
   * @throws Error with a sentence if a file cannot be used.
   */
  readonly advise?: ((name: NounName, note: NoteFile) => string | undefined) | undefined;
  /** The conditions without which it is at its default; undefined without a guard. */
  readonly guard?: When | undefined;
  /** The path of the file with the token that the noun sends; undefined without one. */
  readonly secret?: string | undefined;
  /** Whether it is the button of which a press lets a client in. */
  readonly pairs?: boolean;
  /** Whether it acts on other nouns. */
  readonly isRule: boolean;
  /** Whether its shape is unknown here: only the device tells it, or the noun could not be read. */
  readonly hasShapeOfDevice: boolean;
  /** Makes the noun. Called after the whole configuration has been checked. Hardware may not be touched earlier. */
  build(context: NounContext): Noun;
}

/** Refuses the value at `keys`, the path from the noun to it. */
export type RefuseOption<K extends RecordKeys> = (
  keys: readonly [keyof K & string, ...string[]],
  sentence: string,
) => void;

export interface NounKindDeclaration<K extends RecordKeys> {
  /** The options beside `kind`. */
  readonly options: K;
  /**
   * Checks how the options fit together. Must not touch hardware.
   * @param refuse refuses an option, or a key inside it, with what was expected there and what was found.
   */
  verify?(options: RecordOf<K>, refuse: RefuseOption<K>): void;
  /** @returns the hardware that no other noun may use, as in `NounPlan.claims`. */
  claim?(options: RecordOf<K>): string | readonly string[];
  /** @returns the option by which the noun keeps its state over a restart; undefined if it does not. */
  keeps?(options: RecordOf<K>): (keyof K & string) | undefined;
  /** @returns the option by which a step of an operation takes time, and its ms, which must be less than an operation's. */
  waits?(options: RecordOf<K>): readonly [option: keyof K & string, time: Milliseconds] | undefined;
  /**
   * @returns whether only the limits bound the states that clients may set. If left out, the kind itself bounds them.
   */
  isUnbounded?(options: RecordOf<K>): boolean;
  /**
   * @returns the kernel's folders of this hardware, as in `TriedHardware`. If left out or empty, nothing is tried: for
   *   a noun whose hardware may be absent.
   */
  folders?(options: RecordOf<K>): readonly string[];
  /**
   * Tries the hardware without moving it. If left out, the noun is made and read: neither may move any.
   * @throws Error with a sentence.
   */
  attempt?(options: RecordOf<K>, context: NounContext): void;
  /** What `--check` does beside, as in `NounPlan.advise`. */
  advise?(options: RecordOf<K>, name: NounName, note: NoteFile): string | undefined;
  readonly isRule?: true;
  /** @returns whether only the device tells the shape, as in `NounPlan`. */
  hasShapeOfDevice?(options: RecordOf<K>): boolean;
  /** Whether it begins at its default, whatever its `boot` restores. */
  readonly beginsAtDefault?: true;
  /** @returns what the options say to people. If left out, it is in them: for a kind whose `keys` say more. */
  describe?(options: RecordOf<K>): NounDescription;
  /**
   * Makes the noun from checked options. If it throws, the program does not start.
   * @param kept the folder for its state, if the noun keeps one.
   */
  build(options: RecordOf<K>, context: NounContext, kept: { readonly store?: Store }): Noun;
}

/**
 * @returns the plan of a noun with mistakes: the others may name it, and the rules among them are checked too.
 * @param build of a rule, which is made so that the nouns that it names are checked.
 */
export function unreadNoun(path: string, build?: NounPlan["build"]): NounPlan {
  return {
    path,
    claims: [],
    isRule: build !== undefined,
    hasShapeOfDevice: true,
    build(context) {
      if (build === undefined) throw new Error("it could not be read");
      return build(context);
    },
  };
}

/** The options of a noun that its guard concerns. */
interface GuardedOptions {
  readonly guard?: When;
  readonly settle?: Milliseconds;
  readonly boot?: string;
  readonly exit?: string;
}

/** The option of the kinds that send a token to another server. */
interface SendingOptions {
  readonly token?: string;
}

/** The option of the kinds that can be buttons. */
interface ButtonOptions {
  readonly pairs?: boolean;
}

/** The options that every noun has. */
const descriptionOptions = () => ({
  title: optional(nonEmptyText),
  description: optional(nonEmptyText),
  ...presentationOptions(),
  homeAssistant: optional(homeAssistantOptions),
  keys: optional(() => objectOf(keyRecord(keyDescription()))),
  guard: optional(guardConditions),
  settle: optional(() => integer({ minimum: 1, maximum: 604_800_000 })),
});

/** The options of the kinds whose hardware several nouns may use. */
interface DeviceOptions {
  readonly device?: string;
  readonly path?: string;
}

/** The options of every key. */
export const keyDescription = () => ({
  ...keyPresentation(),
  homeAssistant: optional(homeAssistantOfKey),
});

/**
 * Refuses the option `default` if a check of it throws a StateError.
 * @param whole what the default has to be a state of.
 */
export function verifyDefault(
  check: () => void,
  whole: "the noun" | "the shape",
  refuse: (keys: readonly ["default", ...string[]], sentence: string) => void,
): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const key = error.key === undefined ? [] : [error.key];
    refuse(["default", ...key], `expected a state of ${whole}. ${error.message}`);
  }
}

function made<K extends RecordKeys>(kind: NounKindDeclaration<K>, options: RecordOf<K>, context: NounContext): Noun {
  return kind.build(options, context, kind.keeps?.(options) === undefined ? {} : { store: context.openStore() });
}

const noClaims: readonly string[] = [];

/** The plan of a noun that was read. Most of it is made when it is asked for: a configuration may have many nouns. */
class ReadNoun<K extends RecordKeys> implements NounPlan {
  readonly path: string;
  private readonly declaration: NounKindDeclaration<K>;
  private readonly options: RecordOf<K>;

  constructor(path: string, declaration: NounKindDeclaration<K>, options: RecordOf<K>) {
    this.path = path;
    this.declaration = declaration;
    this.options = options;
  }

  get claims(): readonly string[] {
    const claims = this.declaration.claim?.(this.options) ?? noClaims;
    return typeof claims === "string" ? [claims] : claims;
  }

  get keeps(): string | undefined {
    const keeps = this.declaration.keeps?.(this.options);
    return keeps === undefined ? undefined : keyPath(this.path, keeps);
  }

  get waits(): NounPlan["waits"] {
    const waits = this.declaration.waits?.(this.options);
    return waits && [keyPath(this.path, waits[0]), waits[1]];
  }

  get isUnbounded(): boolean {
    return this.declaration.isUnbounded?.(this.options) === true;
  }

  get hardware(): TriedHardware | undefined {
    const { declaration, options } = this;
    const folders = declaration.folders?.(options) ?? [];
    if (folders.length === 0) return undefined;
    const { path: file, device = file } = options as DeviceOptions;
    const attempt = async (context: NounContext): Promise<void> => {
      if (declaration.attempt === undefined) await made(declaration, options, context).getState();
      else declaration.attempt(options, context);
    };
    return { folders, attempt, device };
  }

  get advise(): NounPlan["advise"] {
    const { declaration, options } = this;
    return declaration.advise && ((name, note) => declaration.advise?.(options, name, note));
  }

  get guard(): When | undefined {
    return (this.options as GuardedOptions).guard;
  }

  get secret(): string | undefined {
    return (this.options as SendingOptions).token;
  }

  get pairs(): boolean {
    return (this.options as ButtonOptions).pairs === true;
  }

  get isRule(): boolean {
    return this.declaration.isRule === true;
  }

  get hasShapeOfDevice(): boolean {
    return this.declaration.hasShapeOfDevice?.(this.options) === true;
  }

  build(context: NounContext): Noun {
    const { declaration, options } = this;
    const noun = made(declaration, options, context);
    return describeNoun(noun, declaration.describe?.(options) ?? (options as NounDescription));
  }
}

/**
 * @returns the setting of a whole noun; reading it gives the noun's plan. The rest of a rule with mistakes can be made,
 *   so that its nouns are checked too.
 */
export function nounKind<K extends RecordKeys>(declaration: NounKindDeclaration<K>): Setting<NounPlan> {
  // `kind` has been read already. It is declared here so that it is not an unknown key. The kind's own options are
  // named first, and count where they have the name of a common one.
  const noun = record({
    kind: optional(text),
    ...declaration.options,
    ...descriptionOptions(),
    ...declaration.options,
  });
  return {
    ...noun,
    read(value, path) {
      const mistakes = new Mistakes();
      const options = mistakes.read(noun, value, path) as RecordOf<K> | undefined;
      if (options === undefined) return mistakes.finish<NounPlan>(undefined);
      const plan = new ReadNoun(path, declaration, options);
      const refuse: RefuseOption<K> = (keys, sentence) => mistakes.add(keys.reduce(keyPath, path), sentence);
      if (mistakes.count === 0) declaration.verify?.(options, refuse);
      const { guard, settle, boot, exit } = options as GuardedOptions;
      if (settle !== undefined && guard === undefined) {
        mistakes.add(keyPath(path, "settle"), 'expected nothing without "guard", whose conditions it is about');
      }
      if (guard === undefined && mistakes.count === 0) return plan;
      const atBounds = declaration.beginsAtDefault === true ? { exit } : { boot, exit };
      for (const [name, rule] of Object.entries(guard === undefined ? {} : atBounds)) {
        if (rule === undefined || rule === "default") continue;
        const sentence = `expected "default" beside "guard", found ${JSON.stringify(rule)}: a guard is met only later`;
        mistakes.add(keyPath(path, name), sentence);
      }
      if (mistakes.count > 0)
        return mistakes.finish(unreadNoun(path, plan.isRule ? (context) => plan.build(context) : undefined));
      return plan;
    },
  };
}
