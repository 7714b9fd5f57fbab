/** The ready-made nouns in memory, for applications. Their options are those of docs/nouns.md. */
import { describeNoun } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import type { Shape } from "../noun/shape.ts";
import { SwitchNoun, type SwitchOptions } from "./switch-noun.ts";
import { ValueNoun, type ValueOptions } from "./value-noun.ts";

/**
 * A noun in memory that holds any state; with a shape, only states of that shape.
 * @throws TypeError, StateError or RangeError for options that do not fit together.
 *
 * @example
 * server.register("greeting", valueNoun({ default: { text: "hello" } }));
 */
export function valueNoun<const S extends Shape = Shape>(options: ValueOptions<S> = {}): Noun {
  return describeNoun(new ValueNoun(options), options);
}

/**
 * A noun in memory with two states under one key; POST toggles.
 * @throws TypeError for options that do not fit together.
 *
 * @example
 * server.register("door", switchNoun({ key: "door", off: "closed", on: "open" }));
 */
export function switchNoun(options: SwitchOptions): Noun {
  return describeNoun(new SwitchNoun(options), options);
}
